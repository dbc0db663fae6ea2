import type net from 'node:net';

import type { Transport } from '../../protocol/index.js';
import { listenError } from './startError.js';

/** Takes the connections of a listener, each once it is open. */
export type Accept = (transport: Transport) => void;

/** A place at which clients connect. */
export interface Listener {
  /** The URL that clients connect to. */
  readonly url: string;
  /** Accepts no more clients. Connections that are open stay open. */
  close(): void;
}

/**
 * Resolves once a server listens.
 *
 * @param url The name of the place in an error.
 * @throws StartError
 */
export function listening(server: net.Server, where: net.ListenOptions, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error) => reject(listenError(error, url));
    server.once('error', failed);
    server.listen(where, () => {
      server.off('error', failed);
      // A connection that cannot be accepted, for example for want of descriptors, is not the end of the others.
      server.on('error', () => undefined);
      resolve();
    });
  });
}
