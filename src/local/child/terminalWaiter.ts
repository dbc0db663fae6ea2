import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';

import { type ProcessRow, readRow } from '../marks/processTable.js';
import { readOutput } from '../stop/holders.js';

/** The most processes that one look visits. Above that it cannot tell. */
const MOST_PROCESSES = 256;
/** The most descriptors of a `poll` or `select` that are looked at. */
const MOST_DESCRIPTORS = 1_024;
const POLLFD_BYTES = 8;
/** A process with a stack below this address is one of 32 bits, whose system calls have other numbers. */
const LOWEST_64_BIT_STACK = 2 ** 32;
/** The name of a process's own terminal. */
const OWN_TERMINAL = '/dev/tty';

/** The system calls in which a process waits for input, by their numbers. */
type Waits = ReadonlyMap<number, 'read' | 'poll' | 'select' | 'epoll' | 'unknown'>;

const WAITS: Partial<Record<NodeJS.Architecture, Waits>> = {
  x64: new Map([
    [0, 'read'],
    [19, 'read'],
    [7, 'poll'],
    [271, 'poll'],
    [23, 'select'],
    [270, 'select'],
    [232, 'epoll'],
    [281, 'epoll'],
    [441, 'epoll'],
    [426, 'unknown'],
  ]),
  arm64: new Map([
    [63, 'read'],
    [65, 'read'],
    [73, 'poll'],
    [72, 'select'],
    [22, 'epoll'],
    [441, 'epoll'],
    [426, 'unknown'],
  ]),
};

/**
 * Whether a program waits for input from its terminal now. Linux tells: a thread of the foreground group then sits in a
 * system call that waits for the terminal. Looks at the leader of the POSIX session and its descendants, never at all
 * processes. One file of `/proc` costs some 15 us, and each thread needs three.
 *
 * @param leader The leader of the terminal's session.
 * @param links The terminal, as `terminalLinks` names it.
 * @returns undefined if it cannot be told: on other systems, for processes of other users such as `sudo`, and for
 *   waits that do not say for what.
 */
export function waitsForTerminal(leader: number, links: ReadonlySet<string>): boolean | undefined {
  const waits = process.platform === 'linux' ? WAITS[process.arch] : undefined;
  const first = readRow(leader);
  if (waits === undefined || first === undefined) {
    return undefined;
  }
  const isTerminal = (row: ProcessRow, fd: number) => {
    const file = readOutput(row.pid, fd);
    return file !== undefined && (links.has(file) || (file === OWN_TERMINAL && row.sid === first.sid));
  };
  let unknown = false;
  const queue = [first];
  for (const row of queue) {
    const look = lookAt(row, waits, (fd) => isTerminal(row, fd), mayRead(row, first));
    if (look.waits === true) {
      return true;
    }
    unknown ||= look.waits === undefined;
    queue.push(...look.children.flatMap((pid) => readRow(pid) ?? []));
    if (queue.length > MOST_PROCESSES) {
      return undefined;
    }
  }
  return unknown ? undefined : false;
}

/** A process of the session in the background would be stopped for a read; one of another session is not. */
function mayRead({ pgid, sid }: ProcessRow, leader: ProcessRow): boolean {
  return pgid === leader.foregroundPgid || sid !== leader.sid;
}

interface Look {
  readonly waits: boolean | undefined;
  readonly children: readonly number[];
}

function lookAt({ pid }: ProcessRow, waits: Waits, isTerminal: (fd: number) => boolean, may: boolean): Look {
  const children: number[] = [];
  let unknown = false;
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const folder = `/proc/${pid}/task/${thread}`;
      const found = may
        ? threadWaits(pid, readFileSync(`${folder}/syscall`, 'latin1'), waits, isTerminal)
        : false;
      if (found === true) {
        return { waits: true, children };
      }
      unknown ||= found === undefined;
      children.push(...numbersIn(readFileSync(`${folder}/children`, 'latin1')));
    }
  } catch {
    // It has ended, or may not be looked at.
    unknown ||= readRow(pid) !== undefined;
  }
  return { waits: unknown ? undefined : false, children };
}

/** @param syscall Number, six arguments, stack and program counter; or `running`, or -1 outside of a system call. */
function threadWaits(
  pid: number,
  syscall: string,
  waits: Waits,
  isTerminal: (fd: number) => boolean,
): boolean | undefined {
  const [number = -1, first = 0, second = 0, , , , , stack = 0] = numbersIn(syscall);
  if (stack > 0 && stack < LOWEST_64_BIT_STACK) {
    return undefined;
  }
  switch (waits.get(number)) {
    case 'read':
      return isTerminal(first);
    case 'poll':
      return polled(pid, first, second).some(isTerminal);
    case 'select':
      return selected(pid, first, second).some(isTerminal);
    case 'epoll':
      return epolled(pid, first).some(isTerminal);
    case 'unknown':
      return undefined;
    case undefined:
      return false;
  }
}

/** The descriptors of an array of `struct pollfd` from which input is wanted. */
function polled(pid: number, address: number, count: number): number[] {
  const bytes = memoryOf(pid, address, Math.min(count, MOST_DESCRIPTORS) * POLLFD_BYTES);
  const found: number[] = [];
  for (let at = 0; at < bytes.length; at += POLLFD_BYTES) {
    if ((bytes.readInt16LE(at + 4) & POLLIN) !== 0) {
      found.push(bytes.readInt32LE(at));
    }
  }
  return found;
}

const POLLIN = 1;

/** The descriptors of the first set of `select`. */
function selected(pid: number, count: number, address: number): number[] {
  const most = Math.min(count, MOST_DESCRIPTORS);
  const bytes = address === 0 ? Buffer.alloc(0) : memoryOf(pid, address, Math.ceil(most / 8));
  return Array.from({ length: most }, (_, fd) => fd).filter((fd) => ((bytes[fd >> 3] ?? 0) >> (fd & 7)) & 1);
}

/** The descriptors that an epoll watches for input. */
function epolled(pid: number, epoll: number): number[] {
  const text = readFileSync(`/proc/${pid}/fdinfo/${epoll}`, 'latin1');
  return [...text.matchAll(/^tfd:\s*(\d+)\s+events:\s*([0-9a-f]+)/gm)].flatMap(([, fd, events]) =>
    (Number.parseInt(events ?? '', 16) & POLLIN) !== 0 ? Number(fd) : [],
  );
}

function memoryOf(pid: number, address: number, size: number): Buffer {
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  try {
    const bytes = Buffer.alloc(size);
    return bytes.subarray(0, readSync(memory, bytes, 0, size, address));
  } finally {
    closeSync(memory);
  }
}

/** Reads decimal and hexadecimal numbers; `running` is not one. */
function numbersIn(text: string): number[] {
  return text.split(/\s+/).flatMap((word) => (word === '' || Number.isNaN(Number(word)) ? [] : Number(word)));
}
