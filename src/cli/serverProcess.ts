import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** The process of the session server on a socket; undefined if it cannot be found, as on Windows. */
export async function pidOfServer(socket: string): Promise<number | undefined> {
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
