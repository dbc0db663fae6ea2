import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { shortDigest } from './machineName.js';

/** What a session server and its guard ever load, beside the binaries of their system. */
const PROGRAMS = ['exec-server.js', 'command-line.js', 'serve.js', 'guard.js', 'node-pty.js'];
const FOR_WINDOWS = ['conpty_console_list_agent.js', 'worker/conoutSocketWorker.js'];

/** A file of a server. */
export interface ServerFile {
  /** Relative to the folder, with slashes. */
  readonly name: string;
  readonly content: Buffer;
}

/** The files of one version of the server. */
export interface ServerFiles {
  readonly files: readonly ServerFile[];
  /** Of names and contents. */
  readonly digest: string;
}

/**
 * Reads the files that a session server on this machine needs.
 *
 * @param folder The folder of a build, or a copy of it.
 * @throws NodeJS.ErrnoException
 */
export async function readServerFiles(folder: string): Promise<ServerFiles> {
  const names = [
    ...PROGRAMS,
    ...(process.platform === 'win32' ? FOR_WINDOWS : []),
    ...(await binaries(folder)),
  ];
  const files = await Promise.all(
    names.sort().map(async (name) => ({ name, content: await readFile(path.join(folder, name)) })),
  );
  return { files, digest: digestOf(files) };
}

/** Some systems have no binaries: then there are no terminals, and everything else works. */
async function binaries(folder: string): Promise<readonly string[]> {
  const own = `prebuilds/${process.platform}-${process.arch}`;
  if (!existsSync(path.join(folder, own))) {
    return [];
  }
  const entries = await readdir(path.join(folder, own), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'));
}

function digestOf(files: readonly ServerFile[]): string {
  const all = createHash('sha256');
  for (const { name, content } of files) {
    all.update(`${name} ${content.length}\n`).update(content);
  }
  return shortDigest(all.digest());
}
