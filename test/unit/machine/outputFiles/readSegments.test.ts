import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { type PastOutputs, type PrintedAmount, readPast } from '../../../../src/core/index.js';
import {
  type FileRecord,
  OutputFolder,
  readSegments,
  Segment,
  sumOf,
} from '../../../../src/machine/index.js';
import { RecordQueue } from '../../../../src/server/outputFiles/recordQueue.js';

const ALL = Number.MAX_SAFE_INTEGER;
const RUN = randomUUID();

describe('The parts of an output', () => {
  let folder: string;
  /** All that was ever written. */
  let written: PrintedAmount;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-parts-'));
    written = { bytes: 0 };
  });
  afterEach(() => {
    fs.rmSync(folder, { recursive: true });
  });

  const output = (seq: number, text: string): FileRecord => ({
    type: 'output',
    seq,
    at: seq,
    stream: 'stdout',
    bytes: Buffer.from(text),
  });
  const fileOf = (part: number) => path.join(folder, `${RUN}.p.${part}.output`);
  /** Writes the next part of the output. */
  const write = async (part: number, records: readonly FileRecord[]): Promise<Segment> => {
    const queue = new RecordQueue(ALL);
    records.forEach((record) => queue.push(record));
    const batch = queue.take() ?? assert.fail('There is none.');
    const segment = await Segment.create(fileOf(part), written, batch.fromSeq);
    await segment.append(batch);
    await segment.close();
    written = sumOf(written, batch.amount);
    return segment;
  };
  /** A part without its last byte, as another program reads it. */
  const cutLast = async (part: number): Promise<Segment> => {
    fs.truncateSync(fileOf(part), fs.statSync(fileOf(part)).size - 1);
    return (await Segment.load(fileOf(part))) ?? assert.fail('There is nothing in it.');
  };
  /** Three parts with 30 bytes each in three pieces. */
  const writeThree = async () => {
    const segments: Segment[] = [];
    for (const part of [0, 1, 2]) {
      const seqs = [1, 2, 3].map((number) => part * 3 + number);
      segments.push(
        await write(
          part,
          seqs.map((seq) => output(seq, `piece ${seq}  \n`)),
        ),
      );
    }
    return segments;
  };
  /** The contents of pages of a size: numbers of pieces, and gaps in their places. */
  const pages = async (outputs: PastOutputs, most: number) => {
    const seen: unknown[] = [];
    const inPages = {
      ...outputs,
      read: (name: string, options: { afterSeq: number }) =>
        outputs.read(name, { ...options, maxBytes: most }),
    };
    await readPast(inPages, 'p', ({ chunks, missing }) => {
      seen.push(
        ...[...chunks.map(({ seq }) => ({ fromSeq: seq, seq })), ...missing]
          .sort((one, other) => one.fromSeq - other.fromSeq)
          .map((one) => ('seq' in one ? one.seq : one)),
      );
    });
    return seen;
  };

  const HOLE = { fromSeq: 4, throughSeq: 6, chunks: 3, bytes: 30 };
  for (const [what, damage, expected] of [
    ['is gone', () => fs.rmSync(fileOf(1)), [1, 2, 3, HOLE, 7, 8, 9]],
    ['is no such file', () => fs.writeFileSync(fileOf(1), 'x'.repeat(100)), [1, 2, 3, HOLE, 7, 8, 9]],
    [
      'has lost its end',
      () => fs.truncateSync(fileOf(1), fs.statSync(fileOf(1)).size - 1),
      [1, 2, 3, 4, 5, { fromSeq: 6, throughSeq: 6, chunks: 1, bytes: 10 }, 7, 8, 9],
    ],
    [
      'and the first are gone',
      () => [0, 1].forEach((part) => fs.rmSync(fileOf(part))),
      [{ fromSeq: 1, throughSeq: 6, chunks: 6, bytes: 60 }, 7, 8, 9],
    ],
  ] as const) {
    it(`have a gap of its size where one of them ${what}, once, whatever the pages`, async () => {
      await writeThree();
      damage();
      for (const most of [1, 10, 15, 20, 30, 35, 1_000]) {
        assert.deepEqual(await pages(new OutputFolder(folder), most), expected, `in pages of ${most}`);
      }
    });
  }

  it('fill a page from several files', async () => {
    const segments = await writeThree();
    const seqs = async (maxBytes: number) =>
      (await readSegments(segments, { afterSeq: 1, maxBytes })).chunks.map(({ seq }) => seq);
    assert.deepEqual(await seqs(45), [2, 3, 4, 5]);
    assert.deepEqual(await seqs(50), [2, 3, 4, 5, 6], 'that is just large enough');
    assert.deepEqual(await seqs(20), [2, 3]);
  });

  it('need no file that was read to its end earlier', async () => {
    const segments = await writeThree();
    fs.rmSync(fileOf(0));
    const { chunks, missing } = await readSegments(segments, { afterSeq: 3, maxBytes: ALL });
    assert.deepEqual([chunks.map(({ seq }) => seq), missing], [[4, 5, 6, 7, 8, 9], []]);
  });

  it('say of a gap in which somebody begins to read that its size is not known', async () => {
    const [first, , third] = await writeThree();
    assert.ok(first && third);
    const behind = async (afterSeq: number) =>
      (await readSegments([first, third], { afterSeq, maxBytes: ALL })).missing;
    assert.deepEqual(await behind(2), [HOLE]);
    assert.deepEqual(await behind(3), [HOLE]);
    assert.deepEqual(await behind(4), [{ fromSeq: 5, throughSeq: 6, chunks: 2 }]);
    assert.deepEqual(await behind(6), []);
    assert.deepEqual(await behind(8), []);
  });

  it('take the number of an exit for no gap, and one whose size nobody knows for one', async () => {
    const first = await write(0, [output(2, 'behind the exit\n')]);
    const second = await write(1, [output(4, 'one number later\n')]);
    const third = await write(2, [{ type: 'gap', fromSeq: 5, throughSeq: 8, at: 5 }]);
    const fourth = await write(3, [output(9, 'end')]);
    const read = async (segments: readonly Segment[]) =>
      (await readSegments(segments, { afterSeq: 0, maxBytes: ALL })).missing;
    const unknown = { fromSeq: 5, throughSeq: 8, chunks: 4 };
    assert.deepEqual(await read([first, second, third, fourth]), [unknown]);
    assert.deepEqual(await read([first, second, fourth]), [unknown]);
  });

  it('say that something is missing where several numbers are, though none of them is known to be output', async () => {
    const first = await write(0, [output(1, 'one')]);
    const second = await write(1, [output(4, 'four')]);
    const { missing } = await readSegments([first, second], { afterSeq: 0, maxBytes: ALL });
    assert.deepEqual(missing, [{ fromSeq: 2, throughSeq: 3, chunks: 2 }]);
  });

  it('say what is missing before one into which nothing could be written', async () => {
    const empty = await Segment.create(fileOf(0), { bytes: 30 }, 4);
    await empty.close();
    const { missing } = await readSegments([empty], { afterSeq: 0, maxBytes: ALL });
    assert.deepEqual(missing, [{ fromSeq: 1, throughSeq: 3, chunks: 3, bytes: 30 }]);
  });

  it('have a gap where a file was removed while they are read', async () => {
    const segments = await writeThree();
    fs.rmSync(fileOf(1));
    const { chunks, missing } = await readSegments(segments, { afterSeq: 0, maxBytes: ALL });
    assert.deepEqual(
      chunks.map(({ seq }) => seq),
      [1, 2, 3, 7, 8, 9],
    );
    assert.deepEqual(missing, [{ fromSeq: 4, throughSeq: 6, chunks: 3 }]);
  });

  it('are made anew, and not through a link that somebody has put there', async () => {
    const elsewhere = path.join(folder, 'elsewhere');
    fs.symlinkSync(elsewhere, fileOf(0));
    await assert.rejects(write(0, [output(1, 'one')]), { code: 'EEXIST' });
    fs.writeFileSync(elsewhere, 'of somebody');
    await assert.rejects(write(0, [output(1, 'one')]), { code: 'EEXIST' });
    assert.equal(fs.readFileSync(elsewhere, 'utf8'), 'of somebody');
  });

  it('say no size of a hole that may have a gap of unknown size in it', async () => {
    const first = await write(0, [output(1, 'one'), { type: 'gap', fromSeq: 2, throughSeq: 3, at: 2 }]);
    const unknown = { type: 'gap', fromSeq: 5, throughSeq: 8, at: 5 } as const;
    const second = await write(1, [output(4, 'four'), unknown]);
    const third = await write(2, [output(9, 'nine')]);
    const here = { fromSeq: 2, throughSeq: 3, chunks: 2 };
    const hole = { fromSeq: 4, throughSeq: 8, chunks: 5 } as const;
    const read = async (segments: readonly Segment[]) =>
      (await readSegments(segments, { afterSeq: 0, maxBytes: ALL })).missing;
    const withOneUnknown = { fromSeq: 1, throughSeq: 3, chunks: 3 } as const;
    assert.deepEqual(await read([second]), [withOneUnknown, { fromSeq: 5, throughSeq: 8, chunks: 4 }]);
    fs.rmSync(fileOf(1));
    assert.deepEqual(await read([first, third]), [here, hole]);
    const outputs = new OutputFolder(folder);
    assert.deepEqual((await outputs.read('p', { afterSeq: 0, maxBytes: ALL })).missing, [here, hole]);
    const fromStart = { fromSeq: 1, throughSeq: 8, chunks: 8 } as const;
    assert.deepEqual(await read([third]), [fromStart]);
    assert.deepEqual(await outputs.through('p'), {});
    await write(5, [output(10, 'ten')]);
    const fifth = await write(6, [output(11, 'end')]);
    assert.deepEqual((await read([third, fifth])).at(-1), { fromSeq: 10, throughSeq: 10, chunks: 1 });
    // It is all in one number, and nothing of it is known.
    await write(3, [output(12, 'twelve'), { type: 'gap', fromSeq: 13, throughSeq: 13, at: 13 }]);
    const after = await write(4, [output(14, 'fourteen')]);
    const shorter = await cutLast(3);
    assert.deepEqual((await read([shorter, after])).at(-1), { fromSeq: 13, throughSeq: 13, chunks: 1 });
  });
});
