import { randomUUID } from 'node:crypto';

import { type HostVariables, MARK_VARIABLE, type ProcessIdentity } from '../core/index.js';
import { bootId } from './bootId.js';
import { processNamespace } from './processNamespace.js';
import { startTimeOf } from './processTable.js';

/**
 * Children inherit the mark, so it finds what has left the POSIX session of its parent. systemd marks services in the
 * same way (INVOCATION_ID). Elsewhere nothing tells the variables of another process, so a mark would be
 * of no use there.
 */
export const CAN_FIND_MARKS = process.platform === 'linux';

/** The marks of one backend. Nobody else has the same ones; they are no secrets. */
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
 * The process that has given out a mark, which its session ends with.
 *
 * @returns undefined if that is none of this run of the machine, or of this container: its number means nothing here. A
 *   variable may outlast the machine in a file.
 */
export function holderOf(mark: string): ProcessIdentity | undefined {
  const [, pid, startTime = '', boot, namespace] = HOLDER.exec(mark) ?? [];
  const isHere = namespace === processNamespace() && boot === bootId();
  return isHere ? { pid: Number(pid), startTime } : undefined;
}

/** Whether a mark was given out before the machine was started: whoever has it now has it from a file. */
export function isOfAnotherBoot(mark: string): boolean {
  const [, , , boot] = HOLDER.exec(mark) ?? [];
  return boot !== undefined && boot !== bootId();
}

const HOLDER = /@(\d+)\.(\d+)\.([\da-f-]{36})\.(.+)$/s;

/**
 * The variables of a host as a child is to see them: the mark is one of them, so that a start gets it only if it
 * inherits variables of the host, and its policy can leave it out.
 */
export function hostWithMark(host: HostVariables, mark: string): HostVariables {
  return CAN_FIND_MARKS ? { ...host, [MARK_VARIABLE]: mark } : host;
}

/**
 * Replaces a mark that a start brings along: its client may itself run in a session, of ours or of another server.
 *
 * @returns the mark of the child; undefined if its variables are to have none.
 */
export function replaceMark(env: Record<string, string>, mark: string): string | undefined {
  if (!CAN_FIND_MARKS || !(MARK_VARIABLE in env)) {
    return undefined;
  }
  env[MARK_VARIABLE] = mark;
  return mark;
}

/**
 * The variables for a program of ours that serves more than one session, such as the guard or a server: it is not part
 * of the session that the program which starts it may have been started in.
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
  const prefix = `${MARK_VARIABLE}=`;
  const isFirst = environ.toString('latin1', 0, prefix.length) === prefix;
  const before = isFirst ? -1 : environ.indexOf(`\0${prefix}`);
  if (!isFirst && before < 0) {
    return undefined;
  }
  const start = before + 1 + prefix.length;
  const end = environ.indexOf(0, start);
  return environ.toString('utf8', start, end < 0 ? undefined : end);
}
