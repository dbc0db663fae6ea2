import { type Clock, type Disposable, systemClock } from '../core/index.js';

/** What a pace is kept with: a stream that reads as long as nobody pauses it. */
export interface Pausable {
  pause(): unknown;
  resume(): unknown;
}

/**
 * How long a busy program that nobody waits for is left alone between two reads, in milliseconds. What it prints
 * meanwhile comes in one piece: read as it comes, a shell that prints lines all the time takes a sixth of a core here,
 * and `yes` a third. The kernel keeps some 64 KB, so this leaves such a program 6 MB a second on a pipe. To read a
 * terminal takes the kernel longer; what it shows is 2 MB a second.
 */
export const REST_MS = { pipes: 10, terminal: 30 } as const;
/** A program is busy if its reads follow each other within that many rests: there is one between two of them. */
const BUSY_RESTS = 2;

/**
 * Decides when the outputs of one child are read: never while they are held back, and now and then while nobody waits
 * for what a busy program says.
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
   * @param outputs They are being read.
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

  /** Whether nothing may be read, for however long. */
  get held(): boolean {
    return this.#held;
  }

  /**
   * Whether nobody waits for output, so that whoever looks has to fetch it: while it rests there may be much, and
   * between two turns of the event loop the last words of a quick program.
   */
  get unattended(): boolean {
    return !this.#held && !this.#awaited;
  }

  /** Sets whether somebody waits for output. */
  setAwaited(awaited: boolean): void {
    this.#awaited = awaited;
    this.#endRestIf(awaited);
  }

  setHeld(held: boolean): void {
    this.#held = held;
    this.#apply();
  }

  /** Sets whether everything is to be read that is there, since the program has exited. */
  setDraining(draining: boolean): void {
    this.#draining = draining;
    this.#endRestIf(draining);
  }

  /** Takes note that output has been read as it came. */
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
