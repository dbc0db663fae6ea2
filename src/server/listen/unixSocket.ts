import { createHash } from 'node:crypto';
import net from 'node:net';
import path from 'node:path';

/** The place of a socket as Node takes it: on Windows, the name of a pipe that stands for the path. */
export function socketName(file: string): string {
  if (process.platform !== 'win32' || file.startsWith('\\\\.\\pipe\\')) {
    return file;
  }
  const digest = createHash('sha256').update(path.resolve(file).toLowerCase()).digest('hex');
  return `\\\\.\\pipe\\exec-sessions-${digest}`;
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
