import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { buildSync } from 'esbuild';

import { ExecError, type Sandbox } from '../../src/core/index.js';
import { bubblewrapOptions } from '../../src/local/sandbox/bubblewrap.js';
import { type Layout, layoutOf, type OwnFolders } from '../../src/local/sandbox/layout.js';
import { root } from '../rig/paths.js';

/** The users whose sandboxes are tried: the one of this run, and for root one without privileges. */
export const USERS: readonly number[] = [
  process.getuid?.() ?? 0,
  ...(process.getuid?.() === 0 ? [65_534] : []),
];

const isOwn = (uid: number) => uid === process.getuid?.();
const as = (uid: number) => (isOwn(uid) ? {} : { uid, gid: uid });

/** Gives a file to a user. */
export function give(file: string, uid: number): void {
  if (!isOwn(uid)) {
    fs.chownSync(file, uid, uid);
  }
}

let program: string | undefined;

/** Prints the layout, or the failure, of the sandbox that its argument describes. */
function layoutProgram(): string {
  program ??= buildSync({
    stdin: {
      contents: `import { layoutOf } from './src/local/sandbox/layout.ts';
        const [sandbox, own] = JSON.parse(process.argv[2]);
        layoutOf(sandbox, own).then(
          (layout) => console.log(JSON.stringify(layout)),
          (error) => console.log(JSON.stringify({ failure: error.failure ?? String(error) })),
        );`,
      resolveDir: root,
    },
    bundle: true,
    platform: 'node',
    write: false,
  }).outputFiles[0]?.text;
  return program ?? assert.fail();
}

/** Lays out a sandbox as a user. Only root can do so for another. */
export async function layoutAs(
  uid: number,
  sandbox: Sandbox,
  own: OwnFolders = { covered: [], readOnly: [], sockets: [] },
): Promise<Layout & { readonly failure?: unknown }> {
  if (isOwn(uid)) {
    return layoutOf(sandbox, own).catch((error: unknown) => ({
      mounts: [],
      mountPoints: [],
      failure: error instanceof ExecError ? error.failure : error,
    }));
  }
  const { stdout, stderr } = spawnSync(process.execPath, ['-', JSON.stringify([sandbox, own])], {
    input: layoutProgram(),
    cwd: '/',
    encoding: 'utf8',
    ...as(uid),
  });
  assert.equal(stderr, '');
  return JSON.parse(stdout) as Layout;
}

/**
 * Runs a script in a sandbox with this file system, as a user. Missing mount points are there only for as long as it runs.
 *
 * @returns all of its output.
 */
export function runIn({ mounts, mountPoints }: Layout, uid: number, script: string, cwd = '/'): string {
  const missing = mountPoints.filter((folder) => !fs.existsSync(folder));
  for (const folder of missing) {
    fs.mkdirSync(folder);
    give(folder, uid);
  }
  const file = path.join(fs.mkdtempSync('/tmp/layout-options-'), 'options');
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C' };
  fs.writeFileSync(file, bubblewrapOptions(mounts, { cwd, env, network: true }));
  const options = fs.openSync(file, 'r');
  try {
    const { stdout } = spawnSync('bwrap', ['--args', '3', '--', 'sh', '-c', `exec 2>&1\n${script}`], {
      stdio: ['ignore', 'pipe', 'inherit', options],
      encoding: 'utf8',
      ...as(uid),
    });
    return stdout;
  } finally {
    fs.closeSync(options);
    fs.rmSync(path.dirname(file), { recursive: true });
    missing.forEach((folder) => fs.rmdirSync(folder));
  }
}
