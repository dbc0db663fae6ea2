import { randomUUID } from 'node:crypto';

import { type HostVariables, MARK_VARIABLE, type ProcessIdentity } from '../../core/index.js';
import { bootId, processNamespace } from './processPlace.js';
import { startTimeOf } from './processTable.js';

/**
 * Children inherit the mark, so it finds processes that have left the POSIX session of their parent. systemd marks
 * services in the same way (INVOCATION_ID). On other systems the variables of another process cannot be read, so a mark
 * would be useless.
 */
export const CAN_FIND_MARKS = process.platform === 'linux';

/** The marks of one backend. They are unique, but not secret. */
export class SessionMarks {
  readonly #backend = randomUUID();
  readonly #holder = `${process.pid}.${startTimeOf(process.pid) ?? ''}.${bootId()}.${processNamespace()}`;
  #count = 0;

  next(): string {
    this.#count += 1;
    return `${this.#backend}/${this.#count}@${this.#holder}`;
  }
}

/**
 * The process that has given out a mark; its session ends with that process.
 *
 * @returns undefined if the mark is from another run of the machine, or from another container: its number means
 *   nothing here. A variable may outlast the machine in a file.
 */
export function holderOf(mark: string): ProcessIdentity | undefined {
  const [, pid, startTime = '', boot, namespace] = HOLDER.exec(mark) ?? [];
  const isHere = namespace === processNamespace() && boot === bootId();
  return isHere ? { pid: Number(pid), startTime } : undefined;
}

/** Whether a mark was given out before the machine started. A process that has it now got it from a file. */
export function isOfAnotherBoot(mark: string): boolean {
  const [, , , boot] = HOLDER.exec(mark) ?? [];
  return boot !== undefined && boot !== bootId();
}

const HOLDER = /@(\d+)\.(\d+)\.([\da-f-]{36})\.(.+)$/s;

/**
 * The variables of a host as a child should see them. The mark is one of them: a start gets it only if it inherits
 * variables of the host, and its policy can leave it out.
 */
export function hostWithMark(host: HostVariables, mark: string): HostVariables {
  return CAN_FIND_MARKS ? { ...host, [MARK_VARIABLE]: mark } : host;
}

/**
 * Replaces a mark that a start brings along: its client may itself run in a session, of ours or of another server.
 *
 * @returns the mark of the child; undefined if its variables should have no mark.
 */
export function replaceMark(env: Record<string, string>, mark: string): string | undefined {
  if (!CAN_FIND_MARKS || !(MARK_VARIABLE in env)) {
    return undefined;
  }
  env[MARK_VARIABLE] = mark;
  return mark;
}

/**
 * The variables for a program of ours that serves more than one session, such as the guard or a server. It may be
 * started from within a session, but is not part of that session.
 */
export function withoutMark(env: HostVariables): HostVariables {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name !== MARK_VARIABLE));
}

/**
 * Finds the mark among the variables of a process.
 *
 * @param environ The variables as Linux shows them: each ends with a NUL.
 */
export function markIn(environ: Buffer): string | undefined {
  return variableIn(environ, MARK_VARIABLE);
}

/** Finds another variable in the same way. */
export function variableIn(environ: Buffer, name: string): string | undefined {
  const prefix = `${name}=`;
  const isFirst = environ.toString('latin1', 0, prefix.length) === prefix;
  const before = isFirst ? -1 : environ.indexOf(`\0${prefix}`);
  if (!isFirst && before < 0) {
    return undefined;
  }
  const start = before + 1 + prefix.length;
  const end = environ.indexOf(0, start);
  return environ.toString('utf8', start, end < 0 ? undefined : end);
}
