/** The bytes of output that wait on a connection before its processes take turns. With fewer, none has to wait. */
const WAITING_BYTES = 256 * 1024;
/** The bytes of one process that wait at a time from then on. */
const TURN_BYTES = 64 * 1024;

/** A process that sends output on a connection. */
export interface TurnTaker {
  /** Called with true when it has to wait for its next turn, and with false when that begins. */
  hold(held: boolean): void;
}

/**
 * The turns in which the processes of one connection send, once output waits there: each has a share of what waits. So
 * a few lines of one process do not wait for all that the floods of others have sent before them.
 */
export class OutputTurns {
  #waiting = 0;
  readonly #shares = new Map<TurnTaker, number>();
  readonly #held = new Set<TurnTaker>();

  /**
   * Notes output of a process that is about to be sent.
   *
   * @returns a function to call once the system has taken it.
   */
  sends(taker: TurnTaker, bytes: number): () => void {
    this.#add(taker, bytes);
    if (this.#waiting >= WAITING_BYTES && this.#share(taker) >= TURN_BYTES && !this.#held.has(taker)) {
      this.#held.add(taker);
      taker.hold(true);
    }
    return () => {
      this.#add(taker, -bytes);
      for (const held of this.#held) {
        // Half of the bounds, so that not every piece of output begins a turn.
        if (this.#waiting <= WAITING_BYTES / 2 || this.#share(held) <= TURN_BYTES / 2) {
          this.#held.delete(held);
          held.hold(false);
        }
      }
    };
  }

  /** Forgets a process that sends nothing more. */
  leave(taker: TurnTaker): void {
    this.#held.delete(taker);
  }

  #share(taker: TurnTaker): number {
    return this.#shares.get(taker) ?? 0;
  }

  #add(taker: TurnTaker, bytes: number): void {
    this.#waiting += bytes;
    const share = this.#share(taker) + bytes;
    if (share > 0) {
      this.#shares.set(taker, share);
    } else {
      this.#shares.delete(taker);
    }
  }
}
