import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { uriFromPath } from '../../src/protocol/index.js';

/** A folder with entries of every kind. */
export interface Tree {
  readonly folder: string;
  readonly uri: string;
  path(name: string): string;
  /** Replaces the beginning `U/` of URIs in JSON by the folder. */
  resolve(json: string): string;
  /** An answer with `U` in place of the folder. */
  relative(answer: object): object;
  /** Describes every entry: its kind, rights, and content or target. */
  describe(): string[];
  remove(): void;
}

const DIRECTORIES = ['dir', 'dir/sub', 'dir/.hid', 'empty', 'dir2', 'fdir', 'sp ace'];
const FILES: Readonly<Record<string, string>> = {
  'file': 'hi\n',
  'file2': 'two\n',
  'none': '',
  'dir/a': 'x\n',
  'dir/sub/b': 'y\n',
  'dir/.hid/c': 'z\n',
  'fdir/a': 'a',
  'fdir/z': 'q',
  'sp ace/ü%#?': '',
};
const LINKS: Readonly<Record<string, string>> = {
  'link': 'file',
  'dlink': 'dir',
  'broken': 'newtarget',
  'loop': 'loop',
  'dir/l': '../file',
  'dir/bl': 'nowhere',
  'dir/self': '.',
};

export function makeTree(): Tree {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-tree-')));
  for (const name of DIRECTORIES) fs.mkdirSync(path.join(folder, name));
  for (const [name, content] of Object.entries(FILES)) fs.writeFileSync(path.join(folder, name), content);
  for (const [name, target] of Object.entries(LINKS)) fs.symlinkSync(target, path.join(folder, name));
  execFileSync('mkfifo', [path.join(folder, 'fifo'), path.join(folder, 'fdir/f')]);
  fs.chmodSync(path.join(folder, 'file'), 0o751);
  fs.chmodSync(path.join(folder, 'file2'), 0o600);
  fs.chmodSync(path.join(folder, 'dir'), 0o711);
  return {
    folder,
    uri: uriFromPath(folder),
    path: (name) => path.join(folder, name),
    resolve: (json) => json.replaceAll('"U/', `"${uriFromPath(folder)}/`),
    relative: (answer) =>
      JSON.parse(
        JSON.stringify(answer).replaceAll(uriFromPath(folder), 'U').replaceAll(folder, 'U'),
      ) as object,
    describe: () => describe(folder, ''),
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}

function describe(folder: string, below: string): string[] {
  return fs
    .readdirSync(path.join(folder, below))
    .sort()
    .flatMap((name) => {
      const entry = path.join(below, name);
      const file = path.join(folder, entry);
      const stats = fs.lstatSync(file);
      const rights = (stats.mode & 0o777).toString(8);
      if (stats.isDirectory()) return [`${entry}/ ${rights}`, ...describe(folder, entry)];
      if (stats.isSymbolicLink()) return [`${entry} -> ${fs.readlinkSync(file)}`];
      return [`${entry} ${rights} ${stats.isFile() ? contentOf(file, stats.size) : 'special'}`];
    });
}

function contentOf(file: string, size: number): string {
  return size > 1_000 ? `${size} bytes` : JSON.stringify(fs.readFileSync(file, 'utf8'));
}

/** Gives the files of the tests in the surrounding `describe` the same rights on each machine. */
export function useUmask(umask: number): void {
  let before = 0;
  beforeEach(() => (before = process.umask(umask)));
  afterEach(() => process.umask(before));
}
