import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { delay, systemClock } from '../core/index.js';
import { SharedAnswer } from './sharedAnswer.js';

/** A process that runs or is stopped; one that has ended and was not collected (a zombie) is not listed. */
export interface ProcessRow {
  readonly pid: number;
  readonly ppid: number;
  /** Its process group. */
  readonly pgid: number;
  /** Its POSIX session. */
  readonly sid: number;
  /** The group in the foreground of its terminal; 0 or less if it has none. */
  readonly foregroundPgid: number;
  /** When it began, in a unit of the platform: with the pid it tells one process from another for ever. */
  readonly startTime: string;
  /** What the kernel calls it, or its command line where that is what there is. */
  readonly command: string;
}

/** Lists all processes of this machine. */
export type ListProcesses = () => Promise<ProcessRow[]>;

/** On a machine that is busy with something else a list may take any time. */
const LONGEST_REST_MS = 50;

const list: ListProcesses = process.platform === 'linux' ? listFromProc : listFromPs;

/** When the last list was complete, and how long it took, in milliseconds. */
const last = { at: 0, tookMs: 0 };

const shared = new SharedAnswer(listAndMeasure, () => {
  // As long a rest as the work: who stops hundreds at once would do nothing but read lists, some 10 ms each.
  const restMs = last.at + last.tookMs - performance.now();
  return restMs > 0 ? delay(systemClock, restMs) : undefined;
});

async function listAndMeasure(): Promise<ProcessRow[]> {
  const begun = performance.now();
  try {
    return await list();
  } finally {
    last.at = performance.now();
    last.tookMs = Math.min(last.at - begun, LONGEST_REST_MS);
  }
}

/** The list for this platform, as it is now or a moment later. Who asks at the same time gets the same one. */
export function listProcesses(): Promise<ProcessRow[]> {
  return shared.get();
}

async function listFromProc(): Promise<ProcessRow[]> {
  const rows: ProcessRow[] = [];
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const row = Number.isInteger(pid) ? readRow(pid) : undefined;
    if (row !== undefined) {
      rows.push(row);
    }
  }
  return Promise.resolve(rows);
}

/** Reads one process from Linux' /proc; undefined if there is none, or only a zombie. */
function readRow(pid: number): ProcessRow | undefined {
  const stat = readStat(pid);
  if (stat === undefined) {
    return undefined; // It has ended since it was listed.
  }
  const { fields, command } = stat;
  const [state, ppid, pgid, sid, , foregroundPgid] = fields;
  // A zombie with threads is a process whose main thread has ended and the others have not.
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

/** When a process began, also if it has ended and was not collected yet; undefined where only a list would tell. */
export function startTimeOf(pid: number): string | undefined {
  return readStat(pid)?.fields[19];
}

/**
 * What people call a process: the name of its program. A list has only what the kernel calls it, which may be the name of
 * a thread (`MainThread` for Node 24). Its arguments are left out: they may be secret.
 */
export function programName({ pid, command }: ProcessRow): string {
  try {
    const [program = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return path.basename(program) || command;
  } catch {
    return command;
  }
}

function readStat(pid: number): { readonly fields: readonly string[]; readonly command: string } | undefined {
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
 * macOS and others. Their `ps` does not tell the POSIX session (macOS prints 0), so it is worked out: a process belongs
 * to the session of its ancestor that leads a group and a session, as far as the parents are still there, and otherwise
 * to that of its group's leader.
 */
function listFromPs(): Promise<ProcessRow[]> {
  const columns = 'pid=,ppid=,pgid=,tpgid=,stat=,lstart=,command=';
  return new Promise((resolve, reject) => {
    // The dates are read by their form, which is that of the C locale.
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
