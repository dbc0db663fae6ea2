import type { ReadMemory } from './connectInPlace.js';

/** Room for several frames of output: those that lie in two reads have to be put together, in new memory. */
const IN_PLACE_BYTES = 256 * 1024;
/** What Node itself takes for a read. */
const NEW_BYTES = 64 * 1024;

/** For listeners that keep nothing of what they get: the same memory for every read. */
export function sameMemory(): ReadMemory {
  const memory = Buffer.allocUnsafeSlow(IN_PLACE_BYTES);
  return { next: () => memory, handedOn: () => undefined };
}

/**
 * For a WebSocket, which keeps what it has got of a message until all of it is there. Two pieces of memory take turns:
 * one is used again once a message was complete that begins in it and ends in a later read, or at the very end of its
 * own. In between, and until the server sends bytes, each read has new memory, as without this.
 */
export class WebSocketMemory implements ReadMemory {
  #turns: readonly Buffer[] = [];
  /** Of which the WebSocket may still have something. */
  readonly #kept = new Set<ArrayBufferLike>();
  /** The last message that was complete in this read. */
  #message: Buffer | undefined;

  next(): Buffer {
    return this.#turns.find(({ buffer }) => !this.#kept.has(buffer)) ?? Buffer.allocUnsafeSlow(NEW_BYTES);
  }

  /** The WebSocket has a message, while what was read is being handed on. It is part of that, or a copy. */
  complete(message: Buffer, isBinary: boolean): void {
    this.#message = message;
    if (isBinary && this.#turns.length === 0) {
      this.#turns = [Buffer.allocUnsafeSlow(IN_PLACE_BYTES), Buffer.allocUnsafeSlow(IN_PLACE_BYTES)];
    }
  }

  handedOn(bytes: Buffer): void {
    const message = this.#message;
    this.#message = undefined;
    if (message !== undefined) {
      this.#kept.clear();
    }
    if (message === undefined || !endsWith(bytes, message)) {
      this.#kept.add(bytes.buffer);
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
