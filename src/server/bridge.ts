import { spawn } from 'node:child_process';
import type net from 'node:net';
import os from 'node:os';
import path from 'node:path';

import type { Clock } from '../core/index.js';
import { withoutMark } from '../local/index.js';
import { BRIDGE_END_LIMIT_MS, BRIDGE_SERVER_IDLE_SECONDS, BRIDGE_START_LIMIT_MS } from './limits.js';
import { ensurePrivateFolder } from './listen/privateFolder.js';
import { StartError, systemReason } from './listen/startError.js';
import { connectSocket, meansNobodyListens } from './listen/unixSocket.js';

/** The most attempts to start a server. One may fail because another server was quicker, and has ended since. */
const MAX_STARTS = 3;

/**
 * Connects stdin and stdout to the server that listens on a private socket, which is started if there is none. The
 * server belongs to the user and not to the bridge: when the bridge is cut off, its sessions continue and can be
 * resumed.
 *
 * @returns the side that has ended first: stdin and stdout, or the server.
 * @throws StartError
 */
export async function bridge(file: string, program: string, clock: Clock): Promise<'input' | 'server'> {
  ensurePrivateFolder(path.dirname(path.resolve(file)));
  const socket = await connectOrStart(path.resolve(file), program, clock);
  return join(socket, clock);
}

function join(socket: net.Socket, clock: Clock): Promise<'input' | 'server'> {
  return new Promise((resolve) => {
    // The last messages of a client that leaves are still passed on to the server.
    const clientGone = () => clock.after(BRIDGE_END_LIMIT_MS, () => resolve('input'));
    process.stdin.on('error', clientGone);
    process.stdout.on('error', clientGone);
    process.stdin.on('end', () => {
      clientGone();
      socket.once('finish', () => resolve('input'));
    });
    socket.on('error', () => resolve('server'));
    socket.on('close', () => resolve('server'));
    process.stdin.pipe(socket);
    socket.pipe(process.stdout, { end: false });
  });
}

async function connectOrStart(file: string, program: string, clock: Clock): Promise<net.Socket> {
  for (let starts = 0; ; starts++) {
    try {
      return await connectSocket(file);
    } catch (error) {
      if (!meansNobodyListens(error)) {
        throw new StartError(`cannot connect to ${file}: ${systemReason(error)}`, { cause: error });
      }
    }
    // If two bridges get here at once, the server of one finds the socket taken by the other's, and ends.
    const problem = await startServer(file, program, clock);
    if (starts === MAX_STARTS) {
      throw new StartError(`the server on ${file} cannot be started: ${problem ?? 'it ends at once'}`);
    }
  }
}

/** @returns undefined once the server listens, or the reason why it does not. */
function startServer(file: string, program: string, clock: Clock): Promise<string | undefined> {
  const child = spawn(
    process.execPath,
    [program, '--listen', `unix:${file}`, '--exit-when-idle-seconds', String(BRIDGE_SERVER_IDLE_SECONDS)],
    // It belongs to no session that this bridge may have been started in, and outlives it.
    {
      cwd: os.homedir(),
      env: withoutMark(process.env),
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  return new Promise((resolve) => {
    let said = '';
    const limit = clock.after(BRIDGE_START_LIMIT_MS, () => {
      child.kill('SIGKILL');
      resolve('it is not ready yet after a long time');
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.stdout.once('data', () => {
      limit.dispose();
      child.stdout.destroy();
      child.stderr.destroy();
      child.unref();
      resolve(undefined);
    });
    child.once('error', (error) => {
      limit.dispose();
      resolve(error.message);
    });
    child.once('close', (code) => {
      limit.dispose();
      resolve(said.trim() || `it ended with exit code ${code ?? 'unknown'}`);
    });
  });
}
