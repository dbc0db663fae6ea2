import { ExecError } from '../../core/index.js';

/** The longest silence of another machine, in milliseconds. A login may ask several servers who it is. */
const SILENCE_MS = 30_000;

/** Ends a talk in which nothing happens any more. Time in which a person is asked does not count. */
export class Silence {
  readonly #abort = new AbortController();
  readonly #isAsking: () => boolean;
  readonly #target: string;
  #timer: NodeJS.Timeout;
  #paused = false;

  /** Whether the other side has said its first word. */
  isGreeted = false;

  constructor(target: string, isAsking: () => boolean = () => false) {
    this.#target = target;
    this.#isAsking = isAsking;
    this.#timer = setTimeout(() => this.#passed(), SILENCE_MS);
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
    if (this.#paused || this.#isAsking()) {
      this.#timer.refresh();
      return;
    }
    const kind = this.isGreeted ? 'connectTimeout' : 'loginSilent';
    this.#abort.abort(new ExecError({ kind, target: this.#target, seconds: SILENCE_MS / 1_000 }));
  }
}
