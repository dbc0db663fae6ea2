import assert from 'node:assert/strict';

import fc from 'fast-check';
import {
  decodeOutputFrame,
  encodeBase64,
  encodeOutputFrame,
  outputMessage,
} from '../../../src/protocol/index.js';

const outputs = fc.record({
  // Lone surrogates have no form in UTF-8, so they are in no process id on the wire either.
  processId: fc.string({ unit: 'grapheme' }),
  seq: fc.nat({ max: 2 ** 48 - 1 }),
  stream: fc.constantFrom('stdout', 'stderr', 'pty'),
  bytes: fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)),
});

describe('an output frame', () => {
  it('reads back as it was written @property', () => {
    fc.assert(
      fc.property(outputs, (output) => {
        const frame = encodeOutputFrame(output);
        assert.ok(frame !== undefined);
        assert.deepEqual(decodeOutputFrame(frame), { ...output });
      }),
    );
  });

  it('is as documented', () => {
    const frame = encodeOutputFrame({ processId: 'é', seq: 258, stream: 'pty', bytes: Buffer.from('x') });
    assert.equal(frame?.toString('hex'), '01' + '02' + '0002' + '000000000102' + 'c3a9' + '78');
  });

  it('refuses values that it has no room for', () => {
    const output = { processId: 'p', seq: 1, stream: 'stdout', bytes: Buffer.from('x') } as const;
    assert.equal(encodeOutputFrame({ ...output, processId: 'é'.repeat(32_768) }), undefined);
    assert.notEqual(encodeOutputFrame({ ...output, processId: 'p'.repeat(65_535) }), undefined);
    assert.equal(encodeOutputFrame({ ...output, seq: 2 ** 48 }), undefined);
  });

  it('is told from other bytes, whatever they are @property', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) => {
        const output = decodeOutputFrame(Buffer.from(bytes));
        // Bytes that decode to a frame are one: encoding it gives them back, unless the process id was no text.
        if (output !== undefined && !output.processId.includes('\ufffd')) {
          assert.deepEqual(encodeOutputFrame(output), Buffer.from(bytes));
        }
      }),
    );
    const frame = encodeOutputFrame({ processId: 'abc', seq: 1, stream: 'stdout', bytes: Buffer.from('') });
    assert.ok(frame !== undefined);
    for (let length = 0; length < frame.length; length++) {
      assert.equal(decodeOutputFrame(frame.subarray(0, length)), undefined, `${length} bytes`);
    }
    for (const [at, value] of [
      [0, 2],
      [1, 3],
    ] as const) {
      const other: Buffer = Buffer.from(frame);
      other[at] = value;
      assert.equal(decodeOutputFrame(other), undefined);
    }
  });
});

describe('outputMessage', () => {
  it('writes what JSON.stringify writes @property', () => {
    const chunks = fc.record({
      seq: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
      stream: fc.constantFrom('stdout', 'stderr', 'pty'),
      bytes: fc.uint8Array({ maxLength: 50 }),
    });
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), chunks, (processId, { seq, stream, bytes }) => {
        const params = { processId, seq, stream, chunk: encodeBase64(bytes) };
        assert.equal(
          outputMessage({ processId, seq, stream, bytes }).toString(),
          JSON.stringify({ method: 'process/output', params }),
        );
      }),
    );
  });
});
