import assert from 'node:assert/strict';

import fc from 'fast-check';

import { OUTPUT_MAX_BYTES, OutputWindow } from '../../../../src/agent/unifiedExec/index.js';
import { textOf, utf8 } from '../../../support/bytes.js';

const text = (chunks: readonly Uint8Array[]) => textOf(chunks.map((bytes) => ({ bytes })));

describe('the output window of unified exec', () => {
  it('A2.37 trims only the bytes in excess', () => {
    const window = new OutputWindow();
    window.push(utf8('a'.repeat(131_072)));
    window.push(utf8('b'));
    window.push(utf8('c'));
    assert.equal(window.totalBytes, 131_072);
    assert.equal(window.chunks.length, 3);
    assert.equal(window.chunks[0]?.byteLength, 131_070);
    assert.equal(text(window.chunks.slice(-1)), 'c');
    assert.equal(text(window.chunks.slice(-2, -1)), 'b');
  });

  it('A2.32 drops whole chunks first', () => {
    const window = new OutputWindow();
    window.push(utf8('old'));
    window.push(utf8('older'));
    window.push(utf8('x'.repeat(OUTPUT_MAX_BYTES - 4)));
    assert.deepEqual(
      window.chunks.map(({ byteLength }) => byteLength),
      [4, OUTPUT_MAX_BYTES - 4],
    );
    assert.equal(text(window.chunks).slice(0, 5), 'lderx');
  });

  it('A2.32 is empty once it was drained', () => {
    const window = new OutputWindow();
    window.push(utf8('one'));
    window.push(utf8('two'));
    assert.equal(text(window.drain()), 'onetwo');
    assert.equal(window.totalBytes, 0);
    assert.deepEqual(window.drain(), []);
    window.push(utf8('three'));
    assert.equal(text(window.drain()), 'three');
  });

  it('A2.32 has the newest bytes, whatever comes @property', () => {
    const size = fc.oneof(fc.nat({ max: 50 }), fc.integer({ min: 60_000, max: 140_000 }));
    fc.assert(
      fc.property(fc.array(size, { maxLength: 60 }), (sizes) => {
        const window = new OutputWindow();
        const pieces = sizes.map((length, index) =>
          utf8(String.fromCharCode(97 + (index % 26)).repeat(length)),
        );
        for (const piece of pieces) {
          window.push(piece);
          assert.ok(window.totalBytes <= OUTPUT_MAX_BYTES);
        }
        const newest = text(pieces).slice(-OUTPUT_MAX_BYTES);
        assert.equal(window.totalBytes, newest.length);
        assert.ok(text(window.chunks) === newest);
      }),
    );
  });

  it('drops many small chunks in a time that does not grow with what is kept', () => {
    const window = new OutputWindow();
    for (let index = 0; index < 200_000; index++) {
      window.push(Uint8Array.of(index % 256));
    }
    assert.equal(window.totalBytes, OUTPUT_MAX_BYTES);
    assert.equal(window.drain().at(-1)?.[0], 199_999 % 256);
  });
});
