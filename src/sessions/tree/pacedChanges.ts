import { Alarm, type Clock, type Disposable, Emitter, type Event } from '../../core/index.js';

/**
 * The least time between two draws, in milliseconds. VS Code draws the first change at once, and later ones when
 * nothing has changed for 200 ms (`Event.debounce` in its `extHostTreeViews.ts`). Faster changes keep it from drawing
 * until they are over, so a busy list would stand still.
 */
export const PACE_MS = 300;

/**
 * Passes on which rows have changed, at a pace that VS Code follows. Changes in between are collected, each row once.
 *
 * @typeParam T A row; undefined stands for all of them.
 */
export class PacedChanges<T> implements Disposable {
  readonly #clock: Clock;
  readonly #subscription: Disposable;
  readonly #flush: Alarm;
  readonly #didChange = new Emitter<T[] | undefined>();
  readonly #waiting = new Set<T | undefined>();
  #flushedAt = Number.NEGATIVE_INFINITY;

  /** Fires with the rows that have changed, or without any if all have. */
  readonly onDidChange = this.#didChange.event;

  constructor(clock: Clock, changes: Event<T | undefined>) {
    this.#clock = clock;
    this.#flush = new Alarm(clock);
    this.#subscription = changes((row) => this.#changed(row));
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#flush.dispose();
    this.#didChange.dispose();
  }

  #changed(row: T | undefined): void {
    this.#waiting.add(row);
    const due = this.#flushedAt + PACE_MS;
    // Even without a delay it waits for the end of the turn, since several rows mostly change in one turn.
    this.#flush.setUnlessSet(Math.max(0, due - this.#clock.now()), () => {
      this.#flushedAt = this.#clock.now();
      const rows = [...this.#waiting];
      this.#waiting.clear();
      const known = rows.filter((one) => one !== undefined);
      this.#didChange.fire(known.length === rows.length ? known : undefined);
    });
  }
}
