import { pipeline, type Readable, Transform, type TransformCallback, type Writable } from 'node:stream';

/** The longest batch whose requests are answered one by one, in bytes. */
const LONGEST_BATCH = 1024 * 1024;
const NEWLINE = 0x0a;
const BRACKET = 0x5b;
const BLANKS: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0d]);
const INVALID_REQUEST = -32_600;

/**
 * The input without the lines that are batches of messages. Revision 2025-03-26 of the protocol has them, the next one
 * has not, and the SDK drops them without an answer. Each of their requests gets an error.
 */
export function withoutBatches(input: Readable, output: Writable): Readable {
  // The reader of the result learns of its end, and of errors.
  return pipeline(input, new BatchFilter(output), () => undefined);
}

class BatchFilter extends Transform {
  readonly #output: Writable;
  /** Whether the next byte is the first of a line, but for blanks. */
  #atStart = true;
  /** The current line, if it is a batch. */
  #batch: Buffer[] | undefined;
  #batchBytes = 0;

  constructor(output: Writable) {
    super();
    this.#output = output;
  }

  override _transform(bytes: Buffer, _: BufferEncoding, done: TransformCallback): void {
    for (let at = 0; at < bytes.length;) {
      const newline = bytes.indexOf(NEWLINE, at);
      const end = newline === -1 ? bytes.length : newline + 1;
      this.#take(bytes.subarray(at, end), newline !== -1);
      at = end;
    }
    done();
  }

  /** Takes a part of a line. */
  #take(part: Buffer, isEnd: boolean): void {
    const first = this.#atStart ? part.find((byte) => !BLANKS.has(byte)) : undefined;
    if (first === BRACKET) {
      this.#batch = [];
      this.#batchBytes = 0;
    }
    this.#atStart = isEnd || (this.#atStart && first === undefined);
    if (this.#batch === undefined) {
      this.push(part);
      return;
    }
    this.#batchBytes += part.length;
    if (this.#batchBytes <= LONGEST_BATCH) {
      this.#batch.push(part);
    }
    if (isEnd) {
      this.#refuse(this.#batchBytes <= LONGEST_BATCH ? Buffer.concat(this.#batch).toString() : '[]');
      this.#batch = undefined;
    }
  }

  #refuse(line: string): void {
    let messages: readonly unknown[];
    try {
      messages = JSON.parse(line) as readonly unknown[];
    } catch {
      return; // As every line that is no JSON.
    }
    const ids = messages.map(requestId).filter((id) => id !== undefined);
    const error = {
      code: INVALID_REQUEST,
      message: 'Batches are not supported: send each message on a line of its own.',
    };
    for (const id of ids.length === 0 ? [null] : ids) {
      this.#output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`);
    }
  }
}

/** The id of a request; undefined for anything else. */
function requestId(message: unknown): string | number | undefined {
  if (typeof message !== 'object' || message === null || !('method' in message) || !('id' in message)) {
    return undefined;
  }
  const { id } = message;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
