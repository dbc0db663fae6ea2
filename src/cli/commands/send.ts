import { type ExecProcess } from '../../core/index.js';
import { BRACKETED_PASTE, hasLines, modesNow, typedParts, untilQuiet } from '../../terminal/index.js';
import { CliError, ExitCode } from '../exitCodes.js';
import type { Console } from '../console.js';
import { withMachines } from '../machines.js';
import { type CliSession, isRunning, listSessions, nameOf, withProcess } from '../sessions/cliSession.js';
import { lastSeqOf } from '../sessions/readPages.js';
import { selectSession } from '../sessions/selectSession.js';

export interface SendOptions {
  readonly enter: boolean;
  readonly takeControl: boolean;
}

/** Types a text into a session, then Enter unless that is not wanted. */
export function send(
  console: Console,
  selector: string,
  text: string,
  options: SendOptions,
): Promise<number> {
  return withMachines(console, async (machines) => {
    const session = selectSession(await listSessions(machines), selector);
    checkSending(session, options);
    await withProcess(session, async (process) => {
      if (options.takeControl) {
        await process.describe({ controller: 'person' });
      }
      let { lastSeq } = session.info.output;
      for (const [at, part] of (await partsOf(session, process, text, options)).entries()) {
        if (at > 0) {
          await untilQuiet(process, lastSeq, console.clock);
        }
        ({ lastSeq } = process.info().output);
        const status = await process.write(Buffer.from(part));
        if (status !== 'accepted') {
          throw new CliError(`"${nameOf(session)}" takes no input: it has none, or it is closed.`);
        }
      }
    });
    return ExitCode.done;
  });
}

/** The parts in which the program gets the text, with quiet in between. */
async function partsOf(
  session: CliSession,
  process: ExecProcess,
  text: string,
  { enter }: SendOptions,
): Promise<readonly string[]> {
  const lines = enter ? `${text}\n` : text;
  if (!process.info().tty || !hasLines(lines)) {
    return [enter && process.info().tty ? `${text}\r` : lines];
  }
  const modes = await modesNow(process, lastSeqOf(session));
  const mode = await process.inputMode().catch(() => undefined);
  const parts = typedParts(lines, mode, modes.isOn(BRACKETED_PASTE));
  return parts[0] === lines && enter ? [`${text}\r`] : parts;
}

function checkSending(session: CliSession, { takeControl }: SendOptions): void {
  const name = nameOf(session);
  if (!isRunning(session)) {
    throw new CliError(
      `"${name}" has ended. To read its output: exec-sessions logs ${session.id.slice(0, 8)}`,
    );
  }
  if (session.controlledByAgent && !takeControl) {
    const agent = session.origin.name ?? 'An agent';
    throw new CliError(`${agent} controls "${name}". To type into it nevertheless: --take-control`);
  }
}
