import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

import { delay, processExists } from '../../core/index.js';
import { findServers, type Machine } from '../../machine/index.js';
import { CliError, ExitCode } from '../exitCodes.js';
import { type Console, remark, say } from '../console.js';
import { withMachines } from '../machines.js';
import { isRunning, listSessions } from '../sessions/cliSession.js';

/** The time for a server to end, with all that runs there: more than the ladder of its own end takes. */
const END_LIMIT_MS = 30_000;
const LOOK_MS = 50;

/** Says which session servers run, and how many sessions each has. */
export function serverStatus(console: Console): Promise<number> {
  return withMachines(console, async (machines) => {
    if (machines.length === 0) {
      remark(console, 'No session server runs. The first session starts one.');
    }
    for (const machine of machines) {
      const sessions = await listSessions([machine]);
      const running = sessions.filter(isRunning).length;
      const pid = await pidOfServer(machine.socket);
      say(console, `${machine.socket}${pid === undefined ? '' : ` (pid ${pid})`}`);
      say(console, `  ${running} running, ${sessions.length - running} ended`);
    }
    return ExitCode.done;
  });
}

/** Ends all session servers, and the sessions with them. While sessions run, this needs `force`. */
export async function serverStop(console: Console, force: boolean): Promise<number> {
  const servers = await withMachines(console, async (machines) => {
    const running = (await listSessions(machines)).filter(isRunning).length;
    if (running > 0 && !force) {
      const what = running === 1 ? 'One session runs' : `${running} sessions run`;
      throw new CliError(`${what} and would end. Stop them first, or: exec-sessions server stop --force`);
    }
    return Promise.all(machines.map(({ socket }) => pidOf(socket)));
  });
  servers.forEach((pid) => process.kill(pid, 'SIGTERM'));
  if (servers.length === 0) {
    remark(console, 'No session server runs.');
    return ExitCode.done;
  }
  await untilGone(console, servers);
  return ExitCode.done;
}

async function pidOf(socket: Machine['socket']): Promise<number> {
  const pid = await pidOfServer(socket);
  if (pid === undefined) {
    throw new CliError(`The process of the session server on ${socket} cannot be found.`);
  }
  return pid;
}

async function untilGone(console: Console, pids: readonly number[]): Promise<void> {
  const { clock, env } = console;
  const limit = clock.now() + END_LIMIT_MS;
  while ((await findServers(env)).length > 0 || pids.some(processExists)) {
    if (clock.now() > limit) {
      throw new CliError(`The session server has not ended yet. End it with: kill -9 ${pids.join(' ')}`);
    }
    await delay(clock, LOOK_MS);
  }
}

/** The process of the session server on a socket; undefined if it cannot be found, as on Windows. */
async function pidOfServer(socket: string): Promise<number | undefined> {
  const commands = process.platform === 'linux' ? await commandsOfLinux() : await commandsOfPs();
  return commands.find(({ command }) => command.endsWith(` sessions --socket ${socket}`))?.pid;
}

interface Row {
  readonly pid: number;
  readonly command: string;
}

async function commandsOfLinux(): Promise<readonly Row[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return Promise.all(
    pids.map(async (name) => {
      // It may have ended since.
      const argv = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
      return { pid: Number(name), command: argv.replace(/\0$/, '').replaceAll('\0', ' ') };
    }),
  );
}

async function commandsOfPs(): Promise<readonly Row[]> {
  if (process.platform === 'win32') {
    return [];
  }
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,args='], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, command] = /^\s*(\d+) (.*)$/.exec(line) ?? [];
    return pid === undefined || command === undefined
      ? []
      : [{ pid: Number(pid), command: command.trimEnd() }];
  });
}
