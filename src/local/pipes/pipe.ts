import { closeSync } from 'node:fs';

/**
 * One anonymous pipe: two descriptors that are marked close-on-exec. A child that gets one end gets a copy; this
 * process closes its own.
 */
export class Pipe {
  #readEnd: number | undefined;
  #writeEnd: number | undefined;

  constructor(readEnd: number, writeEnd: number) {
    this.#readEnd = readEnd;
    this.#writeEnd = writeEnd;
  }

  get readEnd(): number {
    return open(this.#readEnd);
  }

  get writeEnd(): number {
    return open(this.#writeEnd);
  }

  /** From now on the caller closes this end. */
  takeReadEnd(): number {
    const end = this.readEnd;
    this.#readEnd = undefined;
    return end;
  }

  takeWriteEnd(): number {
    const end = this.writeEnd;
    this.#writeEnd = undefined;
    return end;
  }

  /** Closes the ends that were not taken. */
  close(): void {
    for (const end of [this.#readEnd, this.#writeEnd]) {
      if (end !== undefined) {
        closeSync(end);
      }
    }
    this.#readEnd = this.#writeEnd = undefined;
  }
}

function open(end: number | undefined): number {
  if (end === undefined) {
    throw new Error('This end of the pipe is not here any more.');
  }
  return end;
}
