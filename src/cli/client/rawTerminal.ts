import type { Disposable } from '../../core/index.js';
import type { Console } from '../console.js';

/**
 * The terminal of this program in raw mode, in which every key is a key of the session. A stop from outside (SIGTSTP)
 * gives the terminal back to the shell as it was. A signal that continues the program takes it again.
 */
export class RawTerminal implements Disposable {
  readonly #stdin: Console['stdin'];
  readonly #stop = () => this.#suspend();
  readonly #continue = () => this.#resume();
  readonly #onSuspend: () => void;
  readonly #onResume: () => void;

  /**
   * @param on.suspend Called before this program stops.
   * @param on.resume Called when it goes on.
   */
  constructor({ stdin }: Console, on: { readonly suspend: () => void; readonly resume: () => void }) {
    this.#stdin = stdin;
    this.#onSuspend = on.suspend;
    this.#onResume = on.resume;
    stdin.setRawMode(true);
    process.on('SIGTSTP', this.#stop);
    process.on('SIGCONT', this.#continue);
  }

  dispose(): void {
    process.off('SIGTSTP', this.#stop);
    process.off('SIGCONT', this.#continue);
    this.#stdin.setRawMode(false);
  }

  #suspend(): void {
    this.#onSuspend();
    this.#stdin.setRawMode(false);
    // The signal that came has a listener, so it stops nothing; this one stops every program.
    process.kill(process.pid, 'SIGSTOP');
  }

  #resume(): void {
    this.#stdin.setRawMode(true);
    this.#onResume();
  }
}
