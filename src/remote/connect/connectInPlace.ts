import net from 'node:net';

/** The memory into which a socket reads. */
interface ReadMemory {
  /** The memory for the next read. */
  next(): Buffer;
  /**
   * Passes the bytes of a read, which lie in {@link next}, to the listeners of the socket: in the same memory, or as a
   * copy.
   */
  handOn(bytes: Buffer, listeners: (bytes: Buffer) => void): void;
}

/**
 * Connects a socket that reads into our own memory. New memory for each read makes V8 scan its whole heap again and
 * again. With output in binary frames, a client took 1.6 s of processor time for a GB that way; now it takes 0.7.
 * Listeners of `data` must be added before the socket has connected, and may use the bytes only as long as the memory
 * allows.
 */
export function connectInPlace(to: net.NetConnectOpts, memory: ReadMemory): net.Socket {
  let current: Buffer;
  const onread: net.OnReadOpts = {
    buffer: () => (current = memory.next()),
    callback: (size) => {
      // Bytes are emitted, not pushed: a push would keep them in the socket if an earlier listener had paused it.
      memory.handOn(current.subarray(0, size), (bytes) => socket.emit('data', bytes));
      return true;
    },
  };
  // Avoids net.connect(): VS Code may have replaced it, for proxies, by a function that does not know `onread`.
  const options: net.SocketConstructorOpts & { readonly onread: net.OnReadOpts } = { onread };
  const socket = new net.Socket(options);
  return socket.connect(to);
}

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
