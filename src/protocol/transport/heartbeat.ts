import type { Clock, Disposable } from '../../core/index.js';

export interface HeartbeatOptions {
  readonly pingIntervalMs: number;
  readonly deadAfterMs: number;
}

/** What is known of the other side without asking it. */
export interface Signs {
  /** Bytes that came from it. */
  readonly received: number;
  /** Bytes that were handed to the system for it. */
  readonly handed: number;
  /** Bytes that wait until the system takes more. */
  readonly waiting: number;
}

/**
 * Asks the other side again and again whether it is there. A slow one is not dead: whatever comes from it is a sign of
 * life, and so is its taking what we have for it, as long as there is more to take. (Without more, the system's own
 * buffers would do.)
 */
export class Heartbeat implements Disposable {
  readonly #clock: Clock;
  readonly #options: HeartbeatOptions;
  readonly #ask: () => void;
  readonly #signs: () => Signs;
  readonly #dead: () => void;
  #timer: Disposable;
  #alive = true;

  constructor(
    clock: Clock,
    options: HeartbeatOptions,
    { ask, signs, dead }: { ask: () => void; signs: () => Signs; dead: () => void },
  ) {
    this.#clock = clock;
    this.#options = options;
    this.#ask = ask;
    this.#signs = signs;
    this.#dead = dead;
    this.#timer = this.#askLater();
  }

  /** The other side is there, or we are not listening, which is not its fault. */
  alive(): void {
    this.#alive = true;
  }

  dispose(): void {
    this.#timer.dispose();
  }

  #askLater(): Disposable {
    return this.#clock.after(this.#options.pingIntervalMs, () => {
      this.#alive = false;
      const before = this.#signs();
      this.#timer = this.#clock.after(this.#options.deadAfterMs, () => this.#judge(before));
      this.#ask();
    });
  }

  #judge(before: Signs): void {
    const now = this.#signs();
    const took = before.waiting > 0 && now.handed > before.handed;
    if (this.#alive || took || now.received > before.received) {
      this.#timer = this.#askLater();
    } else {
      this.#dead();
    }
  }
}
