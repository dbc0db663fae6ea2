import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { boundedLog } from '../../../src/server/serverLog.js';

describe('The log of a server', () => {
  let folder = '';
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-log-'));
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  it('has the newest lines, in two files of bounded size that only its user can read', () => {
    const file = path.join(folder, 'server.log');
    const log = boundedLog(file, 1_000);
    for (let line = 1; line <= 200; line++) {
      log(`line ${line}`);
    }
    const [now, before] = [file, `${file}.old`].map((name) => fs.readFileSync(name, 'utf8'));
    assert.match(now ?? '', /^\S+Z line 200$/m);
    assert.ok(Buffer.byteLength(now ?? '') < 1_100 && Buffer.byteLength(before ?? '') < 1_100);
    const numbers = [...`${before}${now}`.matchAll(/line (\d+)/g)].map(([, number]) => Number(number));
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => 200 - numbers.length + index + 1),
    );
    assert.equal(fs.statSync(file).mode & 0o077, 0);
  });

  it('loses lines where nothing can be written, and nothing else happens', () => {
    boundedLog(path.join(folder, 'none/server.log'), 1_000)('line');
    assert.deepEqual(fs.readdirSync(folder), []);
  });
});
