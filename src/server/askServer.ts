import { messageOf } from '../core/index.js';
import { connectClient, lineTransport } from '../protocol/index.js';
import { connectSocket, type FoundServer, StartError } from '../machine/index.js';

/** The time for a server to answer, in milliseconds: it has nothing to wait for. */
const ANSWER_MS = 5_000;

interface AskedServer {
  readonly pid: number;
  readonly running: number;
}

/**
 * Asks a session server of this account for its process, and how many sessions run.
 *
 * @throws StartError
 */
export async function askServer({ socket }: FoundServer): Promise<AskedServer> {
  try {
    const stream = await connectSocket(socket);
    const wire = connectClient(lineTransport(stream, stream, { peer: socket }), {});
    try {
      const limit = { timeoutMs: ANSWER_MS };
      const { capabilities } = await wire.request('initialize', { clientName: 'exec-sessions' }, limit);
      wire.notify('initialized', {});
      const { processes } = await wire.request('process/list', {}, limit);
      const pid = capabilities?.program?.pid;
      if (pid === undefined) {
        throw new Error('it does not tell its process');
      }
      const running = processes.filter(({ state }) => state === 'starting' || state === 'running').length;
      return { pid, running };
    } finally {
      wire.destroy('it has answered');
    }
  } catch (error) {
    throw new StartError(`the session server on ${socket} cannot be asked: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
