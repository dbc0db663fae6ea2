import assert from 'node:assert/strict';

import fc from 'fast-check';

import { encodeBase64, outputMessage } from '../../../src/protocol/index.js';

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
