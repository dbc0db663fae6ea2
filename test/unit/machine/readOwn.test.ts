import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { readOwn } from '../../../src/machine/readOwn.js';
import { asRoot, describeOnPosix } from '../../support/onLinux.js';

const ANOTHER_USER = 12345;

describeOnPosix('A file of receipts', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-own-'));
    file = path.join(folder, 'receipts.jsonl');
  });

  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  const read = () => readOwn(file, (descriptor) => fs.readFileSync(descriptor, 'utf8'));
  const isRefused = (why: RegExp) => assert.throws(read, why);

  it('is read if it is there', () => {
    assert.equal(read(), undefined);
    fs.writeFileSync(file, 'one\n');
    assert.equal(read(), 'one\n');
  });

  it('is refused if it is a pipe, whose other end nobody waits for, or a device', () => {
    execFileSync('mkfifo', [file]);
    isRefused(/receipts\.jsonl is not a file, but a pipe or the like: move it away$/);
  });

  it('is refused if it is a link, wherever it leads', () => {
    fs.writeFileSync(path.join(folder, 'mine'), '');
    fs.symlinkSync('mine', file);
    isRefused(/receipts\.jsonl is a link: move it away$/);
  });

  asRoot('is refused if it belongs to another user', () => {
    fs.writeFileSync(file, '');
    fs.chownSync(file, ANOTHER_USER, ANOTHER_USER);
    isRefused(/receipts\.jsonl belongs to another user$/);
  });
});
