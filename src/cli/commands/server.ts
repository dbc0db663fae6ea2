import { endServers, exposedFolders, findServers, type Machine, socketPlaces } from '../../machine/index.js';
import { CliError, ExitCode } from '../exitCodes.js';
import { type Console, remark, say } from '../console.js';
import { lostServers } from '../lostServers.js';
import { withMachines } from '../machines.js';
import { isRunning, listSessions } from '../sessions/cliSession.js';

/** Says which session servers run, how many sessions each has, and where their sockets are. */
export function serverStatus(console: Console): Promise<number> {
  return withMachines(console, async (machines, incomplete) => {
    const lost = await lostServers(console, machines.map(pidOf));
    if (machines.length === 0 && !incomplete) {
      remark(console, 'No session server runs. The first session starts one.');
    }
    for (const machine of machines) {
      const sessions = await listSessions([machine]);
      const running = sessions.filter(isRunning).length;
      const pid = pidOf(machine);
      say(console, `${machine.socket}${pid === undefined ? '' : ` (pid ${pid})`}`);
      say(console, `  ${running} running, ${sessions.length - running} ended`);
    }
    for (const { socket, pid } of lost) {
      say(console, `${socket} (pid ${pid})`);
      say(console, '  The socket has been removed. The server makes another one within seconds.');
    }
    if (machines.length > 0) {
      say(console, 'Limits: of all windows, the larger value of each setting holds.');
    }
    const { folders, why } = socketPlaces(console.env);
    if (process.platform !== 'win32') {
      say(console, `Place: ${folders[0]} (${why})`);
    }
    return incomplete ? ExitCode.failed : ExitCode.done;
  });
}

/** Ends all session servers, and the sessions with them. While sessions run, this needs `force`. */
export async function serverStop(console: Console, force: boolean): Promise<number> {
  const { servers, incomplete } = await withMachines(console, async (machines, incomplete) => {
    const lost = await lostServers(console, machines.map(pidOf));
    const running = (await listSessions(machines)).filter(isRunning).length;
    if (running > 0 && !force) {
      const what = running === 1 ? 'One session runs' : `${running} sessions run`;
      throw new CliError(`${what} and would end. Stop them first, or: exec-sessions server stop --force`);
    }
    if (lost.length > 0 && !force) {
      throw new CliError(
        'The socket of the session server has been removed. Try again in some seconds, or: exec-sessions server stop --force',
      );
    }
    return { servers: [...machines.map(knownPidOf), ...lost.map(({ pid }) => pid)], incomplete };
  });
  if (!(await endServers(servers, console.clock))) {
    throw new CliError(`The session server has not ended yet. End it with: kill -9 ${servers.join(' ')}`);
  }
  if (incomplete && ((await findServers(console.env)).length > 0 || exposedFolders(console.env).length > 0)) {
    throw new CliError('A session server goes on, with its sessions: it cannot be reached now.');
  }
  if (servers.length === 0) {
    remark(console, 'No session server runs.');
  }
  return ExitCode.done;
}

function pidOf({ backend }: Machine): number | undefined {
  return backend.host.server?.pid;
}

function knownPidOf(machine: Machine): number {
  const pid = pidOf(machine);
  if (pid === undefined) {
    throw new CliError(`The process of the session server on ${machine.socket} cannot be found.`);
  }
  return pid;
}
