import { FRAME_MARK, FrameReader } from './frameReader.js';
import { LineSplitter } from './lineSplitter.js';

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
