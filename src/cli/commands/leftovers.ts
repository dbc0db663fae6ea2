import { spanText } from '../../core/index.js';
import { endProcess, findLeftovers, type Leftover } from '../../machine/index.js';
import { CliError, ExitCode } from '../exitCodes.js';
import { type Console, type Line, type Painted, remark, say } from '../console.js';
import { leftoversJson } from '../output/json.js';
import { receiptName, starterOf } from '../output/words.js';
import { tableLines } from '../output/table.js';

/** Lists what sessions have left running that have ended. */
export async function leftovers(console: Console, json: boolean): Promise<number> {
  const found = await find(console);
  if (json) {
    say(console, leftoversJson(found));
  } else if (found.length === 0) {
    remark(console, 'There are no leftover processes of ended sessions.');
  } else {
    say(console, ...tableOf(console, found));
    remark(console, 'End one with: exec-sessions leftovers stop PID');
  }
  return ExitCode.done;
}

/** Ends a leftover process: it is asked to terminate, and killed if it does not. */
export async function stopLeftover(console: Console, pid: number): Promise<number> {
  const leftover = (await find(console)).find((one) => one.pid === pid);
  if (leftover === undefined) {
    throw new CliError(
      `Process ${pid} is not left of a session that has ended. These are: exec-sessions leftovers`,
      ExitCode.noSession,
    );
  }
  const { exited } = await endProcess(leftover);
  const name = `${leftover.command} (${pid})`;
  if (!exited) {
    throw new CliError(`${name} has not ended, although it was killed.`);
  }
  say(console, `${name}: stopped`);
  return ExitCode.done;
}

/** @throws CliError where that cannot be known. */
async function find(console: Console): Promise<readonly Leftover[]> {
  if (process.platform !== 'linux') {
    throw new CliError('Leftover processes of sessions can only be found on Linux.');
  }
  try {
    return await findLeftovers(console.env, console.clock.wallTime(), (reason) =>
      remark(
        console,
        `Some receipts cannot be read, so leftover processes of sessions whose server still runs may be missing: ${reason}`,
      ),
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError(`Leftover processes of sessions cannot be found: ${reason}`);
  }
}

const HEAD = ['PID', 'COMMAND', 'STARTED', 'BY', 'SESSION'];

function tableOf(console: Console, found: readonly Leftover[]): readonly Line[] {
  const now = console.clock.wallTime();
  const rows = found.map(({ pid, command, startedAt, receipt }): readonly Painted[] => [
    { text: String(pid) },
    { text: command },
    { text: startedAt === undefined ? '?' : spanText(now - startedAt) },
    { text: receipt === undefined ? '?' : starterOf(receipt) },
    { text: receipt === undefined ? 'a session without a receipt' : receiptName(receipt) },
  ]);
  return tableLines(console, HEAD, rows);
}
