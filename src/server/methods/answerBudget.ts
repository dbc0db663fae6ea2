import { Semaphore } from '../../core/index.js';
import { type ConnectionContext, connectionState, serverState } from './methodHandlers.js';
import { UntakenAnswers } from './untakenAnswers.js';

/**
 * The most bytes of answers of one connection that are being made or on their way. It is enough to keep a fast client
 * busy; a larger answer has to be alone.
 */
export const ANSWER_BUDGET_BYTES = 16 * 1024 * 1024;

/**
 * The largest answer that waits for no other client, in bytes, if its own client has no other one on the way. It is a
 * block of a file, or a file of usual size. So clients that do not take their answers do not keep the others waiting.
 */
export const ORDINARY_ANSWER_BYTES = 1024 * 1024;

/** The most bytes of answers of all connections together, for one kind of answer, but for the ordinary ones above. */
export const ALL_ANSWERS_BYTES = 64 * 1024 * 1024;

/**
 * The most bytes of answers that are larger than {@link ANSWER_BUDGET_BYTES}, of all connections and kinds together.
 * Others do not wait for these.
 */
export const LARGE_ANSWERS_BYTES = 128 * 1024 * 1024;

/** The room that the connections of a server share. */
export interface SharedRoom {
  /** For answers of one kind, of at most {@link ANSWER_BUDGET_BYTES} each. */
  readonly all: Semaphore;
  /** For larger answers. */
  readonly large: Semaphore;
}

/**
 * Makes answers wait until clients have taken earlier ones, so that slow clients cost bounded memory: each by itself,
 * and all of them together.
 */
export class AnswerBudget {
  readonly #context: ConnectionContext;
  readonly #shared: SharedRoom;
  readonly #own = new Semaphore(ANSWER_BUDGET_BYTES);
  readonly #untaken: UntakenAnswers;
  /** The bytes of shared room that this connection has. */
  #ofShared = 0;

  constructor(context: ConnectionContext, shared: SharedRoom) {
    this.#context = context;
    this.#shared = shared;
    this.#untaken = new UntakenAnswers(context);
  }

  /**
   * Runs `make` as soon as there is room for its result.
   *
   * @param bytes The approximate size of the result.
   * @throws the error of `make`; an abort error if the connection ends earlier.
   */
  async run<T>(bytes: number, make: () => Promise<T>): Promise<T> {
    await this.#own.acquire(bytes);
    const room = bytes > ANSWER_BUDGET_BYTES ? this.#shared.large : this.#shared.all;
    if (this.#ofShared === 0 && bytes <= ORDINARY_ANSWER_BYTES) {
      room.take(bytes);
    } else {
      await room.acquire(bytes);
    }
    this.#ofShared += bytes;
    try {
      // If the connection has ended meanwhile, no client takes the answer.
      this.#context.signal.throwIfAborted();
      return await make();
    } finally {
      this.#untaken.add(bytes, () => {
        this.#ofShared -= bytes;
        room.release(bytes);
        this.#own.release(bytes);
      });
    }
  }
}

const largeAnswersOf = serverState(() => new Semaphore(LARGE_ANSWERS_BYTES));

/** Gives the connections budgets of their own, for one kind of answer. */
export function answerBudgets(): (context: ConnectionContext) => AnswerBudget {
  const allAnswersOf = serverState(() => new Semaphore(ALL_ANSWERS_BYTES));
  return connectionState(
    (context) => new AnswerBudget(context, { all: allAnswersOf(context), large: largeAnswersOf(context) }),
  );
}

/** The budget that the file and HTTP methods of a connection share. */
export const answerBudgetOf = answerBudgets();
