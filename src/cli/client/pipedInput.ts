import type { Disposable, ExecProcess } from '../../core/index.js';
import type { Console } from '../console.js';

/**
 * Passes standard input on to a session, as fast as the session takes it, and closes the input of the session at its
 * end. Lines that are typed on a terminal have been edited there.
 */
export class PipedInput implements Disposable {
  readonly #stdin: Console['stdin'];
  readonly #process: ExecProcess;
  #over = false;

  constructor({ stdin }: Console, process: ExecProcess) {
    this.#stdin = stdin;
    this.#process = process;
    // The session, or its input, may be over before this input is: then the rest has no reader.
    void this.#pass().catch(() => this.dispose());
  }

  dispose(): void {
    this.#over = true;
    this.#stdin.destroy();
  }

  async #pass(): Promise<void> {
    for await (const bytes of this.#stdin as AsyncIterable<Buffer>) {
      if ((await this.#process.write(bytes)) !== 'accepted') {
        this.dispose();
        return;
      }
    }
    if (!this.#over) {
      await this.#process.closeStdin();
    }
  }
}
