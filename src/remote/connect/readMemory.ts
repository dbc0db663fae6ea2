import type { ReadMemory } from './connectInPlace.js';

/**
 * The size of a piece of memory. It holds several frames of output: a frame that lies in two reads has to be put
 * together in new memory.
 */
const IN_PLACE_BYTES = 256 * 1024;
/** The size of Node's own reads. */
const READ_BYTES = 64 * 1024;

/** Memory for listeners that keep no bytes: the same for every read. */
export function sameMemory(): ReadMemory {
  const memory = Buffer.allocUnsafeSlow(IN_PLACE_BYTES);
  return { next: () => memory, handOn: (bytes, listeners) => listeners(bytes) };
}

/**
 * Memory for a WebSocket, which keeps the bytes of a message until the message is complete. Two pieces of memory take
 * turns. A piece can be reused once a message that begins in it is complete, and ends in a later read or exactly with
 * its read. In between, and until the server sends binary messages, the WebSocket gets a copy of each read.
 */
export class WebSocketMemory implements ReadMemory {
  #turns: readonly Buffer[] = [];
  readonly #copied = Buffer.allocUnsafeSlow(READ_BYTES);
  /** The memory that the WebSocket may still refer to. */
  readonly #kept = new Set<ArrayBufferLike>();
  #handingOn = false;
  /** The last message that the current read has completed. */
  #message: Buffer | undefined;

  next(): Buffer {
    return this.#turns.find(({ buffer }) => !this.#kept.has(buffer)) ?? this.#copied;
  }

  handOn(bytes: Buffer, listeners: (bytes: Buffer) => void): void {
    const inPlace = bytes.buffer !== this.#copied.buffer;
    this.#handingOn = true;
    listeners(inPlace ? bytes : Buffer.from(new Uint8Array(bytes).buffer));
    this.#handingOn = false;
    const message = this.#message;
    this.#message = undefined;
    if (message !== undefined) {
      this.#kept.clear();
    }
    if (inPlace && (message === undefined || !endsWith(bytes, message))) {
      this.#kept.add(bytes.buffer);
    }
  }

  /** Notes that the WebSocket has delivered a message, which is part of the current read, or a copy. */
  complete(message: Buffer, isBinary: boolean): void {
    if (!this.#handingOn) {
      return;
    }
    this.#message = message;
    if (isBinary && this.#turns.length === 0) {
      this.#turns = [Buffer.allocUnsafeSlow(IN_PLACE_BYTES), Buffer.allocUnsafeSlow(IN_PLACE_BYTES)];
    }
  }
}

/** Whether the message lies at the end of a read's bytes. */
function endsWith(bytes: Buffer, message: Buffer): boolean {
  return (
    message.buffer === bytes.buffer &&
    message.byteOffset + message.byteLength === bytes.byteOffset + bytes.byteLength
  );
}
