import { createHash } from 'node:crypto';
import net from 'node:net';
import path from 'node:path';

/** The folder of all named pipes of Windows, which can be listed. */
export const PIPES = '\\\\.\\pipe\\';

/** The longest path of a socket on macOS, in bytes; Linux allows four more. */
export const LONGEST_SOCKET_PATH = 103;

/** The place of a socket as Node takes it: on Windows, the name of a pipe that stands for the path. */
export function socketName(file: string): string {
  if (process.platform !== 'win32' || file.startsWith(PIPES)) {
    return file;
  }
  const digest = createHash('sha256').update(path.resolve(file).toLowerCase()).digest('hex');
  return `${PIPES}exec-sessions-${digest}`;
}

/** @throws NodeJS.ErrnoException */
export function connectSocket(file: string): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(socketName(file));
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

/**
 * Whether an error of {@link connectSocket} means that nobody listens: there is no such file, or the server that made
 * it has ended.
 */
export function meansNobodyListens(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ECONNREFUSED';
}
