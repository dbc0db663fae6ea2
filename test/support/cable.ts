import { once } from 'node:events';
import net from 'node:net';

/** A direction as the client sees it, which opens the connection. */
export type Direction = 'toServer' | 'toClient';
export type Side = 'server' | 'client';

/**
 * A TCP cable between clients and a server on the loopback, which can be cut, blocked and unplugged. It passes bytes on
 * as they arrive and knows nothing of their meaning.
 */
export class Cable {
  /** The port to which clients connect. It stays the same while the cable exists. */
  readonly port: number;
  /** The port of the server. A change applies to later connections. */
  targetPort: number;
  readonly #wires = new Set<Wire>();
  #listener: net.Server;
  #opened = 0;
  #blocked = false;
  #cutAfter: CutAfter | undefined;
  #awaited: Awaited | undefined;

  static async open(targetPort: number): Promise<Cable> {
    const listener = net.createServer();
    await listen(listener, 0);
    return new Cable(targetPort, listener);
  }

  private constructor(targetPort: number, listener: net.Server) {
    this.targetPort = targetPort;
    this.port = (listener.address() as net.AddressInfo).port;
    this.#listener = listener.on('connection', this.#connect);
  }

  get url(): string {
    return `ws://127.0.0.1:${this.port}`;
  }

  /** The number of open connections of clients. */
  get connections(): number {
    return [...this.#wires].filter(({ client }) => !client.destroyed).length;
  }

  /** The number of connections of clients so far, open or not. */
  get opened(): number {
    return this.#opened;
  }

  /**
   * Ends every connection without a goodbye: both sides get a reset, and everything on its way is lost. With one side
   * named, only that side notices; the other keeps believing in a connection on which nothing arrives any more.
   */
  cut(side?: Side): void {
    for (const wire of [...this.#wires]) {
      wire.mute();
      if (side !== 'server') reset(wire.client);
      if (side !== 'client') reset(wire.server);
    }
  }

  /** From now on no byte passes in either direction, on old and new connections, and neither side is notified. */
  block(): void {
    this.#blocked = true;
    for (const wire of this.#wires) wire.block();
  }

  /** Lets bytes pass again, those that were held back first. */
  unblock(): void {
    this.#blocked = false;
    for (const wire of this.#wires) wire.unblock();
  }

  /** Refuses new connections; open ones stay. */
  refuse(): void {
    this.#listener.close();
  }

  /** Takes connections again, on the same port. */
  async accept(): Promise<void> {
    if (this.#listener.listening) return;
    const listener = net.createServer().on('connection', this.#connect);
    await listen(listener, this.port);
    this.#listener = listener;
  }

  /**
   * Lets this many more bytes pass in a direction, all connections together, and cuts them all before the next one.
   * Resolves after the cut. With 0 bytes the next message is lost.
   */
  cutAfter(bytes: number, direction: Direction): Promise<void> {
    return new Promise((resolve) => {
      this.#cutAfter = { left: bytes, direction, done: resolve };
    });
  }

  /** Resolves once these bytes have been passed on in a direction. Only one such wait at a time. */
  untilPassed(text: string, direction: Direction): Promise<void> {
    return new Promise((resolve) => {
      this.#awaited = { text, direction, tail: '', done: resolve };
    });
  }

  dispose(): void {
    this.#listener.close();
    for (const { client, server } of [...this.#wires]) {
      client.destroy();
      server.destroy();
    }
  }

  readonly #connect = (client: net.Socket): void => {
    this.#opened += 1;
    const server = net.connect({ port: this.targetPort, host: '127.0.0.1', noDelay: true });
    client.setNoDelay(true);
    const wire = new Wire(client, server, (direction, bytes) => this.#pass(wire, direction, bytes));
    this.#wires.add(wire);
    for (const socket of [client, server]) {
      socket.once('close', () => {
        if (client.destroyed && server.destroyed) this.#wires.delete(wire);
      });
    }
    if (this.#blocked) wire.block();
  };

  #pass(wire: Wire, direction: Direction, bytes: Buffer): void {
    const limit = this.#cutAfter;
    if (limit?.direction !== direction) {
      const awaited = this.#awaited?.direction === direction ? this.#awaited : undefined;
      wire.send(direction, bytes, awaited && (() => this.#look(awaited, bytes)));
    } else if (bytes.byteLength <= limit.left) {
      limit.left -= bytes.byteLength;
      wire.send(direction, bytes);
    } else {
      this.#cutAfter = undefined;
      // Nothing may follow while these are on their way.
      for (const other of this.#wires) other.block();
      wire.send(direction, bytes.subarray(0, limit.left), () => {
        this.cut();
        limit.done();
      });
    }
  }

  #look(awaited: Awaited, bytes: Buffer): void {
    const seen = awaited.tail + bytes.toString('latin1');
    awaited.tail = seen.slice(-awaited.text.length);
    if (this.#awaited === awaited && seen.includes(awaited.text)) {
      this.#awaited = undefined;
      awaited.done();
    }
  }
}

interface Awaited {
  readonly text: string;
  readonly direction: Direction;
  /** The end of the bytes so far: the text may come in two pieces. */
  tail: string;
  readonly done: () => void;
}

interface CutAfter {
  left: number;
  readonly direction: Direction;
  readonly done: () => void;
}

/** One connection: two sockets and what goes between them. */
class Wire {
  readonly client: net.Socket;
  readonly server: net.Socket;
  #muted = false;
  #blocked = false;

  constructor(client: net.Socket, server: net.Socket, pass: (direction: Direction, bytes: Buffer) => void) {
    this.client = client;
    this.server = server;
    this.#join(client, server, (bytes) => pass('toServer', bytes));
    this.#join(server, client, (bytes) => pass('toClient', bytes));
  }

  /** From now on the sides are separate: bytes from one do not reach the other. */
  mute(): void {
    this.#muted = true;
  }

  /** Writes to the end of a direction; `sent` is called when the kernel has it, which on the loopback is enough. */
  send(direction: Direction, bytes: Buffer, sent?: () => void): void {
    const [from, to] = direction === 'toServer' ? [this.client, this.server] : [this.server, this.client];
    if (to.write(bytes, sent)) return;
    // A slow reader slows its writer down, as it would without the cable.
    from.pause();
    to.once('drain', () => {
      if (!this.#blocked) from.resume();
    });
  }

  block(): void {
    this.#blocked = true;
    this.client.pause();
    this.server.pause();
  }

  unblock(): void {
    this.#blocked = false;
    this.client.resume();
    this.server.resume();
  }

  #join(from: net.Socket, to: net.Socket, pass: (bytes: Buffer) => void): void {
    from.on('data', (bytes: Buffer) => {
      if (!this.#muted) pass(bytes);
    });
    from.once('end', () => {
      if (!this.#muted) to.end();
    });
    // If one side is refused or reset, the other is reset as well.
    from.once('error', () => {
      if (!this.#muted) reset(to);
    });
    from.once('close', () => {
      if (!this.#muted) to.destroySoon();
    });
  }
}

/**
 * Ends a socket with a reset. `resetAndDestroy` first writes pending bytes and says goodbye; a cut cable does neither.
 * This sets the mark that it sets for the end: without the mark there would be no reset, as the cable's own tests would
 * notice.
 */
function reset(socket: net.Socket): void {
  Reflect.set(socket, 'resetAndClosing', true);
  socket.destroy();
}

async function listen(listener: net.Server, port: number): Promise<void> {
  listener.listen(port, '127.0.0.1');
  await once(listener, 'listening');
}
