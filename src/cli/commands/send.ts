import { oneLine } from '../../core/index.js';
import { CliError, ExitCode } from '../exitCodes.js';
import type { Console } from '../console.js';
import { withMachines } from '../machines.js';
import { type CliSession, isRunning, listSessions, nameOf, withProcess } from '../sessions/cliSession.js';
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
      const enter = process.info().tty ? '\r' : '\n';
      const status = await process.write(Buffer.from(options.enter ? text + enter : text));
      if (status !== 'accepted') {
        throw new CliError(`"${oneLine(nameOf(session))}" takes no input: it has none, or it is closed.`);
      }
    });
    return ExitCode.done;
  });
}

function checkSending(session: CliSession, { takeControl }: SendOptions): void {
  const name = oneLine(nameOf(session));
  if (!isRunning(session)) {
    throw new CliError(
      `"${name}" has ended. To read its output: exec-sessions logs ${session.id.slice(0, 8)}`,
    );
  }
  if (session.controlledByAgent && !takeControl) {
    const agent = oneLine(session.origin.name ?? 'An agent');
    throw new CliError(`${agent} controls "${name}". To type into it nevertheless: --take-control`);
  }
}
