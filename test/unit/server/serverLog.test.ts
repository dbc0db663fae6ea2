import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { boundedLog, logLine } from '../../../src/server/serverLog.js';

describe('A line of the server’s log', () => {
  it('stays one line, whatever a program is called', () => {
    assert.equal(
      logLine('sh\nRefused a connection.\r\u2028\u0085\u001b[2J\u202ex could not be stopped: no'),
      'sh Refused a connection. [2J x could not be stopped: no',
    );
  });

  it('leaves words of all languages as they are', () => {
    assert.equal(logLine('Größe 大小 😀 could not be stopped'), 'Größe 大小 😀 could not be stopped');
  });

  it('has a bound, and no half of a character at it', () => {
    const line = logLine('😀'.repeat(100_000));
    assert.ok(line.length < 5_000);
    assert.match(line, /^(?:😀)+…$/u);
  });
});

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
