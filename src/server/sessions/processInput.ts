import { WireCode, WireError } from '../../protocol/index.js';

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
