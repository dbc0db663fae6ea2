/**
 * The first byte of a binary message between lines; no JSON text begins with it. The length of the message follows in
 * four bytes, most significant first, and then the message.
 */
export const FRAME_MARK = 0x00;
const HEADER_BYTES = 5;
const NOTHING = Buffer.alloc(0);
/**
 * The memory for an incomplete frame, in bytes: at least enough for frames of output. Memory above the maximum is not
 * kept for the next frame.
 */
const LEAST_HELD = 80 * 1024;
const MOST_HELD = 1024 * 1024;

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
export class FrameReader {
  readonly #maxBytes: number;
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #headerBytes = 0;
  /** The bytes so far of a frame that arrives in several pieces. The memory is reused for the next one. */
  #held = NOTHING;
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
      this.#held = Buffer.allocUnsafeSlow(Math.max(length, LEAST_HELD));
    }
    const taken = bytes.copy(this.#held, this.#heldBytes, start, start + length - this.#heldBytes);
    this.#heldBytes += taken;
    if (this.#heldBytes < length) {
      return { end: start + taken, message: undefined };
    }
    const message = this.#held.subarray(0, length);
    this.#heldBytes = 0;
    this.#headerBytes = 0;
    if (length > MOST_HELD) {
      this.#held = NOTHING;
    }
    return { end: start + taken, message };
  }
}
