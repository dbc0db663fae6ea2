import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, renameSync, rmSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';

import type { Clock } from '../../core/index.js';
import { lineTransport } from '../../protocol/index.js';
import {
  claimFile,
  connectSocket,
  ensurePrivateFolder,
  LONGEST_SOCKET_PATH,
  meansNobodyListens,
  socketName,
  versionOf,
} from '../../machine/index.js';
import { type Accept, type Listener, listening } from './listener.js';
import { listenError, StartError } from './startError.js';

export interface UnixListener extends Listener {
  /** Whether clients still find it: its file may have been removed, or replaced. */
  isThere(): boolean;
}

/**
 * Listens on a Unix socket that only this user reaches; on Windows, on a named pipe.
 *
 * @throws StartError if that is not possible, for example because another server listens there.
 */
export async function listenUnix(socketFile: string, clock: Clock, accept: Accept): Promise<UnixListener> {
  const url = `unix:${socketFile}`;
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    accept(lineTransport(socket, socket, { peer: url, carriesBytes: true }));
  });
  if (process.platform === 'win32') {
    await listening(server, { path: socketName(socketFile) }, url);
    return { url, isThere: () => true, close: () => server.close() };
  }
  const file = path.resolve(socketFile);
  if (Buffer.byteLength(file) > LONGEST_SOCKET_PATH) {
    throw new StartError(`${file} is too long for a socket: ${LONGEST_SOCKET_PATH} bytes are the most`);
  }
  const folder = path.dirname(file);
  ensurePrivateFolder(folder);
  // The socket listens before it gets its name, so that a client that finds the name finds a server.
  const unnamed = path.join(folder, `.${randomBytes(4).toString('hex')}`);
  const umask = process.umask(0o177);
  const ready = listening(server, { path: unnamed }, url);
  process.umask(umask);
  await ready;
  try {
    chmodSync(unnamed, 0o600);
    await claimFile(file, clock, async () => {
      await checkReplaceable(file);
      renameSync(unnamed, file);
    });
  } catch (error) {
    server.close();
    throw error instanceof StartError ? error : listenError(error as Error, url);
  }
  const version = versionOf(file);
  return {
    url,
    isThere: () => versionOf(file) === version,
    close: () => {
      // The file is removed first: as long as this server listens, no other one replaces it between the check and the
      // removal.
      if (versionOf(file) === version) {
        rmSync(file, { force: true });
      }
      server.close();
    },
  };
}

/** @throws StartError if the file is a socket in use, or no socket. */
async function checkReplaceable(file: string): Promise<void> {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) {
    return;
  }
  if (!found.isSocket()) {
    throw new StartError(`${file} is there already, and is not a socket. Remove it, or choose another place`);
  }
  try {
    (await connectSocket(file)).destroy();
  } catch (error) {
    if (meansNobodyListens(error)) {
      return;
    }
    throw error;
  }
  throw new StartError(`a server listens on ${file} already. Use that one, or choose another place`);
}
