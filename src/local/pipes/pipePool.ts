import { readFileSync } from 'node:fs';

import { type Clock, type Disposable, Queue } from '../../core/index.js';
import { type MakePipes, MOST_PIPES } from './makePipes.js';
import type { Pipe } from './pipe.js';

/**
 * The time between a start and making more pipes, in milliseconds. A program often prints something right after its
 * start, and a fork would keep this process from reading it.
 */
const LATER_MS = 50;
/** The pause after a failure, in milliseconds. */
const REST_MS = 5_000;
/** The longest wait for pipes, in milliseconds. On a busy machine they take half a second. */
const PATIENCE_MS = 2_000;

/** Pipes that are made before they are needed, since making them takes longer than a start. */
export class PipePool {
  readonly #make: MakePipes | undefined;
  readonly #clock: Clock;
  readonly #size: number;
  readonly #ready: Pipe[] = [];
  readonly #waiting = new Queue<{
    readonly count: number;
    readonly give: (pipes: Pipe[] | undefined) => void;
  }>();
  readonly #end = new AbortController();
  #making = false;
  /** Whether the last attempt took, or takes, too long to wait for. */
  #overdue = false;
  #later: Disposable | undefined;
  #restsUntil: number | undefined;
  #disposed = false;

  /**
   * @param make Undefined if this machine cannot make pipes.
   * @param size The number of pipes to keep.
   */
  constructor(make: MakePipes | undefined, clock: Clock, size: number) {
    this.#make = make;
    this.#clock = clock;
    this.#size = size;
  }

  /** Whether pipes can be had here. The last attempt decides; before the first, the look at the machine does. */
  get available(): boolean {
    return this.#make !== undefined && this.#restsUntil === undefined && !this.#overdue;
  }

  /** Makes pipes if few are left, so that the next caller need not wait. */
  prepare(): void {
    if (this.#isLow) {
      void this.#fill();
    }
  }

  /**
   * Takes that many pipes, which the caller closes. Waiting callers are served in order and within a time limit.
   *
   * @returns undefined if pipes cannot be had (for example for want of descriptors), or not soon.
   */
  async take(count: number): Promise<Pipe[] | undefined> {
    if (this.#make === undefined || this.#disposed || this.#clock.now() < (this.#restsUntil ?? 0)) {
      return undefined;
    }
    if (this.#waiting.size === 0 && this.#ready.length >= count) {
      this.#later ??= this.#clock.after(LATER_MS, () => {
        this.#later = undefined;
        this.prepare();
      });
      return this.#ready.splice(0, count);
    }
    if (this.#overdue) {
      void this.#fill();
      return undefined;
    }
    return new Promise((give) => {
      this.#waiting.push({ count, give });
      void this.#fill();
    });
  }

  /** Waiting callers get no pipes, and an attempt under way is ended. */
  dispose(): void {
    this.#disposed = true;
    this.#end.abort();
    this.#later?.dispose();
    this.#giveUp();
    closeAll(this.#ready.splice(0));
  }

  /** Makes pipes until no caller waits and enough are left. Never rejects. */
  async #fill(): Promise<void> {
    if (this.#making || this.#disposed) {
      return;
    }
    this.#making = true;
    while (this.#isLow && (await this.#makeSome())) {
      // Callers may have begun to wait meanwhile, or may need more pipes than one attempt makes.
    }
    this.#making = false;
  }

  /** @returns whether it could make some, and may go on. */
  async #makeSome(): Promise<boolean> {
    const count = Math.min(MOST_PIPES, this.#size + this.#wanted() - this.#ready.length);
    const patience = this.#clock.after(PATIENCE_MS, () => {
      this.#overdue = true;
      this.#giveUp();
    });
    const made = (await this.#make?.(count, this.#end.signal).catch(() => [])) ?? [];
    patience.dispose();
    if (this.#disposed) {
      closeAll(made);
      return false;
    }
    if (made.length === 0) {
      this.#restsUntil = this.#clock.now() + REST_MS;
      this.#giveUp();
      return false;
    }
    this.#restsUntil = undefined;
    this.#overdue = false;
    this.#ready.push(...made);
    this.#serve();
    return true;
  }

  get #isLow(): boolean {
    return this.#ready.length < this.#size / 2 || this.#waiting.size > 0;
  }

  #wanted(): number {
    return [...this.#waiting].reduce((sum, { count }) => sum + count, 0);
  }

  #serve(): void {
    for (
      let next = this.#waiting.first;
      next !== undefined && this.#ready.length >= next.count;
      next = this.#waiting.first
    ) {
      this.#waiting.shift();
      next.give(this.#ready.splice(0, next.count));
    }
  }

  #giveUp(): void {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      next.give(undefined);
    }
  }
}

function closeAll(pipes: readonly Pipe[]): void {
  for (const pipe of pipes) {
    pipe.close();
  }
}

/** Enough for ten starts at least. */
const MOST_READY = 32;
/** Enough for one start. */
const LEAST_READY = 3;
/** One pipe for this many descriptors that this process may have. Each pipe takes two. */
const DESCRIPTORS_A_PIPE = 32;

/**
 * The number of pipes to keep ready. It is small if descriptors are few, since connections and terminals need them as
 * well.
 *
 * @param limits The file with the limits of this process.
 */
export function readyPipes(limits = '/proc/self/limits'): number {
  const descriptors = Number(/^Max open files +(\d+)/m.exec(textOf(limits))?.[1] ?? Infinity);
  return Math.max(LEAST_READY, Math.min(MOST_READY, Math.floor(descriptors / DESCRIPTORS_A_PIPE)));
}

/** @returns an empty text if there is no such file. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
