/** Releases the resources of an object. Calling it again does nothing. */
export interface Disposable {
  dispose(): void;
}

/** Subscribes a listener; disposing the result ends the subscription. The shape fits `vscode.Event` as well. */
export type Event<T> = (listener: (event: T) => void) => Disposable;

/** An event that never happens. */
export const never: Event<never> = () => nothingToDispose;

/** One source of events. Listeners are called in the order in which they subscribed. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<{ readonly call: (event: T) => void }>();
  #disposed = false;

  readonly event: Event<T> = (listener) => {
    if (this.#disposed) {
      return nothingToDispose;
    }
    // Each subscription is an object of its own. A function that subscribes twice is called twice, and disposing one of
    // its subscriptions leaves the other.
    const entry = { call: listener };
    this.#listeners.add(entry);
    return { dispose: () => void this.#listeners.delete(entry) };
  };

  /** Whether there are listeners, so that a hot path can skip making an event. */
  get observed(): boolean {
    return this.#listeners.size > 0;
  }

  /**
   * Calls every listener that was there when the event began and has not left since. A listener that throws does not
   * affect the others.
   */
  fire(event: T): void {
    for (const entry of [...this.#listeners]) {
      if (this.#listeners.has(entry)) {
        callSafely(entry.call, event);
      }
    }
  }

  dispose(): void {
    this.#disposed = true;
    this.#listeners.clear();
  }
}

/** A disposable that holds nothing. */
export const nothingToDispose: Disposable = { dispose: () => undefined };

/**
 * Calls a listener. An error that it throws becomes an uncaught error in a turn of its own, where the host reports it.
 */
export function callSafely<T>(listener: (event: T) => void, event: T): void {
  try {
    listener(event);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/** Disposes everything added to it, last first; items added after that are disposed at once. */
export class DisposableStore implements Disposable {
  readonly #items = new Set<Disposable>();
  #disposed = false;

  add<T extends Disposable>(item: T): T {
    if (this.#disposed) {
      item.dispose();
    } else {
      this.#items.add(item);
    }
    return item;
  }

  /** Disposes an item that was added, and lets go of it. */
  delete(item: Disposable): void {
    this.#items.delete(item);
    item.dispose();
  }

  dispose(): void {
    this.#disposed = true;
    const items = [...this.#items].reverse();
    this.#items.clear();
    for (const item of items) {
      item.dispose();
    }
  }
}
