import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { readSegments, Segment } from '../../../../src/machine/index.js';
import { FILE_HEAD_BYTES, RECORD_HEAD_BYTES } from '../../../../src/machine/outputFiles/recordFormat.js';
import { WRITE_DELAY_MS } from '../../../../src/server/limits.js';
import { OutputFile } from '../../../../src/server/outputFiles/outputFile.js';
import { FakeClock } from '../../../support/fakeClock.js';
import { ownOpenFiles } from '../../../support/processes.js';
import { until } from '../../../support/until.js';

const ALL = Number.MAX_SAFE_INTEGER;

describe('When output is written to disk', () => {
  let folder: string;
  let clock: FakeClock;
  let file: OutputFile;
  let written: number;
  let failures: number;
  let mostBytes: number;
  /** The number of the next file. */
  let next: number;
  /** Called at the next writing. */
  let onWritten: () => void;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-when-'));
    clock = new FakeClock();
    written = 0;
    failures = 0;
    mostBytes = ALL;
    next = 0;
    onWritten = () => undefined;
    file = new OutputFile({
      nextFile: () => path.join(folder, `p.${next++}.output`),
      mostBytes: () => mostBytes,
      clock,
      onWritten: () => {
        written += 1;
        onWritten();
      },
      onFailure: () => (failures += 1),
    });
  });
  afterEach(async () => {
    await file.remove();
    fs.rmSync(folder, { recursive: true });
  });

  const print = (seq: number, bytes = 10) =>
    file.append({ type: 'output', seq, stream: 'stdout', bytes: Buffer.alloc(bytes) });
  /** The output as another program reads it. */
  const onDisk = async () => {
    const segment = await Segment.load(path.join(folder, 'p.0.output'));
    return readSegments(segment ? [segment] : [], { afterSeq: 0, maxBytes: ALL });
  };
  const seqsOnDisk = async () => (await onDisk()).chunks.map(({ seq }) => seq);

  it('is written a moment after it came, together with output that comes meanwhile', async () => {
    print(1);
    clock.advance(WRITE_DELAY_MS - 1);
    print(2);
    assert.deepEqual(fs.readdirSync(folder), []);
    clock.advance(1);
    await until(() => written, 1);
    assert.deepEqual([await seqsOnDisk(), written, clock.pendingTimers], [[1, 2], 1, 0]);
  });

  it('is written at once if it is much', async () => {
    print(1, 300 * 1024);
    await until(() => written, 1);
    assert.deepEqual([await seqsOnDisk(), clock.pendingTimers], [[1], 0]);
  });

  it('is written a moment after the writing during which it came', async () => {
    onWritten = () => {
      onWritten = () => undefined;
      print(2);
      assert.equal(clock.pendingTimers, 0, 'it is not over');
    };
    print(1);
    clock.advance(WRITE_DELAY_MS);
    await until(() => clock.pendingTimers, 1);
    clock.advance(WRITE_DELAY_MS);
    await until(() => written, 2);
    assert.deepEqual(await seqsOnDisk(), [1, 2]);
  });

  it('is written at the end, with a gap where room was missing, and nothing stays open', async () => {
    onWritten = () => {
      onWritten = () => undefined;
      print(2);
      for (let seq = 3; seq <= 100; seq += 1) {
        print(seq, 64 * 1024);
      }
      ended = file.end();
    };
    let ended: Promise<void> | undefined;
    print(1);
    clock.advance(WRITE_DELAY_MS);
    await until(() => ended !== undefined);
    await ended;
    const { chunks, missing } = await onDisk();
    const last = chunks.at(-1)?.seq ?? 0;
    assert.ok(last > 2 && last < 100, `up to ${last}`);
    assert.deepEqual(
      missing.map(({ fromSeq, throughSeq }) => [fromSeq, throughSeq]),
      [[last + 1, 100]],
    );
    assert.equal(failures, 0);
    assert.deepEqual([ownOpenFiles(folder), clock.pendingTimers], [[], 0]);
  });

  it('goes into one file up to half of the room, to the byte; only the newest file is open', async () => {
    mostBytes = 2 * (FILE_HEAD_BYTES + 2 * (RECORD_HEAD_BYTES + 10));
    const kept = async (seq: number) => {
      print(seq);
      await file.read(seq, 1);
      return [fs.readdirSync(folder), ownOpenFiles(folder).map((open) => path.basename(open))];
    };
    await kept(1);
    assert.deepEqual((await kept(2))[0], ['p.0.output']);
    const [there, open] = await kept(3);
    assert.deepEqual(there, ['p.0.output', 'p.1.output']);
    assert.ok(!open?.includes('p.0.output'));
  });

  it('is not written again after a failure, and nothing stays open', async () => {
    mostBytes = 300 * 1024;
    print(1);
    await file.read(1, 1);
    next = 0;
    [2, 3, 4].forEach((seq) => print(seq, 260 * 1024));
    await until(() => failures, 1);
    assert.deepEqual(ownOpenFiles(folder), []);
    assert.deepEqual(await seqsOnDisk(), [1]);
  });

  it('is never written after it is removed', async () => {
    print(1);
    const read = file.read(0, ALL);
    await file.remove();
    print(2);
    assert.deepEqual(await read, { chunks: [], missing: [] });
    assert.deepEqual([written, clock.pendingTimers, fs.readdirSync(folder)], [0, 0, []]);
  });
});
