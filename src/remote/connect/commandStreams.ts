import type { ChildProcess } from 'node:child_process';
import { Readable, Writable } from 'node:stream';

/** How long the last words on stderr may take after the output has ended, in milliseconds. */
const LAST_WORDS_MS = 500;

/** What a command says. It ends with an error that tells how the command ended, which is known a little later. */
export class ServerCommandOutput extends Readable {
  readonly #stdout: Readable;

  constructor(child: ChildProcess & { readonly stdout: Readable }, endReason: () => string) {
    super();
    this.#stdout = child.stdout;
    child.stdout.on('data', (bytes: Buffer) => {
      if (!this.push(bytes)) {
        child.stdout.pause();
      }
    });
    const end = () => void this.destroy(new Error(endReason()));
    child.once('close', end);
    // A descendant that holds stderr must not keep it from ending.
    child.stdout.once('end', () => {
      const timer = setTimeout(end, LAST_WORDS_MS);
      this.once('close', () => clearTimeout(timer));
    });
  }

  override _read(): void {
    this.#stdout.resume();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    // What is still said is read and forgotten, lest the command wait for it to be read.
    this.#stdout.removeAllListeners('data');
    this.#stdout.resume();
    callback(error);
  }
}

/** What a command is told. That it does not listen any more is no news beside how it ended. */
export class ServerCommandInput extends Writable {
  readonly #stdin: Writable;

  constructor(stdin: Writable) {
    super({ decodeStrings: true });
    this.#stdin = stdin;
    stdin.on('error', () => undefined);
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, callback: () => void): void {
    this.#stdin.write(bytes, () => callback());
  }

  override _final(callback: () => void): void {
    this.#stdin.end(() => callback());
  }
}
