import { ExecError, onAbort } from '../../core/index.js';
import { CLIENT_MAX_MESSAGE_BYTES, lineTransport, type Transport } from '../../protocol/index.js';
import { connectInPlace } from './connectInPlace.js';
import type { Connector } from './connector.js';
import { networkFailure } from './networkFailure.js';
import { sameMemory } from './readMemory.js';

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
          const options = { maxLineBytes: CLIENT_MAX_MESSAGE_BYTES, carriesBytes: true };
          resolve(lineTransport(socket, socket, { peer: `socket ${path}`, ...options }));
        });
        const aborted = onAbort(signal, () => {
          socket.destroy();
          reject(signal.reason as Error);
        });
      }),
  };
}
