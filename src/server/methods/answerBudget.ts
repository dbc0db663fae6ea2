import { type Clock, Semaphore, systemClock } from '../../core/index.js';
import { type ConnectionContext, connectionState, serverState } from './methodHandlers.js';

/**
 * The most bytes of large answers of one connection that are being made or on their way. It is enough to keep a fast
 * client busy; a larger answer has to be alone.
 */
export const ANSWER_BUDGET_BYTES = 16 * 1024 * 1024;

/**
 * The most bytes of answers that are larger than {@link ANSWER_BUDGET_BYTES}, of all connections together. Only these
 * wait for those of other clients: one that does not take its answers holds up nobody's small calls.
 */
export const LARGE_ANSWERS_BYTES = 128 * 1024 * 1024;

/** The interval of checks whether a slow client has taken its answers, in milliseconds; there is no event for that. */
const LOOK_AGAIN_MS = 20;

/** Makes large answers wait until the client has taken earlier ones, so that a slow client costs bounded memory. */
export class AnswerBudget {
  readonly #context: ConnectionContext;
  /** The room that the large answers of all connections of the server share. */
  readonly #large: Semaphore;
  readonly #clock: Clock;
  readonly #room = new Semaphore(ANSWER_BUDGET_BYTES);

  constructor(context: ConnectionContext, large: Semaphore, clock: Clock = systemClock) {
    this.#context = context;
    this.#large = large;
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
    if (isLarge(bytes)) {
      await this.#large.acquire(bytes);
    }
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
      if (isLarge(bytes)) {
        this.#large.release(bytes);
      }
      this.#room.release(bytes);
    };
    setImmediate(look);
  }
}

function isLarge(bytes: number): boolean {
  return bytes > ANSWER_BUDGET_BYTES;
}

const largeAnswersOf = serverState(() => new Semaphore(LARGE_ANSWERS_BYTES));

/** Gives the connections budgets of their own, for one kind of answer. */
export function answerBudgets(): (context: ConnectionContext) => AnswerBudget {
  return connectionState((context) => new AnswerBudget(context, largeAnswersOf(context)));
}

/** The budget that the file and HTTP methods of a connection share. */
export const answerBudgetOf = answerBudgets();
