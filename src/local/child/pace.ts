import { type Clock, type Disposable, systemClock } from '../../core/index.js';

/** A stream that a pace can hold back: it reads unless it is paused. */
interface Pausable {
  pause(): unknown;
  resume(): unknown;
}

/**
 * The pause between two reads of a busy program while no reader waits, in milliseconds. Its output then comes in one
 * piece. Read as it comes, a shell that prints lines all the time takes a sixth of a core here, and `yes` a third. The
 * kernel keeps about 64 KB, so such a program gets 6 MB a second on a pipe. Reading a terminal takes the kernel longer;
 * there the program gets 2 MB a second.
 */
export const REST_MS = { pipes: 10, terminal: 30 } as const;
/** A program is busy if its reads follow each other within this many pauses (there is one between two of them). */
const BUSY_RESTS = 2;

/**
 * Decides when the outputs of one child are read: never while they are held back. The output of a busy program is read
 * at intervals while no reader waits for it.
 */
export class Pace {
  readonly #outputs: readonly Pausable[];
  readonly #restMs: number;
  readonly #clock: Clock;
  #awaited = true;
  #held = false;
  #draining = false;
  #lastReadAt = Number.NEGATIVE_INFINITY;
  #rest: Disposable | undefined;

  /**
   * @param outputs Streams that are being read.
   * @param restMs One of {@link REST_MS}.
   */
  constructor(outputs: readonly Pausable[], restMs: number, clock: Clock = systemClock) {
    this.#outputs = outputs;
    this.#restMs = restMs;
    this.#clock = clock;
  }

  /** Whether nothing may be read now. */
  get stopped(): boolean {
    return this.#held || this.#rest !== undefined;
  }

  /** Whether nothing may be read now, for an unlimited time. */
  get held(): boolean {
    return this.#held;
  }

  /**
   * Whether output may be unread because no reader waits, so that a look has to fetch it first. During a pause that may
   * be a lot. Between two turns of the event loop, it may be the last words of a quick program.
   */
  get unattended(): boolean {
    return !this.#held && !this.#awaited;
  }

  /** Sets whether a reader waits for output. */
  setAwaited(awaited: boolean): void {
    this.#awaited = awaited;
    this.#endRestIf(awaited);
  }

  setHeld(held: boolean): void {
    this.#held = held;
    this.#apply();
  }

  /** Sets whether all available output must be read, since the program has exited. */
  setDraining(draining: boolean): void {
    this.#draining = draining;
    this.#endRestIf(draining);
  }

  /** Takes note that output was read as it came. */
  hasRead(): void {
    if (this.#awaited || this.#draining || this.#rest !== undefined) {
      return;
    }
    const now = this.#clock.now();
    if (now - this.#lastReadAt < BUSY_RESTS * this.#restMs) {
      this.#rest = this.#clock.after(this.#restMs, () => this.#endRestIf(true));
      this.#apply();
    }
    this.#lastReadAt = now;
  }

  /** Nothing will be read any more. */
  end(): void {
    this.#rest?.dispose();
    this.#rest = undefined;
    this.#awaited = true;
  }

  #endRestIf(condition: boolean): void {
    if (condition && this.#rest !== undefined) {
      this.#rest.dispose();
      this.#rest = undefined;
      this.#apply();
    }
  }

  #apply(): void {
    for (const output of this.#outputs) {
      if (this.stopped) {
        output.pause();
      } else {
        output.resume();
      }
    }
  }
}
