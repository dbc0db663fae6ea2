import type net from 'node:net';
import path from 'node:path';

import { version } from '../../package.json';
import type { Clock } from '../core/index.js';
import { askServer } from './askServer.js';
import { BRIDGE_END_LIMIT_MS, BRIDGE_SERVER_IDLE_SECONDS } from './limits.js';
import {
  connectSocket,
  ensurePrivateFolder,
  findServers,
  joinServer,
  meansNobodyListens,
  readServerFiles,
  startServer,
  StartError,
  systemReason,
} from '../machine/index.js';

/**
 * The most attempts to start a server. An attempt fails if another server was quicker, and that one may have ended
 * since.
 */
const MAX_STARTS = 3;

/**
 * Connects stdin and stdout to the server that listens on a private socket. Starts the server if none listens there.
 * The server belongs to the user and not to the bridge: when the bridge is cut off, its sessions continue and can be
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

/**
 * Connects stdin and stdout to the session server of this account, which has the sessions of windows and of the command
 * line here too. It is started if need be, and stays.
 *
 * @returns the side that has ended first: stdin and stdout, or the server.
 * @throws StartError
 */
export async function bridgeToSessions(
  files: string,
  clock: Clock,
  log: (line: string) => void,
): Promise<'input' | 'server'> {
  const options = { version, files, env: process.env, clock, log };
  const reach = async () => (await joinBusyServer(files)) ?? (await joinServer(options));
  const socket = await reach().catch((error: unknown) => {
    throw new StartError(`the session server cannot be reached: ${systemReason(error)}`, { cause: error });
  });
  return join(socket, clock);
}

/**
 * Connects to a server of another version whose sessions still run, if none of this version does. A client at the far
 * end of a bridge sees one server, so an update there waits for the last of these sessions.
 */
async function joinBusyServer(files: string): Promise<net.Socket | undefined> {
  const found = await findServers(process.env);
  const { digest } = found.length === 0 ? {} : readServerFiles(files);
  for (const server of found.some((other) => other.files === digest) ? [] : found) {
    if ((await askServer(server).catch(() => undefined))?.running) {
      return connectSocket(server.socket);
    }
  }
  return undefined;
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
    const problem = await startServer(
      [
        process.execPath,
        ...[program, '--listen', `unix:${file}`],
        ...['--exit-when-idle-seconds', String(BRIDGE_SERVER_IDLE_SECONDS)],
      ],
      process.env,
      clock,
    );
    if (starts === MAX_STARTS) {
      throw new StartError(`the server on ${file} cannot be started: ${problem ?? 'it ends at once'}`);
    }
  }
}
