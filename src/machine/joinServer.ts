import type net from 'node:net';

import { type MachineOptions, reachServer } from './reachServer.js';
import { connectSocket, meansNobodyListens } from './unixSocket.js';

/** Variables of the connection that this program came over, which mean nothing once the connection has ended. */
const OF_CONNECTION = ['SSH_AUTH_SOCK', 'SSH_CLIENT', 'SSH_CONNECTION', 'SSH_TTY'];

/**
 * Connects a socket to the session server of this account, which is started if need be. The server outlives the
 * connection over which this program came here, and gets no variables of it.
 *
 * @throws StartError, NodeJS.ErrnoException
 */
export async function joinServer(options: MachineOptions): Promise<net.Socket> {
  const env = Object.fromEntries(
    Object.entries(options.env).filter(([name]) => !OF_CONNECTION.includes(name)),
  );
  const socket = await reachServer({ ...options, env, start: true }, async (found) => {
    try {
      return await connectSocket(found.socket);
    } catch (error) {
      if (meansNobodyListens(error)) {
        return undefined;
      }
      throw error;
    }
  });
  if (socket === undefined) {
    throw new Error('A session server that was to be started is missing.');
  }
  return socket;
}
