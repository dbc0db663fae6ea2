import { existsSync, lstatSync, readdirSync, rmSync, type Stats } from 'node:fs';
import path from 'node:path';

import type { HostVariables } from '../core/index.js';
import { filesInName, machineDigest } from './machineName.js';
import { privatePlaces } from './privateFolder.js';
import { connectSocket, meansNobodyListens, PIPES } from './unixSocket.js';

/** The time for which a socket without a listener may belong to a server that starts, in milliseconds. */
const STARTING_MS = 60_000;

/** A session server of this user on this machine. */
export interface FoundServer {
  /** Its socket, or its pipe. */
  readonly socket: string;
  /** The digest of its files: servers of the same version have the same one. */
  readonly files: string;
}

/**
 * Finds the sockets of session servers, in the order of the places that servers prefer. This is quick, so that a window
 * may look at any time. Also finds the sockets that killed servers have left behind.
 */
export function findSockets(env: HostVariables): readonly FoundServer[] {
  const folders = foldersIn(env).filter(({ names }) => names.length > 0);
  // On macOS a part of the digest comes from a program. A window without any server need not wait for that.
  const machine = folders.length === 0 ? '' : machineDigest();
  return folders.flatMap(({ folder, names }) =>
    names.flatMap((name) => {
      const files = filesInName(name, machine);
      return files === undefined ? [] : [{ socket: path.join(folder, name), files }];
    }),
  );
}

/** Finds the session servers that accept connections, those of other versions too. */
export async function findServers(env: HostVariables): Promise<readonly FoundServer[]> {
  const found = findSockets(env);
  const alive = await Promise.all(found.map(({ socket }) => isListening(socket)));
  return found.filter((_, index) => alive[index]);
}

/**
 * Removes the sockets, and the logs, that killed servers of other versions have left. A server of this version uses its
 * old socket again. Never rejects.
 */
export async function removeStale(env: HostVariables): Promise<void> {
  if (process.platform !== 'win32') {
    await Promise.all(findSockets(env).map(({ socket }) => removeIfStale(socket).catch(() => undefined)));
  }
}

async function removeIfStale(socket: string): Promise<void> {
  const { mtimeMs } = lstatSync(socket);
  if (Date.now() - mtimeMs < STARTING_MS) {
    return;
  }
  try {
    (await connectSocket(socket)).destroy();
  } catch (error) {
    if (meansNobodyListens(error)) {
      rmSync(socket, { force: true });
      rmSync(socket.replace(/\.sock$/, '.log'), { force: true });
    }
  }
}

async function isListening(socket: string): Promise<boolean> {
  try {
    (await connectSocket(socket)).destroy();
    return true;
  } catch {
    return false;
  }
}

interface Folder {
  readonly folder: string;
  readonly names: readonly string[];
}

function foldersIn(env: HostVariables): readonly Folder[] {
  if (process.platform === 'win32') {
    return [{ folder: PIPES, names: namesIn(PIPES) }];
  }
  return privatePlaces(env)
    .filter(isOurs)
    .map((folder) => ({ folder, names: namesIn(folder) }));
}

/** Whether no other user can have put anything there. On Windows such folders belong to one user anyway. */
export function isOurs(folder: string): boolean {
  if (process.platform === 'win32') {
    return existsSync(folder);
  }
  const found = ownFolder(folder);
  return found !== undefined && !isExposed(found);
}

/**
 * The folders of this user with sockets that are not looked at. Other users can get into them, since somebody has
 * changed their mode. Their servers go on.
 */
export function exposedFolders(env: HostVariables): readonly string[] {
  if (process.platform === 'win32') {
    return [];
  }
  return privatePlaces(env).filter((folder) => {
    const found = ownFolder(folder);
    return found !== undefined && isExposed(found) && namesIn(folder).some((name) => name.endsWith('.sock'));
  });
}

/** Where this user may not even look, the folder belongs to another one. */
function ownFolder(folder: string): Stats | undefined {
  try {
    const found = lstatSync(folder);
    return found.isDirectory() && found.uid === process.getuid?.() ? found : undefined;
  } catch {
    return undefined;
  }
}

const isExposed = ({ mode }: Stats): boolean => (mode & 0o077) !== 0;

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
