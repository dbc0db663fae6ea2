import type { ChildProcess } from 'node:child_process';
import { Readable, Writable } from 'node:stream';

/** The time to wait for the rest of stderr after the output has ended, in milliseconds. */
const LAST_WORDS_MS = 500;

/**
 * The output of a command. It ends with an error that says how the command ended; that is known a little later than the
 * end of the output.
 */
export class ServerCommandOutput extends Readable {
  readonly #stdout: Readable;
  #received = 0;

  /** @param endError Makes the error that says how the command ended. */
  constructor(child: ChildProcess & { readonly stdout: Readable }, endError: () => Error) {
    super();
    this.#stdout = child.stdout;
    child.stdout.on('data', (bytes: Buffer) => {
      this.#received += bytes.length;
      if (!this.push(bytes)) {
        child.stdout.pause();
      }
    });
    const end = () => void this.destroy(endError());
    child.once('close', end);
    // A descendant that holds stderr open must not delay the end.
    child.stdout.once('end', () => {
      const timer = setTimeout(end, LAST_WORDS_MS);
      this.once('close', () => clearTimeout(timer));
    });
  }

  /** The bytes that the command has written. */
  get received(): number {
    return this.#received;
  }

  override _read(): void {
    this.#stdout.resume();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    // Remaining output is read and discarded, since the command might wait for a reader.
    this.#stdout.removeAllListeners('data');
    this.#stdout.resume();
    callback(error);
  }
}

/** The input of a command. Its errors are ignored: if the command no longer reads, its end says more. */
export class ServerCommandInput extends Writable {
  readonly #stdin: Writable;
  #handed = 0;

  constructor(stdin: Writable) {
    super({ decodeStrings: true });
    this.#stdin = stdin;
    stdin.on('error', () => undefined);
  }

  /** The bytes that the command has taken. */
  get handed(): number {
    return this.#handed;
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, callback: () => void): void {
    this.#stdin.write(bytes, () => {
      this.#handed += bytes.length;
      callback();
    });
  }

  override _final(callback: () => void): void {
    this.#stdin.end(() => callback());
  }
}
