import { createHash } from 'node:crypto';

import type { WriteStatus } from '../../core/index.js';

/**
 * Remembers the writes of one process by the names that its client gave them: a client that has lost its connection
 * repeats what was not answered, and must not type it twice.
 */
export class WriteIds {
  readonly #limit: number;
  /** Oldest first. */
  readonly #outcomes = new Map<string, Promise<WriteStatus>>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Writes, unless it has been done under that name. One that was not accepted may be tried again.
   *
   * @returns what became of it, now or then.
   */
  once(writeId: string, write: () => Promise<WriteStatus>): Promise<WriteStatus> {
    const key = shortened(writeId);
    const known = this.#outcomes.get(key);
    if (known !== undefined) {
      return known;
    }
    const outcome = write();
    this.#outcomes.set(key, outcome);
    this.#forgetOldest();
    const forget = () => {
      if (this.#outcomes.get(key) === outcome) {
        this.#outcomes.delete(key);
      }
    };
    outcome.then((status) => status === 'accepted' || forget(), forget);
    return outcome;
  }

  #forgetOldest(): void {
    for (const oldest of this.#outcomes.keys()) {
      if (this.#outcomes.size <= this.#limit) {
        return;
      }
      this.#outcomes.delete(oldest);
    }
  }
}

/** A name can be megabytes long, and thousands of them are kept. */
const LONGEST_KEY = 80;

function shortened(writeId: string): string {
  return writeId.length <= LONGEST_KEY
    ? writeId
    : // Longer than the longest that is kept as it is, so that it cannot be mistaken for one of those.
      `${writeId.slice(0, LONGEST_KEY)} ${createHash('sha256').update(writeId).digest('hex')}`;
}
