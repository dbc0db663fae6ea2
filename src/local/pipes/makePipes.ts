import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, closeSync, constants, open as openCallback, readlinkSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';

import { onAbort } from '../../core/index.js';
import { makeSureOfDescriptors } from '../child/systemRoom.js';
import type { OpenTerminals } from '../child/openTerminals.js';
import { killGroup } from '../stop/posixSession.js';
import { Pipe } from './pipe.js';

/**
 * Makes that many pipes, or as many as possible (perhaps none). Rejects if it cannot even try, or if `signal` ends the
 * attempt.
 */
export type MakePipes = (count: number, signal: AbortSignal) => Promise<Pipe[]>;

const open = promisify(openCallback);

/**
 * A script for bash that makes `$1` pipes and prints the descriptor of each. It ends its output when all pipes exist,
 * and keeps them until its input ends. From bash 5.1 on, a here-string is a pipe and takes 0.1 ms. In older versions it
 * is a file; the script then uses a process substitution, which is always a pipe and takes 0.6 ms.
 */
const MAKE = `
fromText() { exec {fd}<<<'' && read -r -u "$fd" && [[ -p /proc/self/fd/$fd ]]; }
fromProcess() { exec {fd}< <(:); }
make=fromText
for ((made = 0; made < $1; made++)); do
  $make || { make=fromProcess; $make; } || break
  echo "$fd"
done
exec >&-
read -r
`;

/** The most pipes that are made at once, and that wait for their use: each takes two descriptors. */
export const MOST_PIPES = 64;
/** A bash that has not ended by then, in milliseconds, never will. */
const ANSWER_MS = 10_000;
/** The most characters of a descriptor, including the end of the line. */
const LONGEST_LINE = 12;
/** The folders that are searched first: another bash on the PATH may be a script from the project. */
const SYSTEM_FOLDERS = ['/bin', '/usr/bin'];

/**
 * The way in which this machine makes anonymous pipes; Node itself cannot make them. Children of Node get socket pairs:
 * Linux refuses to open these by name (`/dev/stderr`), and small writes fill the kernel's buffer early. Here bash makes
 * the pipes, and they are opened through `/proc`. FIFOs would not do: one that was closed blocks the next process that
 * opens it.
 *
 * @param bash By default the system's bash, or else the one on the PATH.
 * @returns undefined if this machine has no bash, or no `/proc` like Linux' that shows our own process numbers.
 */
export function pipeMaker(
  openTerminals: OpenTerminals,
  bash = findBash(),
  proc = '/proc',
): MakePipes | undefined {
  if (process.platform !== 'linux' || !knowsUs(proc) || bash === undefined) {
    return undefined;
  }
  return (count, signal) => makePipes(bash, Math.min(count, MOST_PIPES), signal, openTerminals);
}

async function makePipes(
  bash: string,
  count: number,
  signal: AbortSignal,
  openTerminals: OpenTerminals,
): Promise<Pipe[]> {
  signal.throwIfAborted();
  makeSureOfDescriptors();
  // With -p and --norc bash reads no file, and no variables that would change what the script means.
  const maker = spawn(bash, ['--norc', '-p', '-c', MAKE, 'pipes', String(count)], {
    cwd: '/',
    env: {},
    // Signals from a keyboard are not meant for it. A group of its own can also be killed as a whole, in case this bash
    // is a script that runs other programs.
    detached: true,
    stdio: openTerminals.shield(['pipe', 'pipe', 'ignore']),
  });
  const { pid, stdin, stdout } = maker;
  if (pid === undefined || stdin === null || stdout === null) {
    const [error] = (await once(maker, 'error')) as [Error];
    throw error;
  }
  const gone = new Promise<void>((resolve) => maker.once('exit', () => resolve()));
  stdin.on('error', () => undefined);
  const end = () => {
    killGroup(pid, 'SIGKILL');
    // A process that left the group may hold it open for ever.
    stdout.destroy();
  };
  const timer = setTimeout(end, ANSWER_MS);
  const aborted = onAbort(signal, end);
  try {
    const descriptors = await readDescriptors(stdout, count);
    const opened = await Promise.allSettled(descriptors.map((fd) => openPipe(`/proc/${pid}/fd/${fd}`)));
    stdin.end();
    // While bash holds the read ends open, a write does not fail after a child has closed its input.
    await gone;
    return opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  } catch (error) {
    end();
    throw error;
  } finally {
    clearTimeout(timer);
    aborted.dispose();
  }
}

/** @throws Error if that is anything else than one descriptor a line, or if the output does not end by itself. */
async function readDescriptors(stdout: Readable, count: number): Promise<readonly string[]> {
  let said = '';
  for await (const part of stdout.setEncoding('utf8')) {
    said += String(part);
    if (!/^[\d\n]*$/.test(said) || said.length > count * LONGEST_LINE) {
      throw new Error('This is not the answer of bash.');
    }
  }
  return said.split('\n').filter(Boolean);
}

/** @throws Error if one of the ends cannot be opened, for example for want of descriptors. */
async function openPipe(file: string): Promise<Pipe> {
  const readEnd = await open(file, constants.O_RDONLY);
  try {
    return new Pipe(readEnd, await open(file, constants.O_WRONLY));
  } catch (error) {
    closeSync(readEnd);
    throw error;
  }
}

/**
 * Whether a `/proc` has our own number for this process. A container may have kept the `/proc` of its host. There, one
 * of our numbers is a stranger's, and the stranger's files would be opened.
 */
function knowsUs(proc: string): boolean {
  try {
    return readlinkSync(path.join(proc, 'self')) === String(process.pid);
  } catch {
    return false;
  }
}

/** @returns undefined if this machine has none. */
export function findBash(): string | undefined {
  // The current directory may be a stranger's.
  return [...SYSTEM_FOLDERS, ...(process.env['PATH'] ?? '').split(':')]
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, 'bash'))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
