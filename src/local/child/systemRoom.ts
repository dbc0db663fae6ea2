import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { OpenTerminals } from './openTerminals.js';

/** With this much room below a limit, other processes cannot use it up between a look and a fork. */
const PLENTY = 64;
/** A terminal takes a process and a thread. Other programs of the user may start as many at the same moment. */
const PROCESSES_NEEDED = 4;

/**
 * Makes sure that the system lets this process have another process and a thread. node-pty makes a thread for each
 * terminal after the fork. If it cannot, it aborts this process with all its sessions. Near a limit, some processes are
 * started as a test; otherwise a look takes 0.1 ms.
 *
 * @throws the error of the system if there is no room.
 */
export async function makeSureOfRoom(openTerminals: OpenTerminals): Promise<void> {
  if (process.platform === 'linux' && isLimitNear()) {
    await tryProcesses(openTerminals);
  }
}

function isLimitNear(): boolean {
  // All threads of the machine: at least as many as the user's.
  const threads = Number(/\/(\d+)/.exec(read('/proc/loadavg'))?.[1]);
  const limit = /^Max processes +(\d+)/m.exec(read('/proc/self/limits'))?.[1];
  return isNear(threads, Number(limit ?? Infinity)) || controlGroups().some(isGroupNear);
}

/** Unknown numbers are never near. */
function isNear(now: number, limit: number): boolean {
  return now + PLENTY > limit;
}

function isGroupNear(folder: string): boolean {
  const limit = read(path.join(folder, 'pids.max'));
  return /^\d/.test(limit) && isNear(Number(read(path.join(folder, 'pids.current'))), Number(limit));
}

/** The folders of the control groups that this process is in, the outermost last. Each may have a limit. */
function controlGroups(): readonly string[] {
  const [, version = '', group] = /^\d+:(|pids):(\/.*)$/m.exec(read('/proc/self/cgroup')) ?? [];
  if (group === undefined) {
    return [];
  }
  const root = path.join('/sys/fs/cgroup', version);
  const folders: string[] = [];
  for (let folder = path.join(root, group); folder.startsWith(root); folder = path.dirname(folder)) {
    folders.push(folder);
  }
  return folders;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** @throws the error of the system if it does not let this process have all of them at once. */
async function tryProcesses(openTerminals: OpenTerminals): Promise<void> {
  makeSureOfDescriptors();
  const tried = Array.from({ length: PROCESSES_NEEDED }, () =>
    spawn('/bin/sh', ['-c', 'read line'], {
      cwd: '/',
      env: {},
      detached: true,
      stdio: openTerminals.shield(['pipe', 'ignore', 'ignore']),
    }),
  );
  const ends = tried.map(untilGone);
  // They end with their input. A signal would not do: for a process without a number yet, it would go to our own group.
  tried.forEach((one) => one.stdin?.end());
  const refused = (await Promise.all(ends)).find((error) => error !== undefined);
  if (refused !== undefined) {
    throw refused;
  }
}

/** Resolves when a process has ended and freed its place, with the error if it could not even begin. */
function untilGone(child: ChildProcess): Promise<Error | undefined> {
  return new Promise((resolve) => {
    child.stdin?.on('error', () => undefined);
    child.once('error', resolve);
    child.once('exit', () => resolve(undefined));
  });
}

/**
 * The descriptors of a child whose connections Node makes. Each of its three streams takes a pair, and so does the
 * report of a failed exec. The rest is for files that the threads of this process open at the same moment.
 */
const DESCRIPTORS_NEEDED = 12;

/**
 * Makes sure that a child can be started whose standard streams Node makes. In a shortage Node 20 and 24 lose
 * descriptors for good. If they get only the pairs for the streams, our ends of these stay open without a handle to
 * close them.
 *
 * The check opens descriptors, which takes 12 µs. Counting the open ones would take a quarter of that, but works on
 * Linux only and does not tell the limit.
 *
 * @throws the error of the system if there are too few (`EMFILE`, or `ENFILE` for the whole machine).
 */
export function makeSureOfDescriptors(): void {
  if (process.platform === 'win32') {
    return; // Windows has no such limit.
  }
  const tried: number[] = [];
  try {
    for (let count = 0; count < DESCRIPTORS_NEEDED; count += 1) {
      tried.push(openSync('/dev/null', 'r'));
    }
  } finally {
    tried.forEach((descriptor) => closeSync(descriptor));
  }
}
