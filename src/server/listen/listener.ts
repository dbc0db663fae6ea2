import type net from 'node:net';

import type { Transport } from '../../protocol/index.js';
import { listenError } from './startError.js';

/** Takes the connections of a listener, each once it is open. */
export type Accept = (transport: Transport) => void;

/** Where clients come in. */
export interface Listener {
  /** What a client is told to connect to. */
  readonly url: string;
  /** Lets nobody in any more. Those who are in stay. */
  close(): void;
}

/** Resolves once a server listens. @throws StartError */
export function listening(server: net.Server, where: net.ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error) => reject(listenError(error));
    server.once('error', failed);
    server.listen(where, () => {
      server.off('error', failed);
      // One connection that cannot be accepted, for want of descriptors say, is not the end of the others.
      server.on('error', () => undefined);
      resolve();
    });
  });
}
