import { CLIENT_MAX_MESSAGE_BYTES, lineTransport, type Transport } from '../../protocol/index.js';
import { ExecError, onAbort } from '../../core/index.js';
import { connectInPlace, sameMemory } from './connectInPlace.js';
import { networkFailure } from './networkFailure.js';

/** A way to connect to a server, any number of times. */
export interface Connector {
  /** The name of the target, for people; it contains no secrets. */
  readonly label: string;
  /** Whether the server is reached through a program that this side starts. */
  readonly isCommand?: boolean;
  /** Whether a first connection may take long, since it installs something or asks people, and limits its time itself. */
  readonly limitsItself?: boolean;
  /**
   * Opens a transport.
   *
   * @param again Whether it takes the place of one that ended: the attempt is given up soon, and another one follows.
   * @throws ExecError of a {@link ConnectFailure}; the reason of `signal` if that is aborted first.
   */
  connect(signal: AbortSignal, again?: boolean): Promise<Transport>;
}

/** Reaches a server over a Unix socket, or a named pipe of Windows. */
export function socketConnector(path: string): Connector {
  return {
    label: path,
    connect: (signal) =>
      new Promise<Transport>((resolve, reject) => {
        const socket = connectInPlace({ path }, sameMemory());
        socket.once('error', (error) => {
          aborted.dispose();
          reject(new ExecError(networkFailure(error, path, path)));
        });
        socket.once('connect', () => {
          aborted.dispose();
          resolve(
            lineTransport(socket, socket, {
              peer: `socket ${path}`,
              maxLineBytes: CLIENT_MAX_MESSAGE_BYTES,
              carriesBytes: true,
              signs: () => ({
                received: socket.bytesRead,
                handed: socket.bytesWritten - socket.writableLength,
                waiting: socket.writableLength,
              }),
            }),
          );
        });
        const aborted = onAbort(signal, () => {
          socket.destroy();
          reject(signal.reason as Error);
        });
      }),
  };
}
