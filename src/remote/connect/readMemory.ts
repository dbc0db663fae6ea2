import type { ReadMemory } from './connectInPlace.js';

/** Room for several frames of output: those that lie in two reads have to be put together, in new memory. */
const IN_PLACE_BYTES = 256 * 1024;
/** What Node itself takes for a read. */
const READ_BYTES = 64 * 1024;

/** For listeners that keep nothing of what they get: the same memory for every read. */
export function sameMemory(): ReadMemory {
  const memory = Buffer.allocUnsafeSlow(IN_PLACE_BYTES);
  return { next: () => memory, handOn: (bytes, listeners) => listeners(bytes) };
}

/**
 * For a WebSocket, which keeps what it has got of a message until all of it is there. Two pieces of memory take turns:
 * one is used again once a message was complete that begins in it and ends in a later read, or at the very end of its
 * own. In between, and until the server sends bytes, the WebSocket gets a copy of each read.
 */
export class WebSocketMemory implements ReadMemory {
  #turns: readonly Buffer[] = [];
  readonly #copied = Buffer.allocUnsafeSlow(READ_BYTES);
  /** Of which the WebSocket may still have something. */
  readonly #kept = new Set<ArrayBufferLike>();
  #handingOn = false;
  /** The last message that was complete in this read. */
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

  /** The WebSocket has a message, which is part of what is being handed on, or a copy. */
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

/** Whether the message lies at the end of what was read. */
function endsWith(bytes: Buffer, message: Buffer): boolean {
  return (
    message.buffer === bytes.buffer &&
    message.byteOffset + message.byteLength === bytes.byteOffset + bytes.byteLength
  );
}
