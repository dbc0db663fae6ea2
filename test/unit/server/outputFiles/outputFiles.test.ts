import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { LocalBackend } from '../../../../src/local/index.js';
import { OutputFolder } from '../../../../src/machine/index.js';
import { DISK_CHECK_MS, MOST_OUTPUT_FILES } from '../../../../src/server/limits.js';
import { DiskLimits } from '../../../../src/server/outputFiles/diskLimits.js';
import { OutputFiles } from '../../../../src/server/outputFiles/outputFiles.js';
import { FakeClock } from '../../../support/fakeClock.js';
import { ScriptedBackend } from '../../../support/scriptedBackend.js';
import { settle } from '../../../support/settle.js';
import { until } from '../../../support/until.js';

describe('Output on disk', () => {
  it('is missed in the log if its process cannot be attached to', async () => {
    const clock = new FakeClock();
    const backend = new ScriptedBackend(clock);
    backend.attach = () => Promise.reject(new Error('no attach'));
    const lines: string[] = [];
    const files = new OutputFiles({
      backend,
      clock,
      folder: new OutputFolder(undefined),
      limits: new DiskLimits(),
      log: (line) => lines.push(line),
    });
    backend.tells({ type: 'added', processId: 'p' });
    await settle();
    assert.deepEqual(lines, ['The output of p is not kept on disk: no attach']);
    files.leave();
  });
});

describe('The limits of all output on disk', () => {
  let folder: string;
  let clock: FakeClock;
  let limits: DiskLimits;
  let files: OutputFiles;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-limits-'));
    clock = new FakeClock();
    limits = new DiskLimits();
    files = new OutputFiles({
      backend: new LocalBackend({ clock }),
      clock,
      folder: new OutputFolder(folder),
      limits,
      log: (line) => assert.fail(line),
    });
  });
  afterEach(() => {
    files.leave();
    fs.rmSync(folder, { recursive: true });
  });

  /** A file of an ended server, which it wrote last at a time. */
  const write = (name: string, bytes: number, at: number) => {
    const file = path.join(folder, `${name}.0.output`);
    fs.writeFileSync(file, Buffer.alloc(bytes));
    fs.utimesSync(file, at, at);
  };
  const left = () => fs.readdirSync(folder).map((file) => file.split('.')[0]);
  const limit = (allBytes: number) => {
    limits.set({ keep: false, bytes: 1_000, allBytes });
    files.changed();
    clock.advance(DISK_CHECK_MS);
  };

  it('are kept to the byte: the oldest output is dropped, and no more', async () => {
    ['c', 'a', 'd', 'b'].forEach((name, index) => write(name, 100, index + 1));
    limit(200);
    await until(() => left().length <= 2);
    assert.deepEqual(left().sort(), ['b', 'd']);
    // The same again, which has nothing to do, and then one that has.
    limit(200);
    limit(199);
    await until(() => left().length <= 1);
    assert.deepEqual(left(), ['b']);
  });

  it('also apply to the number of sessions', async () => {
    for (let index = 0; index < MOST_OUTPUT_FILES + 2; index += 1) {
      write(`p${index}`, 1, index + 1);
    }
    limit(1e9);
    await until(
      () => left(),
      (seen) => !seen.includes('p1'),
    );
    assert.equal(left().length, MOST_OUTPUT_FILES);
    assert.ok(left().includes('p2'));
  });

  it('are the configured ones, and nothing is kept before they are set', () => {
    assert.equal(new DiskLimits().keep, false);
    limits.set({ keep: true, bytes: 1, allBytes: 2 });
    assert.deepEqual([limits.keep, limits.bytes, limits.allBytes], [true, 1, 2]);
  });
});
