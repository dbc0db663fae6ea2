/** The most connections that may be unauthenticated: as many as a system lets wait for a program at once. */
export const MOST_STRANGERS = 512;

/** A connection that has not shown yet that it may be here. */
export interface Stranger {
  once(event: 'close', gone: () => void): unknown;
  destroy(): unknown;
}

/**
 * Keeps strangers from using up a server's descriptors or its connections: every user of the machine can connect to its
 * port and say nothing. A real client authenticates within moments, so the connection that has waited longest is a
 * stranger's.
 */
export class Strangers {
  readonly #most: number;
  /** In the order in which they came. */
  readonly #waiting = new Set<Stranger>();

  constructor(most = MOST_STRANGERS) {
    this.#most = most;
  }

  /** Ends the oldest connection if there are too many. */
  add(stranger: Stranger): void {
    this.#waiting.add(stranger);
    stranger.once('close', () => this.#waiting.delete(stranger));
    const [oldest] = this.#waiting;
    if (this.#waiting.size > this.#most && oldest !== undefined) {
      this.#waiting.delete(oldest);
      oldest.destroy();
    }
  }

  /** Stops counting the connection as a stranger. */
  admit(stranger: Stranger): void {
    this.#waiting.delete(stranger);
  }
}
