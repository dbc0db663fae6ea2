import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { openOwn } from '../../../../src/machine/receipts/openOwn.js';
import { asRoot, describeOnPosix } from '../../../support/onLinux.js';

const ANOTHER_USER = 12345;

describeOnPosix('A file of receipts', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-own-'));
    file = path.join(folder, 'receipts.jsonl');
  });

  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  const isRefused = (why: RegExp) => assert.rejects(openOwn(file), why);

  it('is read if it is there', async () => {
    await isRefused(/ENOENT/);
    fs.writeFileSync(file, 'one\n');
    const read = await openOwn(file);
    assert.equal(await read.readFile('utf8'), 'one\n');
    await read.close();
  });

  it('is refused if it is a pipe, whose other end nobody waits for, or a device', async () => {
    execFileSync('mkfifo', [file]);
    await isRefused(/receipts\.jsonl is no file, but a pipe or the like: move it away$/);
  });

  it('is refused if it is a link, wherever it leads', async () => {
    fs.writeFileSync(path.join(folder, 'mine'), '');
    fs.symlinkSync('mine', file);
    await isRefused(/receipts\.jsonl is a link: move it away$/);
  });

  asRoot('is refused if it belongs to somebody else', async () => {
    fs.writeFileSync(file, '');
    fs.chownSync(file, ANOTHER_USER, ANOTHER_USER);
    await isRefused(/receipts\.jsonl belongs to somebody else$/);
  });
});
