import assert from 'node:assert/strict';

import fc from 'fast-check';

import { decodeBase64, encodeBase64, WireError } from '../../../src/protocol/index.js';

describe('base64', () => {
  it('reads what it writes @property', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        assert.deepEqual(Uint8Array.from(decodeBase64(encodeBase64(bytes), 'chunk')), bytes);
      }),
    );
  });

  it('writes a part of a buffer, and not the rest of it', () => {
    assert.equal(encodeBase64(new Uint8Array([1, 2, 3, 4]).subarray(1, 3)), 'AgM=');
  });

  it('refuses all but its own form @property', () => {
    const text = fc.string({
      unit: fc.constantFrom('A', 'Q', 'b', '+', '/', '=', '-', ' ', '\n', 'é'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(text, (written) => {
        let bytes: Uint8Array;
        try {
          bytes = decodeBase64(written, 'chunk');
        } catch (error) {
          assert.ok(error instanceof WireError && error.code === -32602);
          return;
        }
        assert.equal(encodeBase64(bytes), written);
      }),
    );
  });

  for (const text of [
    '!',
    'a',
    'ab',
    'ab==',
    'ab=',
    '=',
    '====',
    'abcd=',
    'ab==cd==',
    'YQ==\n',
    '-_-_',
    'é===',
    ' ',
  ]) {
    it(`says of ${JSON.stringify(text)} in which member it is`, () => {
      const said = '"chunk" is wrong: it has to be base64 in the standard alphabet, padded';
      assert.throws(() => decodeBase64(text, 'chunk'), new WireError(-32602, said));
    });
  }
});
