import { describeFailure } from '../../core/index.js';
import { EndedBySignal } from '../cliError.js';
import type { Leaving } from '../client/terminalClient.js';
import { type Console, remark } from '../console.js';
import { ExitCode } from '../exitCodes.js';

/**
 * Says how a client has left its session where that is not plain, and returns the exit code for it.
 *
 * @throws EndedBySignal if a signal has ended it.
 */
export function leavingCode(console: Console, id: string, leaving: Leaving): number {
  switch (leaving.kind) {
    case 'ended':
      return leaving.exit?.exitCode ?? ExitCode.ownFailure;
    case 'failed':
      remark(console, `exec-sessions: ${describeFailure(leaving.failure)}`);
      return ExitCode.ownFailure;
    case 'detached':
      remark(console, `\n[Detached. It goes on; come back with: exec-sessions attach ${id.slice(0, 8)}]`);
      return ExitCode.done;
    case 'signalled':
      throw new EndedBySignal(leaving.signal);
    case 'pipeClosed':
      return ExitCode.pipeClosed;
  }
}
