import type net from 'node:net';

import { listenError } from './startError.js';

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
