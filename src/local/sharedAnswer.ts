import { delay, systemClock } from '../core/index.js';

/** A run may take any time on a machine that is busy with other work. */
const LONGEST_REST_MS = 50;

/**
 * Shares the answers of an operation that looks at the whole machine. Before each run there is a pause as long as the
 * last run. Otherwise, a stop of hundreds of processes would spend all its time on looks of about 10 ms.
 */
export function restingAnswer<T>(ask: () => Promise<T>): SharedAnswer<T> {
  const last = { at: 0, tookMs: 0 };
  const measured = async () => {
    const begun = performance.now();
    try {
      return await ask();
    } finally {
      last.at = performance.now();
      last.tookMs = Math.min(last.at - begun, LONGEST_REST_MS);
    }
  };
  return new SharedAnswer(measured, () => {
    const restMs = last.at + last.tookMs - performance.now();
    return restMs > 0 ? delay(systemClock, restMs) : undefined;
  });
}

/**
 * Runs an operation once for all callers that want it at the same time. No caller gets an answer that was begun before
 * its call. Calls during a run wait together for the next one.
 */
export class SharedAnswer<T> {
  readonly #ask: () => Promise<T>;
  readonly #rest: () => Promise<unknown> | undefined;
  /** Settles, and never rejects, when the current run has ended. */
  #asking: Promise<unknown> = Promise.resolve();
  #next: Promise<T> | undefined;

  /** @param rest A pause before each run, shared by all callers that arrive meanwhile. */
  constructor(ask: () => Promise<T>, rest: () => Promise<unknown> | undefined = () => undefined) {
    this.#ask = ask;
    this.#rest = rest;
  }

  /** @throws the error of the operation. */
  get(): Promise<T> {
    return (this.#next ??= this.#askNext());
  }

  async #askNext(): Promise<T> {
    await this.#asking;
    await this.#rest();
    this.#next = undefined;
    const answer = this.#ask();
    this.#asking = answer.catch(() => undefined);
    return answer;
  }
}
