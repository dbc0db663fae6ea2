import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { type FileRecord, Segment } from '../../../../src/machine/index.js';
import { RecordQueue } from '../../../../src/server/outputFiles/recordQueue.js';
import { onLinux } from '../../../support/onLinux.js';
import { ownOpenFiles } from '../../../support/processes.js';

const NOTHING = { bytes: 0 };
const PIECE = 40 * 1024;

describe('One file with output', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-segment-'));
    file = path.join(folder, 'p.0.output');
  });
  afterEach(() => {
    fs.rmSync(folder, { recursive: true });
  });

  const append = async (segment: Segment, records: readonly FileRecord[]) => {
    const queue = new RecordQueue(Number.MAX_SAFE_INTEGER);
    records.forEach((record) => queue.push(record));
    await segment.append(queue.take() ?? assert.fail('There is none.'));
  };
  const output = (seq: number): FileRecord => ({
    type: 'output',
    seq,
    at: seq,
    stream: 'pty',
    bytes: Buffer.alloc(PIECE),
  });
  const loaded = async () => (await Segment.load(file)) ?? assert.fail('There is nothing in it.');

  it('has each number where it is looked for, and is not left open', async () => {
    const written = await Segment.create(file, NOTHING, 1);
    // In pairs, so that a remembered place has a number on either side.
    for (let seq = 1; seq < 20; seq += 2) {
      await append(written, [output(seq), output(seq + 1)]);
    }
    for (const segment of [written, await loaded()]) {
      for (let after = 0; after < 20; after += 1) {
        const { chunks, more } = await segment.read(after, 1);
        assert.deepEqual([chunks.map(({ seq }) => seq), more], [[after + 1], after < 19]);
        assert.equal(await segment.seqBefore(after + 1), after);
      }
    }
    await written.remove();
    assert.deepEqual(ownOpenFiles(folder), []);
  });

  it('begins with the number with which its first gap does', async () => {
    const written = await Segment.create(file, NOTHING, 5);
    await append(written, [{ type: 'gap', fromSeq: 5, throughSeq: 8, at: 5 }, output(9)]);
    await written.close();
    const { fromSeq, throughSeq } = await loaded();
    assert.deepEqual([fromSeq, throughSeq], [5, 9]);
  });

  onLinux('is not read through a link', async () => {
    const written = await Segment.create(`${file}.elsewhere`, NOTHING, 1);
    await append(written, [output(1)]);
    await written.close();
    fs.symlinkSync(`${file}.elsewhere`, file);
    await assert.rejects(Segment.load(file), { code: 'ELOOP' });
  });
});
