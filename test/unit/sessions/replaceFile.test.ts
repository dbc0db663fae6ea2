import assert from 'node:assert/strict';

import type { FileStat, FileSystem, Uri } from 'vscode';

import { replaceFile } from '../../../src/vscode/output/replaceFile.js';

type Writes = Pick<FileSystem, 'stat' | 'writeFile' | 'rename' | 'delete'>;

/** Empties a file before it writes, as VS Code does, and has room for some bytes only. */
class FullDisk implements Writes {
  readonly files = new Map<string, string>();
  readonly links = new Set<string>();
  readonly #room: number;

  constructor(room: number) {
    this.#room = room;
  }

  stat({ path }: Uri): Promise<FileStat> {
    return this.files.has(path)
      ? Promise.resolve({
          type: this.links.has(path) ? 65 : 1,
          ctime: 0,
          mtime: 0,
          size: 0,
        } as unknown as FileStat)
      : Promise.reject(new Error('no such file'));
  }

  writeFile({ path }: Uri, content: Uint8Array): Promise<void> {
    this.files.set(path, '');
    const used = [...this.files.values()].join('').length;
    if (used + content.length > this.#room) {
      return Promise.reject(new Error('no space left on device'));
    }
    this.files.set(path, Buffer.from(content).toString());
    return Promise.resolve();
  }

  rename(from: Uri, to: Uri): Promise<void> {
    this.files.set(to.path, this.files.get(from.path) ?? assert.fail('nothing to rename'));
    return this.delete(from);
  }

  delete({ path }: Uri): Promise<void> {
    this.files.delete(path);
    return Promise.resolve();
  }
}

const at = (path: string): Uri =>
  ({ path, with: (change: { path: string }) => at(change.path) }) as unknown as Uri;

describe('A file that output is saved to', () => {
  const file = at('/folder/output.log');

  it('keeps its content if the disk has no room for the new one, and nothing else is left', async () => {
    const disk = new FullDisk(10);
    disk.files.set(file.path, 'old');
    await assert.rejects(replaceFile(disk, file, Buffer.from('much longer')), /no space left/);
    assert.deepEqual([...disk.files], [[file.path, 'old']]);
  });

  it('gets the new content, and nothing else is left', async () => {
    const disk = new FullDisk(10);
    for (const content of ['new', 'other']) {
      await replaceFile(disk, file, Buffer.from(content));
      assert.deepEqual([...disk.files], [[file.path, content]]);
    }
  });

  it('stays a link if it is one', async () => {
    const disk = new FullDisk(10);
    disk.files.set(file.path, 'old');
    disk.links.add(file.path);
    disk.rename = () => Promise.reject(new Error('the link would be gone'));
    await replaceFile(disk, file, Buffer.from('new'));
    assert.deepEqual([...disk.files], [[file.path, 'new']]);
  });
});
