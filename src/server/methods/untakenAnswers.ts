import { type Clock, Queue } from '../../core/index.js';
import type { ConnectionContext } from './methodHandlers.js';

/** The interval of checks whether a slow client has taken its answers, in milliseconds; there is no event for that. */
const LOOK_AGAIN_MS = 20;

interface UntakenAnswer {
  readonly bytes: number;
  readonly taken: () => void;
}

/** The answers of one connection that have been made and that its client has not taken, oldest first. */
export class UntakenAnswers {
  readonly #context: ConnectionContext;
  readonly #clock: Clock;
  readonly #answers = new Queue<UntakenAnswer>();
  #bytes = 0;
  #looking = false;

  constructor(context: ConnectionContext, clock: Clock) {
    this.#context = context;
    this.#clock = clock;
  }

  /**
   * Adds an answer that is made in this turn of the event loop, at the end of which it is sent.
   *
   * @param taken Called once the client has taken it, or the connection has ended.
   */
  add(bytes: number, taken: () => void): void {
    this.#answers.push({ bytes, taken });
    this.#bytes += bytes;
    if (!this.#looking) {
      this.#looking = true;
      setImmediate(() => this.#look());
    }
  }

  /** What waits to be sent is the end of what was sent: an answer has left if those behind it are as much. */
  #look(): void {
    const { signal, wire } = this.#context;
    const waiting = signal.aborted ? 0 : wire.bufferedBytes;
    for (
      let first = this.#answers.first;
      first !== undefined && this.#bytes - first.bytes >= waiting;
      first = this.#answers.first
    ) {
      this.#answers.shift();
      this.#bytes -= first.bytes;
      first.taken();
    }
    this.#looking = this.#answers.size > 0;
    if (this.#looking) {
      this.#clock.after(LOOK_AGAIN_MS, () => this.#look());
    }
  }
}
