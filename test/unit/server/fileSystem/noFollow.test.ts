import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { createWithoutLinks } from '../../../../src/server/methods/fileSystem/directories.js';
import { withoutLinks } from '../../../../src/server/methods/fileSystem/noFollow.js';
import { onLinux } from '../../../support/onLinux.js';

describe('A path that may have no links', () => {
  let folder: string;
  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-links-')));
    fs.mkdirSync(path.join(folder, 'inside/deep'), { recursive: true });
    fs.mkdirSync(path.join(folder, 'outside'));
    fs.writeFileSync(path.join(folder, 'inside/deep/file'), 'mine');
    fs.writeFileSync(path.join(folder, 'outside/file'), 'theirs');
    fs.symlinkSync('../outside', path.join(folder, 'inside/link'));
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));
  const read = (entry: string) => fs.promises.readFile(entry, 'utf8');

  // The second platform stands for those on which an open directory has no name.
  for (const platform of [process.platform, 'freebsd']) {
    describe(`on ${platform}`, () => {
      const own = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
      before(() => Object.defineProperty(process, 'platform', { ...own, value: platform }));
      after(() => Object.defineProperty(process, 'platform', own));

      it('leads to the file', async () => {
        assert.equal(await withoutLinks(path.join(folder, 'inside/deep/file'), read), 'mine');
      });

      it('is refused at a link', async () => {
        await assert.rejects(withoutLinks(path.join(folder, 'inside/link/file'), read), { code: 'ENOTDIR' });
        await assert.rejects(createWithoutLinks(path.join(folder, 'inside/link')), { code: 'ENOTDIR' });
        await assert.rejects(createWithoutLinks(path.join(folder, 'inside/link/new')), { code: 'ENOTDIR' });
        assert.deepEqual(fs.readdirSync(path.join(folder, 'outside')), ['file']);
      });

      it('creates what is missing on it', async () => {
        await createWithoutLinks(path.join(folder, 'inside/a/b/c'));
        assert.ok(fs.statSync(path.join(folder, 'inside/a/b/c')).isDirectory());
      });
    });
  }

  onLinux('is not led elsewhere by a link that is put there meanwhile', async () => {
    const content = await withoutLinks(path.join(folder, 'inside/deep/file'), (entry) => {
      fs.renameSync(path.join(folder, 'inside/deep'), path.join(folder, 'inside/moved'));
      fs.symlinkSync('../outside', path.join(folder, 'inside/deep'));
      return read(entry);
    });
    assert.equal(content, 'mine');
  });

  it('leaves nothing open', async () => {
    const before = openDescriptors();
    await withoutLinks(path.join(folder, 'inside/deep/file'), read);
    await assert.rejects(withoutLinks(path.join(folder, 'inside/link/file'), read));
    assert.equal(openDescriptors(), before);
  });

  function openDescriptors(): number {
    return fs.existsSync('/proc/self/fd') ? fs.readdirSync('/proc/self/fd').length : 0;
  }
});
