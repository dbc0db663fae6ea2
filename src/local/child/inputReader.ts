import { closeSync, openSync, readdirSync, readSync } from 'node:fs';

import { type ProcessRow, readRow } from '../marks/processTable.js';

/** The most processes that one look visits. Above that it cannot tell. */
const MOST_PROCESSES = 256;
/** The most descriptors of a `poll` or `select` that are looked at. */
const MOST_DESCRIPTORS = 1_024;
const POLLFD_BYTES = 8;
/** A process with a stack below this address is one of 32 bits, whose system calls have other numbers. */
const LOWEST_64_BIT_STACK = 2 ** 32;
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

/** Linux tells: a thread sits in a system call that waits for the input. */
export interface InputLook {
  /** The one that reads, or else one that waits for it among other things. */
  readonly reader: InputReader | undefined;
  /** Whether somebody may wait who cannot be seen: a program of another user such as `sudo`, or of another system. */
  readonly unknown: boolean;
  /** The processes that may read. */
  readonly pids: readonly number[];
}

export interface InputReader {
  readonly pid: number;
  readonly thread: number;
  /** `read` is also a wait for descriptor 0 alone, as of bash's `read -t`. */
  readonly way: 'read' | 'poll';
}

/** Whether a descriptor of a process is the input. */
export type IsInput = (row: ProcessRow, fd: number) => boolean;

interface Member {
  readonly row: ProcessRow;
  readonly threads: readonly string[];
}

/**
 * Finds who waits for the input of a session: its leader or a descendant, never a look at all processes. One file of
 * `/proc` costs some 15 us, and each thread needs two.
 *
 * @returns undefined if the leader has ended.
 */
export function lookForReader(leader: number, isInput: IsInput): InputLook | undefined {
  const first = readRow(leader);
  if (first === undefined) {
    return undefined;
  }
  const { members, all } = membersFrom(first);
  const readers = members.filter(({ row }) => mayRead(row, first));
  const pids = readers.map(({ row }) => row.pid);
  let unknown = !all;
  let reader: InputReader | undefined;
  for (const { row, threads } of readers) {
    for (const thread of threads) {
      const way = wayOf(row, thread, (fd) => isInput(row, fd));
      unknown ||= way === 'unknown';
      if (way === 'read' || (way === 'poll' && reader === undefined)) {
        reader = { pid: row.pid, thread: Number(thread), way };
      }
      if (way === 'read') {
        return { reader, unknown, pids };
      }
    }
  }
  return { reader, unknown, pids };
}

/** The leader and its descendants; `all` is false if there are too many. */
function membersFrom(first: ProcessRow): { readonly members: readonly Member[]; readonly all: boolean } {
  const members: Member[] = [];
  const queue = [first];
  for (const row of queue) {
    if (members.length === MOST_PROCESSES) {
      return { members, all: false };
    }
    try {
      const threads = readdirSync(`/proc/${row.pid}/task`);
      members.push({ row, threads });
      const children = threads.flatMap((thread) => numbersIn(procFile(`${row.pid}/task/${thread}/children`)));
      queue.push(...children.flatMap((pid) => readRow(pid) ?? []));
    } catch {
      // It has ended.
    }
  }
  return { members, all: true };
}

/**
 * A process of the session in the background would be stopped for a read; one of another session is not. Without a
 * terminal there is no background.
 */
function mayRead({ pgid, sid }: ProcessRow, leader: ProcessRow): boolean {
  return leader.foregroundPgid <= 0 || pgid === leader.foregroundPgid || sid !== leader.sid;
}

/** How a thread waits for the input, if it does. */
function wayOf(
  { pid }: ProcessRow,
  thread: string,
  isInput: (fd: number) => boolean,
): InputReader['way'] | 'unknown' | undefined {
  try {
    // Number, six arguments, stack and program counter; or `running`, or -1 outside of a system call.
    const syscall = numbersIn(procFile(`${pid}/task/${thread}/syscall`));
    const [number = -1, first = 0, second = 0, , , , , stack = 0] = syscall;
    const waits = WAITS[process.arch];
    if (waits === undefined || (stack > 0 && stack < LOWEST_64_BIT_STACK)) {
      return 'unknown';
    }
    const way = waits.get(number);
    if (way === 'read' || (way === 'select' && first === 1)) {
      return isInput(way === 'read' ? first : 0) ? 'read' : undefined;
    }
    const among =
      way === 'poll'
        ? polled(pid, first, second)
        : way === 'select'
          ? selected(pid, first, second)
          : way === 'epoll'
            ? epolled(pid, first)
            : [];
    return way === 'unknown' ? way : among.some(isInput) ? 'poll' : undefined;
  } catch {
    // It has ended, or may not be looked at.
    return readRow(pid) === undefined ? undefined : 'unknown';
  }
}

/** How often a thread has begun to wait. As long as this number is the same, it waits on. */
export function waitsBegun({ pid, thread }: InputReader): string | undefined {
  return statusOf(`${pid}/task/${thread}`, /^voluntary_ctxt_switches:\s*(\d+)/m);
}

/** Whether a process is a shell with job control. It ignores Ctrl+Z, which is for its jobs. */
export function hasJobControl(pid: number): boolean {
  const ignored = statusOf(`${pid}`, /^SigIgn:\s*([0-9a-f]+)/m) ?? '0';
  return (BigInt(`0x${ignored}`) & SIGTSTP_BIT) !== 0n;
}

const SIGTSTP_BIT = 1n << 19n;

/** A value in the status of a process or a thread; undefined if it has ended. */
function statusOf(task: string, value: RegExp): string | undefined {
  try {
    return value.exec(procFile(`${task}/status`))?.[1];
  } catch {
    return undefined;
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
  const text = procFile(`${pid}/fdinfo/${epoll}`);
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

/** One buffer for all small files of `/proc`. With `readFileSync` a look takes half as long again. */
const buffer = Buffer.allocUnsafeSlow(64 * 1024);

function procFile(name: string): string {
  const file = openSync(`/proc/${name}`, 'r');
  try {
    return buffer.toString('latin1', 0, readSync(file, buffer));
  } finally {
    closeSync(file);
  }
}

/** Reads decimal and hexadecimal numbers; `running` is not one. */
function numbersIn(text: string): number[] {
  return text.split(/\s+/).flatMap((word) => (word === '' || Number.isNaN(Number(word)) ? [] : Number(word)));
}
