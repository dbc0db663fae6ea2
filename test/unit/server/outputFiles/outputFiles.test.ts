import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { LocalBackend } from '../../../../src/local/index.js';
import { OutputFolder } from '../../../../src/machine/index.js';
import { ownerLine } from '../../../../src/machine/runOwner.js';
import { DISK_CHECK_MS, MOST_OUTPUT_FILES } from '../../../../src/server/limits.js';
import { DiskLimits } from '../../../../src/server/outputFiles/diskLimits.js';
import { OutputFiles } from '../../../../src/server/outputFiles/outputFiles.js';
import { FakeClock } from '../../../support/fakeClock.js';
import { outputFilesIn } from '../../../support/longOutput.js';
import { ScriptedBackend } from '../../../support/scriptedBackend.js';
import { settle } from '../../../support/settle.js';
import { until } from '../../../support/until.js';

/** A run whose server has ended, and another one. */
const [RUN, OTHER] = [randomUUID(), randomUUID()];

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
    files = makeFiles();
  });
  afterEach(() => {
    files.leave();
    fs.rmSync(folder, { recursive: true });
  });

  const makeFiles = () =>
    new OutputFiles({
      backend: new LocalBackend({ clock }),
      clock,
      folder: new OutputFolder(folder),
      limits,
      log: (line) => assert.fail(line),
    });
  /** A file of a server, which it wrote last at a time. */
  const write = (name: string, bytes: number, at: number, run = RUN) => {
    const file = path.join(folder, `${run}.${name}.0.output`);
    fs.writeFileSync(file, Buffer.alloc(bytes));
    fs.utimesSync(file, at, at);
  };
  /** Names the process that runs these tests as the owner of the files of a run, with some facts changed. */
  const writeOwner = (run: string, changed: object, signAt = clock.wallTime()) => {
    const file = path.join(folder, `${run}.owner`);
    fs.writeFileSync(file, JSON.stringify({ ...(JSON.parse(ownerLine()) as object), ...changed }));
    fs.utimesSync(file, signAt / 1_000, signAt / 1_000);
    return file;
  };
  const left = () => outputFilesIn(folder).map((file) => path.basename(file).split('.')[1]);
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

  it('do not count the output of another server while it runs', async () => {
    const owner = writeOwner(OTHER, {});
    write('theirs', 1_000, 1, OTHER);
    ['a', 'b'].forEach((name, index) => write(name, 100, index + 2));
    limit(100);
    await until(() => left().length <= 2);
    assert.deepEqual(left().sort(), ['b', 'theirs']);
    // The machine has started anew since.
    writeOwner(OTHER, { boot: randomUUID() });
    limit(100);
    await until(() => left().length <= 1);
    assert.deepEqual(left(), ['b']);
    limit(100);
    await until(() => !fs.existsSync(owner));
  });

  it('count the output of a server in another namespace from two minutes after its last sign of life', async () => {
    clock.set(1e12);
    const signedAgo = (ms: number) => writeOwner(OTHER, { namespace: 'elsewhere' }, clock.wallTime() - ms);
    write('theirs', 1_000, 1, OTHER);
    ['a', 'b'].forEach((name, index) => write(name, 100, index + 2));
    signedAgo(100_000);
    limit(100);
    await until(() => left().length <= 2);
    assert.deepEqual(left().sort(), ['b', 'theirs']);
    signedAgo(121_000);
    limit(100);
    await until(() => left().length <= 1);
    assert.deepEqual(left(), ['b']);
  });

  it('are kept by two servers that take over the same output, and no failure is logged', async () => {
    const more = makeFiles();
    ['c', 'a', 'd', 'b'].forEach((name, index) => write(name, 100, index + 1));
    more.changed();
    limit(200);
    await until(() => left().length <= 2);
    assert.deepEqual(left().sort(), ['b', 'd']);
    more.leave();
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
