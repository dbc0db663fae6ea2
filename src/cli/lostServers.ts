import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { socketPlaces } from '../machine/index.js';
import type { Console } from './console.js';

/** A session server that runs, and cannot be reached for some seconds. */
interface LostServer {
  readonly pid: number;
  readonly socket: string;
}

/**
 * The session servers whose sockets have been removed, as their command lines name them. Windows has no such files.
 *
 * @param known The processes of the servers that can be reached.
 */
export async function lostServers(
  { env }: Pick<Console, 'env'>,
  known: readonly (number | undefined)[],
): Promise<readonly LostServer[]> {
  // The folder of the variable may have gone with the socket.
  const folders = [...socketPlaces(env).folders, path.join(env['XDG_RUNTIME_DIR'] ?? '', 'exec-sessions')];
  const commands = process.platform === 'linux' ? await commandsOfLinux() : await commandsOfPs();
  return commands.flatMap(({ pid, command }) => {
    const [, socket = ''] = / sessions --socket (\/.+)$/.exec(command) ?? [];
    const isLost = folders.includes(path.dirname(socket)) && !existsSync(socket) && !known.includes(pid);
    return isLost ? [{ pid, socket }] : [];
  });
}

interface Row {
  readonly pid: number;
  readonly command: string;
}

async function commandsOfLinux(): Promise<readonly Row[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name));
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
