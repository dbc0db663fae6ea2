import net from 'node:net';

/** The memory into which a socket reads. */
export interface ReadMemory {
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
