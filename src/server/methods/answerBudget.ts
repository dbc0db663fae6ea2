import { type Clock, Semaphore, systemClock } from '../../core/index.js';
import { type ConnectionContext, connectionState } from './methodHandlers.js';

/**
 * The most bytes of large answers of one connection that are being made or on their way. It is enough to keep a fast
 * client busy; a larger answer has to be alone.
 */
export const ANSWER_BUDGET_BYTES = 16 * 1024 * 1024;

/** The interval of checks whether a slow client has taken its answers, in milliseconds; there is no event for that. */
const LOOK_AGAIN_MS = 20;

/** Makes large answers wait until the client has taken earlier ones, so that a slow client costs bounded memory. */
export class AnswerBudget {
  readonly #context: ConnectionContext;
  readonly #clock: Clock;
  readonly #room = new Semaphore(ANSWER_BUDGET_BYTES);

  constructor(context: ConnectionContext, clock: Clock = systemClock) {
    this.#context = context;
    this.#clock = clock;
  }

  /**
   * Runs `make` as soon as there is room for its result.
   *
   * @param bytes The approximate size of the result.
   * @throws the error of `make`; an abort error if the connection ends before.
   */
  async run<T>(bytes: number, make: () => Promise<T>): Promise<T> {
    await this.#room.acquire(bytes);
    try {
      // If the connection has ended meanwhile, nobody takes the answer.
      this.#context.signal.throwIfAborted();
      return await make();
    } finally {
      this.#leaveOnceTaken(bytes);
    }
  }

  /**
   * Releases the room once the answer has left. It is sent after this turn of the event loop, so the first check comes
   * then.
   */
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

/** The budget that the file and HTTP methods of a connection share. */
export const answerBudgetOf = connectionState((context) => new AnswerBudget(context));
