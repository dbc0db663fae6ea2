import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { shortDigest } from './machineName.js';

/** All files that a session server and its guard ever load, beside the binaries of their system. */
const FILES = [
  'exec-server.js',
  'command-line.js',
  'serve.js',
  'guard.js',
  'sandboxed-files.js',
  'node-pty.js',
  'package.json',
];
const FOR_WINDOWS = ['conpty_console_list_agent.js', 'worker/conoutSocketWorker.js'];

/** The system and the processor that a server runs on, as Node names them. */
export interface ServerBuild {
  readonly platform: string;
  readonly arch: string;
}

/** A file of a server. */
interface ServerFile {
  /** Relative to the folder, with slashes. */
  readonly name: string;
  readonly content: Buffer;
}

/** The files of one version of the server. */
export interface ServerFiles {
  readonly files: readonly ServerFile[];
  /** The digest of names and contents. */
  readonly digest: string;
}

/**
 * Reads the files that a session server needs, some 700 KB. This takes 3 ms. In the background it would take 10, and a
 * command would have to wait for it.
 *
 * @param folder The folder of a build, or a copy of it.
 * @param build By default that of this machine.
 * @throws NodeJS.ErrnoException
 */
export function readServerFiles(folder: string, build: ServerBuild = process): ServerFiles {
  const names = [...FILES, ...(build.platform === 'win32' ? FOR_WINDOWS : []), ...binaries(folder, build)];
  const files = names.sort().map((name) => ({ name, content: readFileSync(path.join(folder, name)) }));
  return { files, digest: digestOf(files) };
}

/**
 * The name of the folder with the files of a server. Machines that share a home may have other systems and processors.
 */
export function serverFolderName(
  version: string,
  { digest }: Pick<ServerFiles, 'digest'>,
  { platform, arch }: ServerBuild = process,
): string {
  return `server-${version}-${platform}-${arch}-${digest}`;
}

/** Some systems have no binaries: then there are no terminals, and everything else works. */
function binaries(folder: string, { platform, arch }: ServerBuild): readonly string[] {
  const own = `prebuilds/${platform}-${arch}`;
  if (!existsSync(path.join(folder, own))) {
    return [];
  }
  const entries = readdirSync(path.join(folder, own), { recursive: true, withFileTypes: true });
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
