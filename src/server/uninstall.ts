import type { Clock, HostVariables } from '../core/index.js';
import { askServer } from './askServer.js';
import { endServers, findServers, removeOwnFiles, StartError } from '../machine/index.js';

/** The exit code if sessions run, which would end. */
const SESSIONS_RUN = 3;

/**
 * Ends the session servers of this account, and removes all that is ours here. Says `removed`, or `running` with the
 * number of running sessions, which need `force`.
 *
 * @returns the exit code.
 * @throws StartError, NodeJS.ErrnoException
 */
export async function uninstall(force: boolean, env: HostVariables, clock: Clock): Promise<number> {
  const servers = await Promise.all((await findServers(env)).map(askServer));
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
