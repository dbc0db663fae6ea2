import assert from 'node:assert/strict';

import fc from 'fast-check';

import { decodeBase64, encodeBase64, WireError } from '../../../src/protocol/index.js';

describe('base64', () => {
  it('reads what it writes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        assert.deepEqual(Uint8Array.from(decodeBase64(encodeBase64(bytes))), bytes);
      }),
    );
  });

  it('writes a part of a buffer, and not the rest of it', () => {
    assert.equal(encodeBase64(new Uint8Array([1, 2, 3, 4]).subarray(1, 3)), 'AgM=');
  });

  it('refuses all that is not exactly what it would write', () => {
    const text = fc.string({
      unit: fc.constantFrom('A', 'Q', 'b', '+', '/', '=', '-', ' ', '\n', 'é'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(text, (written) => {
        let bytes: Uint8Array;
        try {
          bytes = decodeBase64(written);
        } catch (error) {
          assert.ok(error instanceof WireError && error.code === -32602);
          return;
        }
        assert.equal(encodeBase64(bytes), written);
      }),
      { numRuns: 2_000 },
    );
  });

  it('finds the fault of millions of symbols in no time', () => {
    const start = process.hrtime.bigint();
    for (const [end, fault] of [
      ['*', 'Invalid symbol 42, offset 19999999.'],
      ['*AAA', 'Invalid symbol 42, offset 19999996.'],
    ] as const) {
      const text = 'A'.repeat(20_000_000 - end.length) + end;
      assert.throws(() => decodeBase64(text), new WireError(-32602, fault));
    }
    // This takes fractions of a second; a look at each symbol takes three.
    assert.ok(Number(process.hrtime.bigint() - start) / 1e6 < 1_500);
  });

  // The faults that the real server reported.
  const faults = [
    ['!', 'Invalid symbol 33, offset 0.'],
    ['a', 'Invalid input length: 1'],
    ['ab', 'Invalid padding'],
    ['abc', 'Invalid padding'],
    ['ab==', 'Invalid last symbol 98, offset 1.'],
    ['ab=', 'Invalid padding'],
    ['a===', 'Invalid symbol 61, offset 1.'],
    ['=', 'Invalid symbol 61, offset 0.'],
    ['====', 'Invalid symbol 61, offset 0.'],
    ['abcd=', 'Invalid symbol 61, offset 4.'],
    ['abcd==', 'Invalid symbol 61, offset 4.'],
    ['abcde', 'Invalid input length: 5'],
    ['abcdef', 'Invalid padding'],
    ['ab==cd==', 'Invalid symbol 61, offset 2.'],
    ['ab\n==', 'Invalid symbol 10, offset 2.'],
    ['ab cd', 'Invalid symbol 32, offset 2.'],
    ['abc!', 'Invalid symbol 33, offset 3.'],
    ['abcd!', 'Invalid symbol 33, offset 4.'],
    ['abcdabc!', 'Invalid symbol 33, offset 7.'],
    ['abcda!cd', 'Invalid symbol 33, offset 5.'],
    ['ab!=', 'Invalid symbol 33, offset 2.'],
    ['a!==', 'Invalid symbol 33, offset 1.'],
    ['YQ', 'Invalid padding'],
    ['YR==', 'Invalid last symbol 82, offset 1.'],
    ['YWJ=', 'Invalid last symbol 74, offset 2.'],
    ['-_-_', 'Invalid symbol 45, offset 0.'],
    ['YQ==\n', 'Invalid symbol 10, offset 4.'],
    ['YQ===', 'Invalid symbol 61, offset 2.'],
    ['Y=Q=', 'Invalid symbol 61, offset 1.'],
    ['YW=I', 'Invalid symbol 61, offset 2.'],
    ['=YWI', 'Invalid symbol 61, offset 0.'],
    ['YWI==', 'Invalid symbol 61, offset 3.'],
    ['YWJjZA==YQ==', 'Invalid symbol 61, offset 6.'],
    ['é===', 'Invalid symbol 195, offset 0.'],
    ['YWJj\u00e9abc', 'Invalid symbol 195, offset 4.'],
    ['abcdab=', 'Invalid padding'],
    ['abcda===', 'Invalid symbol 61, offset 5.'],
    ['Zm9=', 'Invalid last symbol 57, offset 2.'],
    ['YQ= =', 'Invalid symbol 61, offset 2.'],
    [' ', 'Invalid symbol 32, offset 0.'],
  ] as const;
  for (const [text, fault] of faults) {
    it(`says of ${JSON.stringify(text)} what the real server says`, () => {
      assert.throws(() => decodeBase64(text), new WireError(-32602, fault));
    });
  }
});
