import { Alarm, type Clock, type Disposable } from '../../core/index.js';
import { FIRST_REFUSED_MS, HOLE_ATTEMPTS, HOLE_MS, LAST_REFUSED_MS } from '../limits.js';

/**
 * The end of a reading.
 *
 * - `told`: the server has told everything that it had.
 * - `cut`: the connection ended first.
 * - `refused`: there was no answer in time, or an answer that may differ at the next try.
 */
export type ReadingEnd = 'told' | 'cut' | 'refused';

/** The log that is being caught up with, and the means for that. */
interface CatchUpTarget {
  /** The last number up to which nothing is missing. */
  readonly lastSeq: number;
  /** Whether an event waits for an earlier number. */
  readonly hasHole: boolean;
  /** Begins to read the events after {@link lastSeq}. It must be answered by one call of {@link CatchUp.ended}. */
  read(): void;
  /** Gives up the missing numbers before the first event that waits. */
  giveUp(): void;
}

/**
 * Decides when to read events that the server has not sent by itself. After a resume these are all new events. A
 * missing number is read a moment after it was noticed, since servers send some events out of order.
 *
 * A missing number is given up only after several successive answers without it, while a later number is known. The
 * time without a connection proves nothing, and neither does the duration of an answer. After a cut, {@link resumed}
 * begins the reading anew.
 */
export class CatchUp implements Disposable {
  readonly #target: CatchUpTarget;
  readonly #alarm: Alarm;
  #reading = false;
  /** Whether another reading must follow the one under way. */
  #again = false;
  /** The last number at the beginning of the reading. */
  #from = 0;
  /** The number of successive answers that did not have the missing number. */
  #fruitless = 0;
  /** Whether no reading has been answered since the server began to send: then it is unknown what is missing. */
  #owed = false;
  #refusedMs = FIRST_REFUSED_MS;
  #disposed = false;

  constructor(target: CatchUpTarget, clock: Clock) {
    this.#target = target;
    this.#alarm = new Alarm(clock);
  }

  /** Called when the server begins to send events unasked, on its first or on another connection. */
  resumed(): void {
    this.#again = this.#reading;
    this.#owed = true;
    this.#fruitless = 0;
    this.#refusedMs = FIRST_REFUSED_MS;
    this.#read();
  }

  /** Called after each event that the server has sent unasked. */
  told(): void {
    if (this.#target.hasHole) {
      this.#readLater(HOLE_MS);
    } else if (!this.#owed) {
      this.#alarm.dispose();
    }
  }

  /** Called when a reading is over. */
  ended(end: ReadingEnd): void {
    this.#reading = false;
    if (this.#again) {
      this.#again = false;
      this.#read();
    } else if (end === 'told') {
      this.#owed = false;
      this.#refusedMs = FIRST_REFUSED_MS;
      this.#judge();
    } else if (end === 'refused') {
      this.#readLater(this.#refusedMs);
      this.#refusedMs = Math.min(this.#refusedMs * 2, LAST_REFUSED_MS);
    }
  }

  /** Stops asking. */
  dispose(): void {
    this.#disposed = true;
    this.#alarm.dispose();
  }

  #judge(): void {
    const { hasHole, lastSeq } = this.#target;
    this.#fruitless = hasHole && lastSeq === this.#from ? this.#fruitless + 1 : 0;
    if (this.#fruitless >= HOLE_ATTEMPTS) {
      this.#fruitless = 0;
      this.#target.giveUp();
    }
    this.told();
  }

  #read(): void {
    if (this.#reading || this.#disposed) {
      return;
    }
    this.#alarm.dispose();
    this.#reading = true;
    this.#from = this.#target.lastSeq;
    this.#target.read();
  }

  #readLater(delayMs: number): void {
    if (!this.#reading && !this.#disposed) {
      this.#alarm.setUnlessSet(delayMs, () => this.#read());
    }
  }
}
