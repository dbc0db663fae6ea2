import assert from 'node:assert/strict';

import { explainRead, type Known, type ReadState } from '../../../src/remote/log/explainRead.js';

const EXIT = { exitCode: 3 };

/** The events in an answer, one word each: `o4` output, `x5` exit, `c6` close, `-1..3` a gap. */
function told(
  some: Partial<Omit<ReadState, 'chunks'>> & { readonly seqs?: readonly number[] },
  known: Partial<Known> = {},
  partial = false,
): string {
  const { seqs = [], ...rest } = some;
  const chunks = seqs.map((seq) => ({
    type: 'output' as const,
    seq,
    stream: 'stdout' as const,
    bytes: new Uint8Array(1),
  }));
  const answer = { nextSeq: 1, closed: false, ...rest, chunks };
  return explainRead(answer, { afterSeq: 0, ...known }, partial)
    .map((event) => {
      switch (event.type) {
        case 'output':
          return `o${event.seq}`;
        case 'exited':
          return `x${event.seq}`;
        case 'closed':
          return `c${event.seq}`;
        case 'gap':
          return `-${event.seq}..${event.throughSeq}${event.totalBytes === undefined ? '' : `=${event.totalBytes}`}`;
      }
    })
    .join(' ');
}

describe('The meaning of an answer to process/read', () => {
  it('is its output, and nothing twice', () => {
    assert.equal(told({ seqs: [1, 2, 3], nextSeq: 4 }), 'o1 o2 o3');
    assert.equal(told({ seqs: [1, 2, 3], nextSeq: 4 }, { afterSeq: 2 }), 'o3');
    assert.equal(told({ nextSeq: 4 }, { afterSeq: 3 }), '');
  });

  it('is the exit and the close after it', () => {
    assert.equal(told({ seqs: [1, 2], nextSeq: 5, exit: EXIT, closed: true }), 'o1 o2 x3 c4');
    assert.equal(told({ seqs: [1, 2], nextSeq: 4, exit: EXIT }), 'o1 o2 x3');
    assert.equal(told({ nextSeq: 3, exit: EXIT, closed: true }), 'x1 c2');
    assert.equal(told({ nextSeq: 6, exit: EXIT, closed: true }, { afterSeq: 3 }), 'x4 c5');
  });

  it('is the exit where a number is left between output', () => {
    assert.equal(told({ seqs: [1, 3], nextSeq: 4, exit: EXIT }), 'o1 x2 o3');
    assert.equal(told({ seqs: [1, 3], nextSeq: 5, exit: EXIT, closed: true }), 'o1 x2 o3 c4');
  });

  it('is the exit before the oldest output, if it fits nowhere else', () => {
    assert.equal(told({ seqs: [2, 3], nextSeq: 5, exit: EXIT, closed: true }), 'x1 o2 o3 c4');
    assert.equal(told({ seqs: [2, 3], nextSeq: 4, exit: EXIT }), 'x1 o2 o3');
    assert.equal(told({ seqs: [9], nextSeq: 10, exit: EXIT }, { afterSeq: 4 }), '-5..7 x8 o9');
  });

  it('is a gap where the server let go of output', () => {
    assert.equal(told({ seqs: [5, 6], nextSeq: 7 }, { afterSeq: 2 }), '-3..4 o5 o6');
    assert.equal(
      told({ seqs: [5], nextSeq: 8, exit: EXIT, closed: true }, { afterSeq: 2 }),
      '-3..4 o5 x6 c7',
    );
    assert.equal(told({ nextSeq: 8 }, { afterSeq: 2 }), '-3..7');
  });

  it('has the number of the exit from any source that knows it', () => {
    assert.equal(
      told({ seqs: [5], nextSeq: 6, exit: EXIT, exitSeq: 3 }, { afterSeq: 1 }),
      '-2..2 x3 -4..4 o5',
    );
    assert.equal(told({ seqs: [5], nextSeq: 6, exit: EXIT }, { afterSeq: 3, exitSeq: 2 }), '-4..4 o5');
    assert.equal(told({ nextSeq: 4, exit: EXIT, closed: true }, { afterSeq: 2, exitSeq: 2 }), 'c3');
  });

  it('says how much there was where the server counts', () => {
    const evicted = { bytes: 100, throughSeq: 4 };
    assert.equal(told({ seqs: [5], nextSeq: 6, evicted }, { afterSeq: 2 }), '-3..4=100 o5');
    assert.equal(
      told({ seqs: [5], nextSeq: 6, evicted, exit: EXIT, exitSeq: 3 }, { afterSeq: 1 }),
      '-2..2 x3 -4..4=100 o5',
    );
  });

  it('ends with its last output if it is only a page', () => {
    const page = { seqs: [1, 2], nextSeq: 3, exit: EXIT, closed: true };
    assert.equal(told({ ...page, exitSeq: 9 }, {}, true), 'o1 o2');
    assert.equal(told({ ...page, seqs: [1, 3], exitSeq: 2 }, {}, true), 'o1 x2 o3');
  });

  it('ends with the exit and the close where the server counts neither', () => {
    assert.equal(told({ seqs: [1], nextSeq: 2, exit: EXIT, closed: true }), 'o1 x2 c3');
    assert.equal(told({ nextSeq: 2, exit: EXIT, closed: true }, { afterSeq: 1 }), 'x2 c3');
  });
});
