import { oneLine, shorten } from '../../core/index.js';
import type { SessionSnapshot } from '../list/index.js';
import { lookOf } from '../words/index.js';

/** The most names that can be on their way. A program may set any number of names between two looks. */
const MOST_SENT = 100;

/**
 * Tells names that a person has given a terminal from names that we gave it. VS Code has no event for either; it only
 * shows the current name. Our names come back some time after they were sent, and some are never seen.
 */
export class TabName {
  /** The names that were sent and may still come back, the newest last. */
  #sent: string[];
  #seen: string;

  /** @param initial The name from the terminal's creation. */
  constructor(initial: string) {
    this.#sent = [initial];
    this.#seen = initial;
  }

  /** We have given the terminal this name. */
  sent(name: string): void {
    this.#sent = [...this.#sent.slice(1 - MOST_SENT), name];
  }

  /**
   * Looks at the current name.
   *
   * @returns the new name that a person has given it, without our mark of the end; empty if the person has removed the
   *   name.
   */
  look(name: string): string | undefined {
    if (name === this.#seen) {
      return undefined;
    }
    this.#seen = name;
    if (this.#sent.at(-1) === name) {
      this.#sent = [name];
      return undefined;
    }
    return this.#sent.some((one) => one === name || processName(one) === name)
      ? undefined
      : name.replace(/^[✓✗■] /u, '').trim();
  }
}

/** The name that VS Code up to 1.100 makes of ours after reporting it. It takes our name for the name of a process. */
function processName(name: string): string {
  return (name.startsWith('/') ? name.split('/').at(-1) : name.split(' ')[0]) ?? name;
}

/** The most characters of a session's name in a terminal. */
export const NAME_LENGTH = 80;

/**
 * The name of a terminal: a mark of the end, then the user's title, else the program's, else the command line.
 *
 * @param programTitle The title that the program has given its window; empty for none.
 */
export function terminalLabel(snapshot: SessionSnapshot, programTitle: string): string {
  const label = oneLine(snapshot.title ?? (programTitle === '' ? snapshot.commandLine : programTitle));
  return endMark(snapshot) + shorten(label === '' ? snapshot.commandLine : label, NAME_LENGTH);
}

/** A session that a person stopped is not a failure, with any exit code. */
function endMark(session: SessionSnapshot): string {
  if (session.state === 'starting' || session.state === 'running') {
    return '';
  }
  const look = lookOf(session);
  return look === 'succeeded' ? '✓ ' : look === 'stopped' ? '■ ' : '✗ ';
}
