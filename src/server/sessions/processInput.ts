import { createHash } from 'node:crypto';

import { WireCode, WireError } from '../../protocol/index.js';
import type { WriteStatus } from '../../core/index.js';

interface Task {
  run(): void;
  /** Settles when the next task may begin. */
  done: Promise<unknown>;
}

/** The input of one process: runs tasks one after the other, in the order of their arrival. */
export class ProcessInput {
  readonly #waiting: Task[] = [];
  #busy = false;

  /**
   * Runs a task, at once if no other one is running, so that later calls come after it.
   *
   * @param signal Aborted when the connection of the request ends: a task that still waits is dropped. Its client got
   *   no answer, and repeats the request.
   * @throws WireError if the task was dropped.
   */
  run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const drop = () => {
        const index = this.#waiting.indexOf(entry);
        if (index >= 0) {
          this.#waiting.splice(index, 1);
          reject(
            new WireError(WireCode.internal, 'the connection ended before this was given to the process'),
          );
        }
      };
      const entry: Task = {
        done: Promise.resolve(),
        run: () => {
          signal.removeEventListener('abort', drop);
          const outcome = task();
          entry.done = outcome.catch(() => undefined);
          outcome.then(resolve, reject);
        },
      };
      signal.addEventListener('abort', drop);
      this.#waiting.push(entry);
      if (!this.#busy) {
        void this.#work();
      }
    });
  }

  async #work(): Promise<void> {
    this.#busy = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      next.run();
      await next.done;
    }
    this.#busy = false;
  }
}

/**
 * Remembers the writes of one process by the ids that its client gave them. A client that has lost its connection
 * repeats writes without an answer, and these must not be typed twice.
 */
export class WriteIds {
  readonly #limit: number;
  /** The outcomes of writes by their ids, oldest first. */
  readonly #outcomes = new Map<string, Promise<WriteStatus>>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Writes, unless there was a write with that id. One that was not accepted may be tried again.
   *
   * @returns the outcome, of this write or of the earlier one.
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

/** The longest id that is kept unchanged: an id can be megabytes long, and thousands of them are kept. */
const LONGEST_KEY = 80;

function shortened(writeId: string): string {
  return writeId.length <= LONGEST_KEY
    ? writeId
    : // A shortened id is longer than any that is kept unchanged, so that it cannot be mistaken for one of those.
      `${writeId.slice(0, LONGEST_KEY)} ${createHash('sha256').update(writeId).digest('hex')}`;
}
