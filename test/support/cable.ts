import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';

import { SlowLink, type Slowness } from './slowLink.js';
import { untilTold } from './until.js';

/** A port on the loopback, or the file of a Unix socket. */
export type Place = number | string;

/** A direction as the client sees it, which opens the connection. */
export type Direction = 'toServer' | 'toClient';
export type Side = 'server' | 'client';

/**
 * A cable between clients and a server on the loopback or a Unix socket, which can be cut, blocked and unplugged. It
 * passes bytes on as they arrive, or as a slow line would, and knows nothing of their meaning.
 */
export class Cable {
  /** The place to which clients connect. It stays the same while the cable exists. */
  readonly place: Place;
  /** The place of the server. A change applies to later connections. */
  target: Place;
  /** The bytes of clients and servers that have been passed on so far. */
  readonly passed: Record<Direction, number> = { toServer: 0, toClient: 0 };
  readonly #wires = new Set<Wire>();
  readonly #links: Readonly<Record<Direction, SlowLink>>;
  #listener: net.Server;
  #opened = 0;
  #blocked = false;
  #cutAfter: CutAfter | undefined;
  #awaited: Awaited | undefined;

  /**
   * Opens a cable to a server: from a free port to a port, from a file beside it to a Unix socket.
   *
   * @param slowness Makes a slow line of it, which all its connections share; by default it is as fast as it can be.
   */
  static async open(target: Place, slowness?: Slowness): Promise<Cable> {
    const listener = net.createServer();
    await listen(listener, typeof target === 'number' ? 0 : `${target}.${randomUUID().slice(0, 8)}`);
    return new Cable(target, listener, slowness);
  }

  private constructor(target: Place, listener: net.Server, slowness: Slowness | undefined) {
    this.target = target;
    const address = listener.address();
    this.place = address !== null && typeof address === 'object' ? address.port : (address ?? '');
    this.#links = { toServer: new SlowLink(slowness), toClient: new SlowLink(slowness) };
    this.#listener = listener.on('connection', this.#connect);
  }

  get url(): string {
    return `ws://127.0.0.1:${this.place}`;
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
    await listen(listener, this.place);
    this.#listener = listener;
  }

  /**
   * Lets this many more bytes pass in a direction, all connections together, and cuts them all before the next one.
   * Resolves after the cut. With 0 bytes the next message is lost.
   */
  cutAfter(bytes: number, direction: Direction): Promise<void> {
    return untilTold(
      `a cut after ${bytes} bytes ${direction}`,
      () => this.passed,
      (done) => {
        this.#cutAfter = { left: bytes, direction, done };
        return undefined;
      },
    );
  }

  /** Resolves once these bytes have been passed on in a direction. Only one such wait at a time. */
  untilPassed(text: string, direction: Direction): Promise<void> {
    return untilTold(
      `${text} ${direction}`,
      () => this.passed,
      (done) => {
        this.#awaited = { text, direction, tail: '', done };
        return undefined;
      },
    );
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
    const server = net.connect({ ...where(this.target), noDelay: true });
    client.setNoDelay(true);
    const pass: Pass = (direction, bytes) => this.#pass(wire, direction, bytes);
    const wire = new Wire(client, server, this.#links, pass);
    this.#wires.add(wire);
    for (const socket of [client, server]) {
      socket.once('close', () => {
        if (client.destroyed && server.destroyed) this.#wires.delete(wire);
      });
    }
    if (this.#blocked) wire.block();
  };

  #pass(wire: Wire, direction: Direction, bytes: Buffer): void {
    this.passed[direction] += bytes.byteLength;
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
      for (const other of this.#wires) other.deafen();
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

type Pass = (direction: Direction, bytes: Buffer) => void;

/** The most bytes of one direction of a connection that a slow line takes before it slows its writer down. */
const LINE_BUFFER_BYTES = 64 * 1024;

/** One connection: two sockets and what goes between them. */
class Wire {
  readonly client: net.Socket;
  readonly server: net.Socket;
  readonly #links: Readonly<Record<Direction, SlowLink>>;
  readonly #underWay: Record<Direction, number> = { toServer: 0, toClient: 0 };
  #deaf = false;
  #muted = false;
  #blocked = false;
  /** Deliveries that became due while the wire was blocked. */
  #held: (() => void)[] = [];

  constructor(
    client: net.Socket,
    server: net.Socket,
    links: Readonly<Record<Direction, SlowLink>>,
    pass: Pass,
  ) {
    this.client = client;
    this.server = server;
    this.#links = links;
    this.#join('toServer', (bytes) => pass('toServer', bytes));
    this.#join('toClient', (bytes) => pass('toClient', bytes));
  }

  /** From now on the wire takes no more bytes; those on their way still arrive. */
  deafen(): void {
    this.#deaf = true;
  }

  /** From now on the sides are separate: bytes from one do not reach the other, not even those on their way. */
  mute(): void {
    this.#deaf = this.#muted = true;
  }

  /** Writes to the end of a direction; `sent` is called when the kernel has it, which on the loopback is enough. */
  send(direction: Direction, bytes: Buffer, sent?: () => void): void {
    const { from, to } = this.#ends(direction);
    this.#underWay[direction] += bytes.byteLength;
    this.#carry(direction, bytes.byteLength, () => {
      this.#underWay[direction] -= bytes.byteLength;
      // A slow reader slows its writer down, as it would without the cable.
      if (to.write(bytes, sent)) {
        this.#readOn(direction);
      } else {
        from.pause();
      }
    });
    if (this.#underWay[direction] > LINE_BUFFER_BYTES) from.pause();
  }

  block(): void {
    this.#blocked = true;
    this.client.pause();
    this.server.pause();
  }

  unblock(): void {
    this.#blocked = false;
    for (const deliver of this.#held.splice(0)) deliver();
    this.client.resume();
    this.server.resume();
  }

  #ends(direction: Direction): { readonly from: net.Socket; readonly to: net.Socket } {
    return direction === 'toServer'
      ? { from: this.client, to: this.server }
      : { from: this.server, to: this.client };
  }

  #readOn(direction: Direction): void {
    const { from, to } = this.#ends(direction);
    if (!this.#blocked && !to.writableNeedDrain && this.#underWay[direction] <= LINE_BUFFER_BYTES) {
      from.resume();
    }
  }

  #carry(direction: Direction, size: number, deliver: () => void): void {
    this.#links[direction].carry(size, () => {
      if (this.#muted) return;
      if (this.#blocked) this.#held.push(deliver);
      else deliver();
    });
  }

  #join(direction: Direction, pass: (bytes: Buffer) => void): void {
    const { from, to } = this.#ends(direction);
    from.on('data', (bytes: Buffer) => {
      for (const packet of this.#links[direction].packets(bytes)) {
        if (!this.#deaf) pass(packet);
      }
    });
    to.on('drain', () => this.#readOn(direction));
    from.once('end', () => this.#carry(direction, 0, () => to.end()));
    // If one side is refused or reset, the other is reset as well.
    from.once('error', () => {
      if (!this.#muted) reset(to);
    });
    from.once('close', () => this.#carry(direction, 0, () => to.destroySoon()));
  }
}

/**
 * Ends a socket with a reset, which Unix sockets do not have. `resetAndDestroy` first writes pending bytes and says
 * goodbye; a cut cable does neither. This sets the mark that it sets for the end: without the mark there would be no
 * reset, as the cable's own tests would notice.
 *
 * While a socket says goodbye, libuv refuses a reset (`uv_tcp_close_reset`). Node takes it for closed all the same, and
 * its process spins at its end, waiting for that.
 */
function reset(socket: net.Socket): void {
  const saysGoodbye = socket.writableEnded && !socket.writableFinished;
  if ('port' in socket.address() && !saysGoodbye) Reflect.set(socket, 'resetAndClosing', true);
  socket.destroy();
}

function where(place: Place): { readonly host: string; readonly port: number } | { readonly path: string } {
  return typeof place === 'number' ? { host: '127.0.0.1', port: place } : { path: place };
}

async function listen(listener: net.Server, place: Place): Promise<void> {
  listener.listen(where(place));
  await once(listener, 'listening');
}
