import { connect, type Socket } from 'node:net';

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
