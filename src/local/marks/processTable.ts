import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

import { processExists, type ProcessIdentity } from '../../core/index.js';
import { restingAnswer } from '../sharedAnswer.js';

/** A process that runs or is stopped. A process that has ended and was not reaped (a zombie) is not listed. */
export interface ProcessRow {
  readonly pid: number;
  readonly ppid: number;
  /** Its process group. */
  readonly pgid: number;
  /** Its POSIX session. */
  readonly sid: number;
  /** The group in the foreground of its terminal; 0 or less if it has no terminal. */
  readonly foregroundPgid: number;
  /** Its start time, in a unit of the platform. Together with the pid it identifies a process for ever. */
  readonly startTime: string;
  /** Its name in the kernel, or its command line on systems that list only that. */
  readonly command: string;
}

/** The longest time for which a walk blocks this process, in milliseconds. */
const SLICE_MS = 5;

/** Lists all processes of this machine. */
export type ListProcesses = () => Promise<ProcessRow[]>;

const shared = restingAnswer(process.platform === 'linux' ? listFromProc : listFromPs);

/** The processes of this machine, as they are now or a moment later. Calls at the same time share one list. */
export function listProcesses(): Promise<ProcessRow[]> {
  return shared.get();
}

async function listFromProc(): Promise<ProcessRow[]> {
  const rows: ProcessRow[] = [];
  await forEachPid((pid) => {
    const row = readRow(pid);
    if (row !== undefined) {
      rows.push(row);
    }
  });
  return rows;
}

/**
 * Visits the numbers of all processes in Linux' /proc, in slices: 2,000 processes take about 60 ms. A process may have
 * ended before it is visited.
 *
 * @throws if /proc cannot be read, or does not show the processes that this one could signal.
 */
export async function forEachPid(visit: (pid: number) => void): Promise<void> {
  if (!canListProcesses()) {
    throw new Error('The processes cannot be listed: /proc is not that of this program');
  }
  await inSlices(readdirSync('/proc').map(Number).filter(Number.isInteger), visit);
}

/** Visits many items, and lets this process do its other work in between. */
export async function inSlices<Item>(items: Iterable<Item>, visit: (item: Item) => void): Promise<void> {
  let begun = performance.now();
  for (const item of items) {
    if (performance.now() - begun > SLICE_MS) {
      await setImmediate();
      begun = performance.now();
    }
    visit(item);
  }
}

/**
 * Whether processes can be listed at all, apart from a shortage. On Linux, /proc must show this process under its own
 * number. In a sandbox it may be empty, or show other processes, whose numbers have another meaning here.
 */
export function canListProcesses(): boolean {
  try {
    return process.platform !== 'linux' || readlinkSync('/proc/self') === String(process.pid);
  } catch {
    return false;
  }
}

/** Reads one process from Linux' /proc; undefined if there is no such process, or only a zombie. */
export function readRow(pid: number): ProcessRow | undefined {
  const stat = readStat(pid);
  if (stat === undefined) {
    return undefined; // It has ended since it was listed.
  }
  const { fields, command } = stat;
  const [state, ppid, pgid, sid, , foregroundPgid] = fields;
  // A zombie with threads is a process whose main thread has ended while others go on.
  if (state === 'X' || (state === 'Z' && Number(fields[17]) <= 1)) {
    return undefined;
  }
  return {
    pid,
    ppid: Number(ppid),
    pgid: Number(pgid),
    sid: Number(sid),
    foregroundPgid: Number(foregroundPgid),
    startTime: fields[19] ?? '',
    command,
  };
}

/** The start time of a process, even if it has ended and was not reaped yet; undefined where only a list would tell. */
export function startTimeOf(pid: number): string | undefined {
  return canListProcesses() ? readStat(pid)?.fields[19] : undefined;
}

/** Whether a process runs, and does not only wait to be reaped. Linux only. */
export function isAlive({ pid, startTime }: ProcessIdentity): boolean {
  return canListProcesses() && readRow(pid)?.startTime === startTime;
}

/**
 * Whether the process that a file names still runs. Where start times are not known, any process with its number counts.
 */
export function stillRuns({ pid, startTime }: Readonly<Record<string, unknown>>): boolean {
  return (
    typeof pid === 'number' &&
    pid > 0 &&
    (typeof startTime === 'string' && canListProcesses() ? isAlive({ pid, startTime }) : processExists(pid))
  );
}

/** The user of a process on Linux; undefined if there is no such process, or no /proc. */
export function ownerOf(pid: number): number | undefined {
  return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid;
}

/**
 * The fields of Linux' /proc/PID/stat from the state on, and the name before them; undefined if there is no such
 * process.
 */
export function readStat(
  pid: number,
): { readonly fields: readonly string[]; readonly command: string } | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // "pid (name) state ppid pgrp session tty tpgid …": the name may contain anything, so it ends at the last bracket.
  const nameEnd = stat.lastIndexOf(')');
  return { fields: stat.slice(nameEnd + 2).split(' '), command: stat.slice(stat.indexOf('(') + 1, nameEnd) };
}

/**
 * For macOS and others. Their `ps` does not report the POSIX session (macOS prints 0), so it is derived. A process
 * belongs to the session of its nearest ancestor that leads a group and a session. Without such an ancestor, it belongs
 * to the session of its group's leader.
 */
function listFromPs(): Promise<ProcessRow[]> {
  const columns = 'pid=,ppid=,pgid=,tpgid=,stat=,lstart=,command=';
  return new Promise((resolve, reject) => {
    // The dates are parsed in the form of the C locale.
    const options = { maxBuffer: 16 * 1024 * 1024, env: { ...process.env, LC_ALL: 'C' } };
    execFile('ps', ['-A', '-ww', '-o', columns], options, (error, stdout) => {
      const rows = error === null ? parsePs(stdout) : [];
      if (rows.length > 0) {
        resolve(rows);
      } else {
        reject(
          new Error(
            `The processes cannot be listed: ${error?.message ?? 'ps prints what is not known here'}`,
          ),
        );
      }
    });
  });
}

const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(-?\d+)\s+(\S+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/;

/** Exported for its test. */
export function parsePs(text: string): ProcessRow[] {
  const rows = text.split('\n').flatMap((line) => {
    const match = PS_LINE.exec(line);
    if (match === null) {
      return [];
    }
    const [, pid, ppid, pgid, tpgid, state = '', startTime = '', command = ''] = match;
    return state.startsWith('Z')
      ? []
      : [
          {
            pid: Number(pid),
            ppid: Number(ppid),
            pgid: Number(pgid),
            foregroundPgid: Number(tpgid),
            // `s` marks the leader of a session.
            leads: state.includes('s'),
            startTime,
            command,
          },
        ];
  });
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  return rows.map(({ leads, ...row }) => {
    let session: { pid: number; ppid: number; leads: boolean } | undefined = { ...row, leads };
    const seen = new Set<number>();
    while (session !== undefined && !session.leads && !seen.has(session.pid)) {
      seen.add(session.pid);
      session = byPid.get(session.ppid);
    }
    const sid = session?.leads === true && session.pid > 1 ? session.pid : row.pgid;
    return { ...row, sid };
  });
}
