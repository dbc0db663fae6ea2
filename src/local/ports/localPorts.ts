import { accessSync, constants } from 'node:fs';
import { connect, type Socket } from 'node:net';

import type { PortListener, ProcessIdentity } from '../../core/index.js';
import { type ProcessRow, readRow } from '../marks/processTable.js';
import { type Kin, lineageOf, PortListeners, type PortViewer } from './portListeners.js';
import { SocketHistory } from './socketHistory.js';

/** The TCP ports of this machine, as one backend sees them. */
export class LocalPorts {
  readonly #history = new SocketHistory();
  readonly #processOf: (lineage: readonly Kin[]) => string | undefined;

  constructor(processOf: (lineage: readonly Kin[]) => string | undefined) {
    this.#processOf = processOf;
  }

  /** Whether this system can name listeners: Linux can, if `/proc` is there. */
  static get areListed(): boolean {
    try {
      accessSync('/proc/net/tcp', constants.R_OK);
      return process.platform === 'linux';
    } catch {
      return false;
    }
  }

  /**
   * Takes note of the sockets that listen at the start of a process. The start does not wait for it: the list is
   * usually there before a child can listen.
   *
   * @returns the number of the look; undefined if it could not be had. Never rejects.
   */
  async lookAtStart(): Promise<number | undefined> {
    return LocalPorts.areListed
      ? this.#history.look().then(
          ({ number }) => number,
          () => undefined,
        )
      : undefined;
  }

  /** @param atStart The result of {@link lookAtStart}, called when the viewer was started. */
  listenersFor(viewer: PortViewer, atStart: Promise<number | undefined>): PortListeners {
    return new PortListeners({ history: this.#history, viewer, atStart, processOf: this.#processOf });
  }

  /** Whether anything listens at a port of this machine. A connection is tried only if listeners cannot be listed. */
  async isListening(port: number): Promise<boolean> {
    const sockets = LocalPorts.areListed ? (await this.#history.look()).sockets : undefined;
    return sockets?.some((socket) => socket.port === port) ?? isReachable(port);
  }
}

/** A process that listens at a port; without an identity if it cannot be seen, or if this program needs it. */
export interface ListeningProcess extends PortListener {
  readonly identity: ProcessIdentity | undefined;
}

/**
 * The processes of this machine that listen at a port, whoever has started them.
 *
 * @returns undefined if this system cannot name them.
 */
export async function processesAt(port: number): Promise<readonly ListeningProcess[] | undefined> {
  if (!LocalPorts.areListed) {
    return undefined;
  }
  const nobody = { includes: () => false, members: () => Promise.resolve([]) };
  const ports = new LocalPorts(() => undefined);
  const listeners = await ports.listenersFor(nobody, Promise.resolve(undefined)).at(port);
  return listeners.map((listener) => {
    const row = listener.pid === undefined ? undefined : readRow(listener.pid);
    const canEnd = row !== undefined && !isNeeded(row);
    return { ...listener, identity: canEnd ? { pid: row.pid, startTime: row.startTime } : undefined };
  });
}

/**
 * Whether ending a process would end this program or the machine, or another window of VS Code: a child of the same
 * parent. Exported for its test.
 */
export function isNeeded({ pid, ppid }: Pick<ProcessRow, 'pid' | 'ppid'>): boolean {
  const isSibling = ppid === process.ppid && ppid > 1;
  return pid === 1 || isSibling || lineageOf(process.pid).some((kin) => kin.pid === pid);
}

/**
 * How long a connection within this machine may take, in milliseconds. A listener with a full queue does not answer.
 */
const CONNECT_LIMIT_MS = 1_000;
/** The loopback addresses at which a server may listen, at one or both. */
const ADDRESSES = ['127.0.0.1', '::1'];

/** Whether a TCP port of this machine's loopback addresses takes connections: one is opened and closed. */
export async function isReachable(port: number): Promise<boolean> {
  const found = await Promise.all(ADDRESSES.map((host) => takesConnections({ host, port })));
  return found.includes(true);
}

/** Exported for its test, which needs the port at this end. */
export function takesConnections(address: {
  readonly host: string;
  readonly port: number;
  readonly localPort?: number;
}): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    const settle = (takes: boolean) => {
      socket.destroy();
      resolve(takes);
    };
    socket.setTimeout(CONNECT_LIMIT_MS, () => settle(false));
    socket.once('connect', () => settle(!isWithItself(socket)));
    socket.on('error', () => settle(false));
  });
}

/** The kernel may choose the probed port for this end of the connection, and then connects the socket to itself. */
function isWithItself({ localPort, remotePort }: Socket): boolean {
  return localPort === remotePort;
}
