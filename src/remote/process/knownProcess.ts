import { WireError } from '../../protocol/index.js';
import { REQUEST_MS } from '../limits.js';
import { exitStatus } from '../session/notifications.js';
import type { Calls } from '../session/resumableConnection.js';
import type { KnownProcess } from '../session/sessionMemory.js';
import type { Origin, RemoteProcess } from './remoteProcess.js';

/** The facts by which the next client finds a process again. */
export function knownFacts(process: RemoteProcess): KnownProcess {
  const { processId, argv, cwd, tty, pipeStdin, size, metadata, startedAt, pid, sandbox } = process.info();
  const { wireId } = process;
  return { processId, wireId, argv, cwd, tty, pipeStdin, size, metadata, startedAt, pid, sandbox };
}

/**
 * How a process of that name in this connection session stands on the server; undefined if the server has none. It
 * forgets ended ones, and may never have got the message that starts one. Without an answer the process counts as
 * present, and its log will show any problem.
 */
export async function standingOnServer(
  wireId: string,
  calls: Calls,
): Promise<Pick<Origin, 'state' | 'exit'> | undefined> {
  const params = { processId: wireId, afterSeq: 0, maxBytes: 1, waitMs: 0 };
  try {
    const answer = await calls.call('process/read', params, { timeoutMs: REQUEST_MS, repeat: true });
    return answer.exited
      ? {
          state: answer.closed ? 'closed' : 'exited',
          exit: exitStatus(answer),
        }
      : {};
  } catch (error) {
    return error instanceof WireError ? undefined : {};
  }
}
