import { type StopReport } from '../../core/index.js';
import { CliError, ExitCode } from '../exitCodes.js';
import { type Console, remark, say } from '../console.js';
import { withMachines } from '../machines.js';
import { type CliSession, isRunning, listSessions, nameOf, withProcess } from '../sessions/cliSession.js';
import { signalAsPerson } from '../sessions/personsSignal.js';
import { selectSession } from '../sessions/selectSession.js';

/** Stops sessions step by step, all at the same time, and says which processes of each are left. */
export function stop(console: Console, selectors: readonly string[]): Promise<number> {
  return endSessions(console, selectors, (session) =>
    withProcess(session, async (process) => {
      await process.describe({ endedBy: { kind: 'person' } }).catch(() => undefined);
      return process.stop();
    }),
  );
}

/** Kills sessions with all that belongs to them, at once. */
export function kill(console: Console, selectors: readonly string[]): Promise<number> {
  return endSessions(console, selectors, (session) =>
    withProcess(session, async (process) => {
      await process.describe({ endedBy: { kind: 'person' } }).catch(() => undefined);
      return process.stop({ graceMs: { interrupt: 0, hangup: 0, terminate: 0 } });
    }),
  );
}

function endSessions(
  console: Console,
  selectors: readonly string[],
  end: (session: CliSession) => Promise<StopReport>,
): Promise<number> {
  return withMachines(console, async (machines) => {
    const sessions = await listSessions(machines);
    // All are looked up first: none is stopped if one selector is not clear.
    const chosen = [...new Set(selectors.map((selector) => selectSession(sessions, selector)))];
    const outcomes = await Promise.all(
      chosen.map(async (session) => {
        if (!isRunning(session)) {
          say(console, `${nameOf(session)}: it had ended already`);
          return true;
        }
        return sayReport(console, session, await end(session));
      }),
    );
    return outcomes.every(Boolean) ? ExitCode.done : ExitCode.failed;
  });
}

/** @returns whether everything has ended. */
function sayReport(console: Console, session: CliSession, report: StopReport): boolean {
  const name = nameOf(session);
  if (!report.exited) {
    remark(console, `${name}: it has not ended. Try: exec-sessions kill ${session.id.slice(0, 8)}`);
    return false;
  }
  const last = report.steps.at(-1);
  say(console, `${name}: stopped${last === undefined ? '' : ` (${WORDS[last]})`}`);
  for (const { pid, command, why } of report.survivors) {
    const reason = why === 'otherSession' ? 'it had detached itself' : 'it did not end';
    remark(console, `  left: ${command} (${pid}), ${reason}. End it with: kill ${pid}`);
  }
  if (report.survivorsUnknown === true) {
    remark(console, '  Leftover processes cannot be known: the processes cannot be listed now.');
  }
  return report.survivors.length === 0 && report.survivorsUnknown !== true;
}

const WORDS = {
  interrupt: 'interrupted',
  hangup: 'hung up',
  terminate: 'terminated',
  kill: 'killed',
} as const;

/** Sends one signal to a session's process group. */
export function signal(console: Console, selector: string, name: string): Promise<number> {
  return withMachines(console, async (machines) => {
    const session = selectSession(await listSessions(machines), selector);
    const wanted = name.toUpperCase().replace(/^(?!SIG)/, 'SIG');
    const { signals } = session.machine.backend.capabilities;
    if (!signals.includes(wanted)) {
      throw new CliError(
        `There is no signal ${name}. These can be sent: ${signals.join(', ')}.`,
        ExitCode.usage,
      );
    }
    if (!isRunning(session)) {
      throw new CliError(`${nameOf(session)} has ended already.`);
    }
    await withProcess(session, (process) => signalAsPerson(process, wanted, console.clock));
    return ExitCode.done;
  });
}
