import { Alarm, type Clock, type Disposable } from '../../core/index.js';

export interface HeartbeatOptions {
  /** The time from one ping to the next; not less than the other time. */
  readonly pingIntervalMs: number;
  /** The time after a ping in which there has to be a sign of life. */
  readonly deadAfterMs: number;
}

/** The turns in which the other side is waited for. */
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
 * Asks the other side regularly whether it is there. Its silence is noticed at the latest after both times together,
 * counted from its last sign of life. A slow one is not dead: every byte that arrives from it is a sign
 * of life, and so is every byte of ours that it takes, as long as others still wait. (If none wait, the system's own
 * buffers may have taken them.)
 *
 * It is waited for in turns: if this program stands still meanwhile, only one of them is over then, and in the others it
 * can read the answer that has been there for long.
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

  /** Notes that the other side is there, or that this side is not reading, for which the other one is not to blame. */
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
