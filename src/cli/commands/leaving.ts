import { causeText, describeFailure, type ExecProcess, metadataIn } from '../../core/index.js';
import { EndedBySignal, ExitCode } from '../exitCodes.js';
import type { Leaving } from '../client/terminalClient.js';
import { type Console, remark } from '../console.js';

/**
 * Says how a client has left its session where that is not plain, and returns the exit code for it.
 *
 * @throws EndedBySignal if a signal has ended it.
 */
export async function leavingCode(
  console: Console,
  session: Pick<ExecProcess, 'info' | 'survivors'>,
  id: string,
  leaving: Leaving,
): Promise<number> {
  const shortId = id.slice(0, 8);
  switch (leaving.kind) {
    case 'ended':
      if (leaving.open) {
        remark(
          console,
          `[Exited, but ${await openBy(session)}. To see what follows: exec-sessions logs -f ${shortId}]`,
        );
      } else {
        const ended = metadataIn(session.info().metadata, 'endedBy');
        if (ended !== undefined) {
          remark(console, `[It was ${causeText(ended.cause)}]`);
        }
      }
      return leaving.exit?.exitCode ?? ExitCode.ownFailure;
    case 'failed':
      remark(console, `exec-sessions: ${describeFailure(leaving.failure)}`);
      return ExitCode.ownFailure;
    case 'detached':
      remark(console, '');
      remark(console, `[Detached. It goes on; come back with: exec-sessions attach ${shortId}]`);
      return ExitCode.done;
    case 'signalled':
      throw new EndedBySignal(leaving.signal);
    case 'pipeClosed':
      return ExitCode.pipeClosed;
  }
}

/** Says why the output of an exited session may go on, as far as the server can tell. */
async function openBy(session: Pick<ExecProcess, 'survivors'>): Promise<string> {
  const survivors = await session.survivors().catch(() => []);
  const [first, ...more] = survivors.filter(({ holdsOutput }) => holdsOutput === true);
  if (first === undefined) {
    return 'its output has not ended';
  }
  const others = more.length === 0 ? '' : `, and ${more.length} more,`;
  return `${first.command} (process ${first.pid})${others} still runs and may write`;
}
