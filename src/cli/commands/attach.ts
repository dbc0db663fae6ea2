import { CliError, ExitCode } from '../exitCodes.js';
import { runClient } from '../client/terminalClient.js';
import { type Console, remark } from '../console.js';
import { withMachines } from '../machines.js';
import { listSessions, nameOf, withProcess } from '../sessions/cliSession.js';
import { lastSeqOf } from '../sessions/readPages.js';
import { refuseLoop } from '../sessions/refuseLoop.js';
import { selectSession } from '../sessions/selectSession.js';

export interface AttachOptions {
  readonly readOnly: boolean;
  readonly takeControl: boolean;
}

/** Shows a session here, from the beginning of its retained output on, and types into it. */
export function attach(console: Console, selector: string, options: AttachOptions): Promise<number> {
  if (options.readOnly && options.takeControl) {
    throw new CliError('--read-only and --take-control exclude each other.', ExitCode.usage);
  }
  return withMachines(console, async (machines) => {
    const sessions = await listSessions(machines);
    const session = selectSession(sessions, selector);
    await refuseLoop(console, session, sessions);
    const { leavingCode } = await import('./leaving.js');
    return withProcess(session, async (process) => {
      if (options.takeControl) {
        await process.describe({ controller: 'person' });
      }
      const refused = session.controlledByAgent && !options.takeControl;
      if (refused && !options.readOnly) {
        const agent = session.origin.name ?? 'An agent';
        remark(
          console,
          `[${agent} controls "${nameOf(session)}": what you type is not sent. To type: --take-control]`,
        );
      }
      const leaving = await runClient(console, {
        machine: session.machine,
        process,
        replayThrough: lastSeqOf(session),
        readOnly: options.readOnly || refused,
        // Ctrl-C of a terminal without raw mode is meant for the session.
        passedOn: process.info().tty || options.readOnly || refused ? [] : ['SIGINT'],
      });
      return leavingCode(console, process, session.id, leaving);
    });
  });
}
