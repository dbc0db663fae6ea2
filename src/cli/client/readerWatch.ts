import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { Socket } from 'node:net';

import { type Disposable, isRecord } from '../../core/index.js';
import type { Console } from '../console.js';

const NOTHING: Disposable = { dispose: () => undefined };
const STDOUT = 1;

/**
 * Fails standard output as a write would, the moment that nobody reads its pipe any more: who follows something silent has
 * nothing to write. Only Linux is asked; elsewhere, and of what is no pipe, the next write tells.
 */
export function watchReader({ stdout }: Pick<Console, 'stdout'>): Disposable {
  if (process.platform !== 'linux' || !fstatSync(STDOUT).isFIFO()) {
    return NOTHING;
  }
  const gone = () => stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  try {
    // Of its own, since Node polls a descriptor for one stream alone.
    return watchPipe(openSync(`/proc/self/fd/${STDOUT}`, constants.O_WRONLY | constants.O_NONBLOCK), gone);
  } catch (error) {
    // A pipe that nobody reads can be opened by no further writer.
    const timer = (error as NodeJS.ErrnoException).code === 'ENXIO' ? setImmediate(gone) : undefined;
    return { dispose: () => clearImmediate(timer) };
  }
}

/**
 * The system tells of an error at the writing end to whoever polls it, but Node polls only what it takes for readable, and
 * it does so of every TCP socket: what is in the handle of one here is the pipe. With the error it tries to read, which
 * fails; nothing else makes it do so.
 */
function watchPipe(fd: number, gone: () => void): Disposable {
  const socket = new Socket();
  // Makes the handle, and never connects it.
  socket.connect({ port: 1, host: 'nowhere', lookup: () => undefined });
  const handle: unknown = Reflect.get(socket, '_handle');
  if (call(handle, 'open', fd) !== 0) {
    closeSync(fd);
  } else if (call(handle, 'readStart') === 0) {
    socket.on('error', gone);
    return {
      dispose: () =>
        socket
          .off('error', gone)
          .on('error', () => undefined)
          .destroy(),
    };
  }
  // Another version of Node.
  socket.destroy();
  return NOTHING;
}

function call(handle: unknown, name: string, ...args: readonly unknown[]): unknown {
  const method = isRecord(handle) ? handle[name] : undefined;
  return typeof method === 'function' ? (Reflect.apply(method, handle, args) as unknown) : undefined;
}
