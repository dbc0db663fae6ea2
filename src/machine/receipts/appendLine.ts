import { stat, type FileHandle } from 'node:fs/promises';

import { openOwnToAppend } from './openOwn.js';

const LINE_FEED = 0x0a;

/**
 * Appends lines to a file to which other processes append too, and which one of them may replace by a shorter one. Each
 * line is one write, which the system puts at the end of the file in one piece.
 */
export class LineAppender {
  readonly #file: string;
  #handle: FileHandle | undefined;
  /** Whether the file may end within a line: that of a writer that was killed, or of a disk that was full. */
  #torn = true;

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Not to be called again before it has settled.
   *
   * @returns the size of the file afterwards, in bytes.
   * @throws Error if the line is not there, or only a part of it.
   */
  async append(line: string): Promise<number> {
    for (;;) {
      const handle = await this.#open();
      const bytes = Buffer.from(`${this.#torn ? await this.#newLine(handle) : ''}${line}\n`);
      this.#torn = true;
      const { bytesWritten } = await handle.write(bytes, 0, bytes.length, null);
      if (bytesWritten < bytes.length) {
        throw new Error('the disk is full');
      }
      this.#torn = false;
      const [written, named] = await Promise.all([
        handle.stat({ bigint: true }),
        stat(this.#file, { bigint: true }).catch(() => undefined),
      ]);
      // Whoever replaces the file takes over what was appended to it before that, and not what comes later.
      if (written.ino === named?.ino && written.dev === named.dev) {
        return Number(written.size);
      }
      await this.close();
    }
  }

  /** Resolves once what was appended would outlast a failure of the machine. */
  async sync(): Promise<void> {
    await this.#handle?.datasync();
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  async #open(): Promise<FileHandle> {
    if (this.#handle === undefined) {
      this.#handle = await openOwnToAppend(this.#file);
      this.#torn = true;
    }
    return this.#handle;
  }

  /** A line feed if the last line has none. */
  async #newLine(handle: FileHandle): Promise<string> {
    const { size } = await handle.stat();
    const last = Buffer.alloc(1);
    if (size > 0) {
      await handle.read(last, 0, 1, size - 1);
    }
    return size === 0 || last[0] === LINE_FEED ? '' : '\n';
  }
}
