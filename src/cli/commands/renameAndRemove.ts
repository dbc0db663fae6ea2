import { CliError, ExitCode } from '../exitCodes.js';
import { type Console, remark } from '../console.js';
import { withMachines } from '../machines.js';
import { isRunning, listSessions, nameOf, withProcess } from '../sessions/cliSession.js';
import { selectSession } from '../sessions/selectSession.js';

/** Gives a session another title, in all windows; an empty one takes its title away. */
export function rename(console: Console, selector: string, title: string): Promise<number> {
  return withMachines(console, async (machines) => {
    const session = selectSession(await listSessions(machines), selector);
    await withProcess(session, (process) => process.describe({ title: title === '' ? null : title }));
    return ExitCode.done;
  });
}

/** Removes ended sessions from the list, with their output. */
export function remove(console: Console, selectors: readonly string[]): Promise<number> {
  return withMachines(console, async (machines) => {
    const sessions = await listSessions(machines);
    const chosen = [...new Set(selectors.map((selector) => selectSession(sessions, selector)))];
    const running = chosen.filter(isRunning);
    if (running.length > 0) {
      for (const session of running) {
        remark(
          console,
          `"${nameOf(session)}" still runs. Stop it first: exec-sessions stop ${session.id.slice(0, 8)}`,
        );
      }
      throw new CliError('Nothing was removed.');
    }
    for (const { machine, info } of chosen) {
      await machine.backend.remove(info.processId);
    }
    return ExitCode.done;
  });
}
