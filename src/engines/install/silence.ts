import { ExecError } from '../../core/index.js';

/** A login may ask several servers who it is. */
const SILENCE_MS = 30_000;

export interface SilenceOptions {
  readonly target: string;
  /** Whether a person is being asked for a password or the like; silence does not count meanwhile. */
  readonly isAsking?: (() => boolean) | undefined;
  /** The longest silence of the other machine, in milliseconds. */
  readonly silenceMs?: number | undefined;
}

/** Ends a talk in which nothing happens any more. Time in which a person is asked does not count. */
export class Silence {
  readonly #abort = new AbortController();
  readonly #options: SilenceOptions;
  readonly #limitMs: number;
  readonly #timer: NodeJS.Timeout;
  #paused = false;
  /** Whether the other side has said its first word. */
  isGreeted = false;

  constructor(options: SilenceOptions) {
    this.#options = options;
    this.#limitMs = options.silenceMs ?? SILENCE_MS;
    this.#timer = setTimeout(() => this.#passed(), this.#limitMs);
  }

  /** Aborted with an ExecError. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  heard(): void {
    this.#timer.refresh();
  }

  /** Runs something that has its own limit, or none. */
  async without<T>(run: () => Promise<T>): Promise<T> {
    this.#paused = true;
    try {
      return await run();
    } finally {
      this.#paused = false;
      this.heard();
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #passed(): void {
    if (this.#paused || this.#options.isAsking?.() === true) {
      this.#timer.refresh();
      return;
    }
    const kind = this.isGreeted ? 'connectTimeout' : 'loginSilent';
    this.#abort.abort(new ExecError({ kind, target: this.#options.target, seconds: this.#limitMs / 1_000 }));
  }
}
