import { isUtf8 } from 'node:buffer';

/**
 * Puts messages together from bytes that arrive in arbitrary pieces: lines, and frames between them if frames are
 * expected.
 */
export class MessageSplitter {
  readonly #lines: LineSplitter;
  readonly #frames: FrameReader;
  readonly #expectsFrames: () => boolean;

  /**
   * @param maxBytes The longest line, and the longest frame.
   * @param expectsFrames Called at the beginning of each message, since the previous message may have changed the
   *   answer.
   */
  constructor(maxBytes: number, expectsFrames: () => boolean) {
    this.#lines = new LineSplitter(maxBytes);
    this.#frames = new FrameReader(maxBytes);
    this.#expectsFrames = expectsFrames;
  }

  /**
   * @returns The messages that are complete now.
   * @throws LineTooLongError, FrameTooLongError
   */
  *push(bytes: Buffer): Generator<string | Buffer> {
    for (let start = 0; start < bytes.length;) {
      const { end, message } = this.#isFrame(bytes, start)
        ? this.#frames.take(bytes, start)
        : this.#lines.take(bytes, start);
      if (message !== undefined) {
        yield message;
      }
      start = end;
    }
  }

  #isFrame(bytes: Buffer, start: number): boolean {
    return this.#frames.begun || (bytes[start] === FRAME_MARK && !this.#lines.begun && this.#expectsFrames());
  }
}

/** The error of a line that is longer than allowed. */
export class LineTooLongError extends Error {
  constructor(maxBytes: number) {
    super(`the other side sent a line of more than ${maxBytes} bytes`);
    this.name = 'LineTooLongError';
  }
}

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** The least memory for an incomplete line, in bytes: about the size of one read. */
const LEAST_HELD_OF_LINE = 64 * 1024;

/**
 * Puts lines together from bytes that arrive in arbitrary pieces. Blank lines are left out, as are carriage returns
 * before newlines.
 */
class LineSplitter {
  readonly #maxBytes: number;
  /**
   * The beginning of an incomplete line, as a copy: many tiny pieces, kept as they arrive, would take far more memory.
   */
  #held = NO_BYTES;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether a line has begun and is not complete. */
  get begun(): boolean {
    return this.#bytes > 0;
  }

  /**
   * Takes from `bytes` the part that belongs to one line.
   *
   * @returns the end of that part, and the line if it is complete now, unless it is blank.
   * @throws LineTooLongError
   */
  take(bytes: Buffer, start: number): { readonly end: number; readonly message: string | undefined } {
    const newline = bytes.indexOf(NEWLINE, start);
    const piece = bytes.subarray(start, newline === -1 ? bytes.length : newline);
    if (this.#bytes + piece.length > this.#maxBytes) {
      throw new LineTooLongError(this.#maxBytes);
    }
    if (newline === -1) {
      this.#hold(piece);
      return { end: bytes.length, message: undefined };
    }
    const line = this.#complete(piece);
    return { end: newline + 1, message: line.trim() === '' ? undefined : line };
  }

  #hold(piece: Buffer): void {
    const bytes = this.#bytes + piece.length;
    if (bytes > this.#held.length) {
      // Doubling the memory each time keeps the time for copying proportional to the length of the line.
      const larger = Buffer.allocUnsafeSlow(
        Math.min(Math.max(2 * bytes, LEAST_HELD_OF_LINE), this.#maxBytes),
      );
      this.#held.copy(larger, 0, 0, this.#bytes);
      this.#held = larger;
    }
    piece.copy(this.#held, this.#bytes);
    this.#bytes = bytes;
  }

  #complete(last: Buffer): string {
    let line = last;
    if (this.#bytes > 0) {
      this.#hold(last);
      line = this.#held.subarray(0, this.#bytes);
      this.#held = NO_BYTES;
      this.#bytes = 0;
    }
    return decodeText(line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line);
  }
}

/**
 * The first byte of a binary message between lines; no JSON text begins with it. The length of the message follows in
 * four bytes, most significant first, and then the message.
 */
const FRAME_MARK = 0x00;
const HEADER_BYTES = 5;
const NO_BYTES = Buffer.alloc(0);
/**
 * The memory for an incomplete frame, in bytes: at least enough for frames of output. Memory above the maximum is not
 * kept for the next frame.
 */
const LEAST_HELD_OF_FRAME = 80 * 1024;
const MOST_HELD_OF_FRAME = 1024 * 1024;

/** The error of a frame that is longer than allowed. */
export class FrameTooLongError extends Error {
  constructor(maxBytes: number) {
    super(`the other side sent a frame of more than ${maxBytes} bytes`);
    this.name = 'FrameTooLongError';
  }
}

/** The header of a frame, for a message of this length in bytes. */
export function frameHeader(length: number): Buffer {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  header[0] = FRAME_MARK;
  header.writeUInt32BE(length, 1);
  return header;
}

/** Puts frames together from bytes that arrive in arbitrary pieces. */
class FrameReader {
  readonly #maxBytes: number;
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #headerBytes = 0;
  /** The bytes so far of a frame that arrives in several pieces. The memory is reused for the next one. */
  #held = NO_BYTES;
  #heldBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether a frame has begun and is not complete. */
  get begun(): boolean {
    return this.#headerBytes > 0;
  }

  /**
   * Takes from `bytes` the part that belongs to one frame.
   *
   * @returns the end of that part, and the frame if it is complete now. The frame is valid until the next call, and
   *   only as long as `bytes` is.
   * @throws FrameTooLongError
   */
  take(bytes: Buffer, start: number): { readonly end: number; readonly message: Buffer | undefined } {
    let end = start;
    if (this.#headerBytes < HEADER_BYTES) {
      const taken = bytes.copy(
        this.#header,
        this.#headerBytes,
        start,
        start + HEADER_BYTES - this.#headerBytes,
      );
      this.#headerBytes += taken;
      end += taken;
      if (this.#headerBytes < HEADER_BYTES) {
        return { end, message: undefined };
      }
    }
    const length = this.#header.readUInt32BE(1);
    if (length > this.#maxBytes) {
      throw new FrameTooLongError(this.#maxBytes);
    }
    if (this.#heldBytes === 0 && end + length <= bytes.length) {
      this.#headerBytes = 0;
      return { end: end + length, message: bytes.subarray(end, end + length) };
    }
    return this.#hold(bytes, end, length);
  }

  #hold(bytes: Buffer, start: number, length: number): { end: number; message: Buffer | undefined } {
    if (this.#held.length < length) {
      this.#held = Buffer.allocUnsafeSlow(Math.max(length, LEAST_HELD_OF_FRAME));
    }
    const taken = bytes.copy(this.#held, this.#heldBytes, start, start + length - this.#heldBytes);
    this.#heldBytes += taken;
    if (this.#heldBytes < length) {
      return { end: start + taken, message: undefined };
    }
    const message = this.#held.subarray(0, length);
    this.#heldBytes = 0;
    this.#headerBytes = 0;
    if (length > MOST_HELD_OF_FRAME) {
      this.#held = NO_BYTES;
    }
    return { end: start + taken, message };
  }
}

/** The mark before invalid UTF-8. No JSON text begins with it, so the text is not taken for a message. */
const NO_TEXT = '\ufffd';

/**
 * Decodes the text of a message. Invalid UTF-8 is decoded as far as possible, for a log, and marked so that it is no
 * longer a message. Otherwise it could become a command or a path that the peer never wrote.
 */
export function decodeText(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString() : NO_TEXT + bytes.toString();
}
