import { type Clock, Semaphore, systemClock } from '../../core/index.js';
import { type ConnectionContext, connectionState } from './methodHandlers.js';

/**
 * Bytes of large answers that one connection may have in the making and on their way. It is enough to keep a fast
 * client busy; an answer that is larger has to be alone.
 */
export const ANSWER_BUDGET_BYTES = 16 * 1024 * 1024;

/** How often we look whether a slow client has taken its answers; nothing reports that. */
const LOOK_AGAIN_MS = 20;

/** Lets large answers wait until the client has taken those before, so that a slow one costs a bounded memory. */
export class AnswerBudget {
  readonly #context: ConnectionContext;
  readonly #clock: Clock;
  readonly #room = new Semaphore(ANSWER_BUDGET_BYTES);

  constructor(context: ConnectionContext, clock: Clock = systemClock) {
    this.#context = context;
    this.#clock = clock;
  }

  /**
   * Runs `make` as soon as there is room for what it returns.
   *
   * @param bytes How large that will be, about.
   */
  async run<T>(bytes: number, make: () => Promise<T>): Promise<T> {
    await this.#room.acquire(bytes);
    try {
      // Nobody is left to take it if the connection ended meanwhile.
      this.#context.signal.throwIfAborted();
      return await make();
    } finally {
      this.#leaveOnceTaken(bytes);
    }
  }

  /** The answer is sent after this turn, and counts until it has left. */
  #leaveOnceTaken(bytes: number): void {
    const look = () => {
      const { signal, wire } = this.#context;
      if (!signal.aborted && wire.bufferedBytes > ANSWER_BUDGET_BYTES) {
        this.#clock.after(LOOK_AGAIN_MS, look);
        return;
      }
      this.#room.release(bytes);
    };
    setImmediate(look);
  }
}

/** The budget of a connection, for all that it asks. */
export const answerBudgetOf = connectionState((context) => new AnswerBudget(context));
