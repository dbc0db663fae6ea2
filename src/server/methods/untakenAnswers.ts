import { Queue } from '../../core/index.js';
import type { ConnectionContext } from './methodHandlers.js';

interface UntakenAnswer {
  readonly bytes: number;
  readonly taken: () => void;
}

/** The answers of one connection that have been made and that its client has not taken, oldest first. */
export class UntakenAnswers {
  readonly #context: ConnectionContext;
  readonly #answers = new Queue<UntakenAnswer>();
  #bytes = 0;
  #looking = false;

  constructor(context: ConnectionContext) {
    this.#context = context;
    context.wire.onSent(() => this.#lookSoon());
    context.onEnd(() => this.#lookSoon());
  }

  /**
   * Adds an answer that is made in this turn of the event loop. It is sent at the end of the turn.
   *
   * @param taken Called once the client has taken it, or the connection has ended.
   */
  add(bytes: number, taken: () => void): void {
    this.#answers.push({ bytes, taken });
    this.#bytes += bytes;
    this.#lookSoon();
  }

  #lookSoon(): void {
    if (!this.#looking && this.#answers.size > 0) {
      this.#looking = true;
      setImmediate(() => this.#look());
    }
  }

  /**
   * An answer has left if the answers after it are at least as large as all that still waits: messages leave in order.
   */
  #look(): void {
    this.#looking = false;
    const { signal, wire } = this.#context;
    const waiting = signal.aborted ? 0 : wire.unsentCharacters;
    for (
      let first = this.#answers.first;
      first !== undefined && this.#bytes - first.bytes >= waiting;
      first = this.#answers.first
    ) {
      this.#answers.shift();
      this.#bytes -= first.bytes;
      first.taken();
    }
  }
}
