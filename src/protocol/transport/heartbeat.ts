import { Alarm, type Clock, type Disposable } from '../../core/index.js';

export interface HeartbeatOptions {
  /** The time from one ping to the next; at least as long as the other time. */
  readonly pingIntervalMs: number;
  /** The time after a ping in which a sign of life must come. */
  readonly deadAfterMs: number;
}

/** The turns in which the heartbeat waits for the other side. */
const TURNS = 4;

/** Signs of life of the other side that need no ping. */
export interface Signs {
  /** Bytes received from the other side. */
  readonly received: number;
  /** Bytes for the other side that the system has taken. */
  readonly handed: number;
  /** Bytes for the other side that wait until the system takes more. */
  readonly waiting: number;
}

/**
 * Asks the other side regularly whether it still exists. Silence is noticed at the latest after both times together,
 * counted from the last sign of life. A slow side is not dead: every byte from it is a sign of life. Every byte of ours
 * that it takes is one too, as long as others still wait. If no bytes wait, the system's own buffers may have taken
 * them.
 *
 * The wait is divided into turns. If this program stands still meanwhile, only one turn is over then. In the others it
 * can read an answer that arrived long ago.
 */
export class Heartbeat implements Disposable {
  readonly #alarm: Alarm;
  readonly #options: HeartbeatOptions;
  readonly #ask: () => void;
  readonly #signs: () => Signs;
  readonly #dead: () => void;
  #alive = true;

  constructor(
    clock: Clock,
    options: HeartbeatOptions,
    { ask, signs, dead }: { ask: () => void; signs: () => Signs; dead: () => void },
  ) {
    this.#alarm = new Alarm(clock);
    this.#options = options;
    this.#ask = ask;
    this.#signs = signs;
    this.#dead = dead;
    this.#askLater(options.pingIntervalMs);
  }

  /** Notes that the other side is alive, or that this side is not reading, which is not the other side's fault. */
  alive(): void {
    this.#alive = true;
  }

  dispose(): void {
    this.#alarm.dispose();
  }

  #askLater(delayMs: number): void {
    this.#alarm.set(delayMs, () => {
      this.#alive = false;
      const before = this.#signs();
      this.#wait(TURNS, before);
      this.#ask();
    });
  }

  #wait(turns: number, before: Signs): void {
    this.#alarm.set(this.#options.deadAfterMs / TURNS, () =>
      turns > 1 ? this.#wait(turns - 1, before) : this.#judge(before),
    );
  }

  #judge(before: Signs): void {
    const now = this.#signs();
    const took = before.waiting > 0 && now.handed > before.handed;
    if (this.#alive || took || now.received > before.received) {
      this.#askLater(this.#options.pingIntervalMs - this.#options.deadAfterMs);
    } else {
      this.#dead();
    }
  }
}
