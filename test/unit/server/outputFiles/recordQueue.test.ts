import assert from 'node:assert/strict';

import { type FileRecord, lastSeqOf } from '../../../../src/machine/index.js';
import { readRecord, sizeOfRecord } from '../../../../src/machine/outputFiles/recordFormat.js';
import { RecordQueue } from '../../../../src/server/outputFiles/recordQueue.js';

const output = (seq: number, bytes = 100): FileRecord => ({
  type: 'output',
  seq,
  at: seq,
  stream: 'stdout',
  bytes: Buffer.alloc(bytes),
});
const gap = (fromSeq: number, throughSeq: number, bytes?: number): FileRecord => ({
  type: 'gap',
  fromSeq,
  throughSeq,
  at: fromSeq,
  ...(bytes !== undefined && { bytes }),
});

describe('A queue of records that is full', () => {
  /** The rest once the first record is taken: one gap for all records that have found no room. */
  const gapFor = (records: readonly FileRecord[]) => {
    const queue = new RecordQueue(100);
    queue.push(output(1));
    records.forEach((record) => queue.push(record));
    assert.equal(queue.take()?.throughSeq, 1);
    const batch = queue.take() ?? assert.fail('There is no gap.');
    assert.ok(queue.isEmpty);
    const record = readRecord(batch.bytes, 0);
    assert.ok(typeof record === 'object' && sizeOfRecord(record) === batch.bytes.length);
    assert.equal(batch.throughSeq, lastSeqOf(record));
    return record;
  };

  it('joins output and gaps that follow each other to one gap, whose size is known if theirs is', () => {
    assert.deepEqual(gapFor([gap(2, 4, 30)]), gap(2, 4, 30));
    assert.deepEqual(gapFor([gap(2, 4, 30), output(5), gap(6, 9, 7)]), gap(2, 9, 137));
    assert.deepEqual(gapFor([gap(2, 4), output(5)]), gap(2, 5));
    assert.deepEqual(gapFor([output(2), gap(3, 4)]), gap(2, 4));
  });

  it('takes more as soon as there is room, after the gap, and is empty when it is cleared', () => {
    const large = (seq: number) => output(seq, 300 * 1024);
    const queue = new RecordQueue(2 * sizeOfRecord(large(1)));
    [1, 2, 3].forEach((seq) => queue.push(large(seq)));
    assert.deepEqual([queue.take()?.throughSeq, queue.isEmpty], [1, false]);
    queue.push(output(4));
    const rest = [queue.take(), queue.take(), queue.take()];
    assert.deepEqual(
      rest.map((batch) => batch && [batch.fromSeq, batch.throughSeq]),
      [[2, 2], [3, 4], undefined],
    );
    [5, 6, 7].forEach((seq) => queue.push(large(seq)));
    queue.clear();
    assert.deepEqual([queue.isEmpty, queue.isFull, queue.take()], [true, false, undefined]);
    queue.push(output(8));
    assert.deepEqual(queue.take()?.fromSeq, 8);
  });

  it('uses memory again that was written, while more waits, and lets go of it when nothing does', () => {
    const queue = new RecordQueue(Number.MAX_SAFE_INTEGER);
    const large = (seq: number) => output(seq, 300 * 1024);
    const taken = () => queue.take() ?? assert.fail('There is none.');
    [1, 2].forEach((seq) => queue.push(large(seq)));
    const first = taken();
    queue.giveBack(first);
    queue.push(large(3));
    const second = taken();
    const third = taken();
    assert.deepEqual([second.fromSeq, third.fromSeq], [2, 3]);
    assert.ok(third.bytes.buffer === first.bytes.buffer);
    queue.giveBack(third);
    [4, 5].forEach((seq) => queue.push(large(seq)));
    assert.ok([taken(), taken()].every(({ bytes }) => bytes.buffer !== third.bytes.buffer));
  });
});
