import { type Clock, type HostVariables, messageOf } from '../core/index.js';
import { connectClient, lineTransport } from '../protocol/index.js';
import {
  connectSocket,
  endServers,
  findServers,
  type FoundServer,
  removeOwnFiles,
  StartError,
} from '../machine/index.js';

/** The exit code if sessions run, which would end. */
const SESSIONS_RUN = 3;
/** The time for a server to answer, in milliseconds: it has nothing to wait for. */
const ANSWER_MS = 5_000;

/**
 * Ends the session servers of this account, and removes all that is ours here. Says `removed`, or `running` with the
 * number of running sessions, which need `force`.
 *
 * @returns the exit code.
 * @throws StartError, NodeJS.ErrnoException
 */
export async function uninstall(force: boolean, env: HostVariables, clock: Clock): Promise<number> {
  const servers = await Promise.all((await findServers(env)).map(ask));
  const running = servers.reduce((sum, server) => sum + server.running, 0);
  if (running > 0 && !force) {
    process.stdout.write(`running ${running}\n`);
    return SESSIONS_RUN;
  }
  const pids = servers.map(({ pid }) => pid);
  if (!(await endServers(pids, clock))) {
    throw new StartError(`the session server has not ended yet. End it with: kill -9 ${pids.join(' ')}`);
  }
  await removeOwnFiles(env);
  process.stdout.write('removed\n');
  return 0;
}

interface AskedServer {
  readonly pid: number;
  readonly running: number;
}

async function ask({ socket }: FoundServer): Promise<AskedServer> {
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
