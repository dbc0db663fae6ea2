import { readFileSync } from 'node:fs';

import { AGENT_PROGRAMS, type SightingKind } from '../../core/index.js';
import { argumentsOf } from '../marks/commandName.js';
import { forEachPid, ownerOf, type ProcessRow, readRow } from '../marks/processTable.js';
import { markIn, variableIn } from '../marks/sessionMark.js';
import type { Belonging, OwnerFacts } from './owners.js';
import { type Role, roleOf } from './role.js';

/** A process as far as the looks have read it. Nothing else of its variables is kept. */
export interface SeenProcess extends ProcessRow, OwnerFacts, Role {
  /** Whether it belongs to this user. */
  readonly isOwn: boolean;
  /** Whether it is old enough to be shown, and to have become the program that it was started for. */
  readonly isSettled: boolean;
  /** These facts do not change while it runs the same program. Later looks fill them in. */
  shown?: Shown;
  remembered?: Belonging | undefined;
}

/** The facts that are read of a process once it has a row. */
export interface Shown {
  readonly kind: SightingKind;
  readonly command: string;
  readonly startedAt: number | undefined;
}

/** Younger processes may be short commands, in ticks of start times. */
const SETTLED_TICKS = 200;
/** Each look reads one of so many old processes again: another one may have its number, or another program runs in it. */
const TURNS = 32;

const MARKS = AGENT_PROGRAMS.flatMap(({ id, mark }) => (mark === undefined ? [] : [{ agent: id, mark }]));
/** The longest value of a mark that counts. */
const LONGEST_MARK = 100;

/** The processes of this machine, with as little reading as will do. */
export class SeenProcesses {
  readonly #seen = new Map<number, SeenProcess>();
  /** The numbers of those that have ended and were not reaped. */
  #ended: ReadonlySet<number> = new Set();
  #look = 0;

  /**
   * Reads new and young processes, those with a terminal, those that are watched, and a few of the others.
   *
   * @throws Error if the processes cannot be listed.
   */
  async look(isWatched: (pid: number) => boolean): Promise<ReadonlyMap<number, SeenProcess>> {
    const gone = new Set(this.#seen.keys());
    const now = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * 100;
    const ended = new Set<number>();
    this.#look += 1;
    await forEachPid((pid) => {
      const known = this.#seen.get(pid);
      const isOld = known?.isSettled ?? this.#ended.has(pid);
      const isTurn = !isOld || (pid + this.#look) % TURNS === 0;
      const isRead = isTurn || (known?.isOwn === true && known.foregroundPgid > 0) || isWatched(pid);
      const seen = isRead ? readProcess(pid, known, now) : known;
      if (seen === undefined) {
        ended.add(pid);
      } else {
        gone.delete(pid);
        this.#seen.set(pid, seen);
      }
    });
    gone.forEach((pid) => this.#seen.delete(pid));
    this.#ended = ended;
    return this.#seen;
  }
}

/** @param now In ticks since the start of the machine. */
function readProcess(pid: number, known: SeenProcess | undefined, now: number): SeenProcess | undefined {
  const row = readRow(pid);
  if (row === undefined) {
    return undefined;
  }
  const before = known?.startTime === row.startTime ? known : undefined;
  // Another program in its place has another name in nearly all cases.
  if (before?.isSettled === true && before.command === row.command) {
    return Object.assign(before, row);
  }
  const isOwn = ownerOf(pid) === process.geteuid?.();
  const role = roleOf(isOwn ? argumentsOf(pid) : [], row.command);
  const environ = isOwn ? environOf(pid) : Buffer.alloc(0);
  return {
    ...row,
    ...role,
    // An agent may give itself any name later.
    agent: (before?.isSettled === true ? before.agent : undefined) ?? role.agent,
    isBorder: role.isBorder || pid === 1,
    isOurs: role.isOwnProgram || markIn(environ) !== undefined,
    marks: MARKS.flatMap(({ agent, mark }) => {
      const value = variableIn(environ, mark)?.slice(0, LONGEST_MARK);
      return value ? [{ agent, value }] : [];
    }),
    isOwn,
    isSettled: now - Number(row.startTime) > SETTLED_TICKS,
    remembered: before?.remembered,
  };
}

function environOf(pid: number): Buffer {
  try {
    return readFileSync(`/proc/${pid}/environ`);
  } catch {
    return Buffer.alloc(0); // It has ended, or cannot be read.
  }
}
