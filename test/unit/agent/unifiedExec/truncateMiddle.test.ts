import assert from 'node:assert/strict';

import fc from 'fast-check';

import { OUTPUT_MAX_BYTES, truncateMiddle } from '../../../../src/agent/unifiedExec/index.js';
import { CollectedOutput } from '../../../../src/agent/unifiedExec/collectedOutput.js';
import { utf8 } from '../../../support/bytes.js';

const bytesOf = (text: string) => utf8(text).byteLength;

describe('truncate_middle of unified exec', () => {
  it('A2.44 leaves a text alone that fits, and counts nothing', () => {
    assert.deepEqual(truncateMiddle('', 0), { text: '' });
    assert.deepEqual(truncateMiddle('12345678', 8), { text: '12345678' });
    assert.deepEqual(truncateMiddle('äöü', 6), { text: 'äöü' });
    assert.deepEqual(truncateMiddle('\uFEFFmark', 7), { text: '\uFEFFmark' });
  });

  it('A2.44 estimates a token for every four bytes begun', () => {
    assert.equal(truncateMiddle('x'.repeat(80), 64).originalTokens, 20);
    assert.equal(truncateMiddle('x'.repeat(81), 64).originalTokens, 21);
    assert.equal(truncateMiddle('ü'.repeat(40), 64).originalTokens, 20);
  });

  it('A2.45 has only the marker for nothing, or where it does not fit', () => {
    assert.deepEqual(truncateMiddle('abcde', 0), { text: '…2 tokens truncated…', originalTokens: 2 });
    // The marker alone is 24 bytes long.
    assert.equal(truncateMiddle('x'.repeat(30), 24).text, '…8 tokens truncated…');
    assert.equal(truncateMiddle('x'.repeat(30), 25).text, '…8 tokens truncated…\nx');
  });

  it('A2.45 ends a head, and begins a tail, between two characters if there is no newline', () => {
    const text = '€'.repeat(100);
    const { text: short } = truncateMiddle(text, 100);
    // 25 bytes of marker leave 37 for the head and 38 for the tail.
    assert.equal(short, `${'€'.repeat(12)}…57 tokens truncated…\n${'€'.repeat(12)}`);
  });

  it('A2.45 cuts each end at a newline inside its budget', () => {
    const text = `first\n${'x'.repeat(200)}\nlast`;
    assert.equal(truncateMiddle(text, 100).text, 'first\n…51 tokens truncated…\nlast');
    assert.equal(
      truncateMiddle(`first\n${'x'.repeat(200)}`, 100).text,
      `first\n…41 tokens truncated…\n${'x'.repeat(38)}`,
    );
  });

  it('A2.45 finds a number of tokens that counts what was left out @property', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'ü', '€', '😀', '\n', ' '), maxLength: 400 });
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 200 }), (whole, maxBytes) => {
        const { text: short, originalTokens } = truncateMiddle(whole, maxBytes);
        if (bytesOf(whole) <= maxBytes) {
          assert.equal(short, whole);
          assert.equal(originalTokens, undefined);
          return;
        }
        assert.equal(originalTokens, Math.ceil(bytesOf(whole) / 4));
        const [, head = '', tokens, tail] = /^([^]*)…(\d+) tokens truncated…(?:\n([^]*))?$/.exec(short) ?? [];
        assert.ok(whole.startsWith(head) && whole.endsWith(tail ?? ''), short);
        assert.ok(!short.includes('\uFFFD'), short);
        if (tail !== undefined) {
          assert.ok(bytesOf(short) - 1 <= maxBytes, `${bytesOf(short)} bytes`);
          const leftOut = bytesOf(whole) - bytesOf(head) - bytesOf(tail);
          assert.equal(Number(tokens), Math.ceil(leftOut / 4));
        }
      }),
    );
  });

  it('A2.46 keeps the first and the last four of twenty lines', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `${String(index + 1).padStart(3, '0')}\n`);
    assert.deepEqual(truncateMiddle(lines.join(''), 64), {
      text: `${lines.slice(0, 4).join('')}…12 tokens truncated…\n${lines.slice(-4).join('')}`,
      originalTokens: 20,
    });
  });

  it('A2.46 keeps nothing of 62 bytes without a newline in 16', () => {
    assert.deepEqual(truncateMiddle('abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', 16), {
      text: '…16 tokens truncated…',
      originalTokens: 16,
    });
  });
});

describe('what one request has collected', () => {
  const collect = (pieces: readonly Uint8Array[]) => {
    const collected = new CollectedOutput();
    for (const piece of pieces) {
      collected.push(piece);
    }
    return collected.text();
  };

  it('A2.29 is decoded as a whole, wherever its pieces were cut', () => {
    const bytes = utf8('grün € 😀');
    assert.equal(collect(Array.from(bytes, (byte) => Uint8Array.of(byte))), 'grün € 😀');
  });

  it('A2.29 has U+FFFD for what is no UTF-8, or not all there', () => {
    assert.equal(collect([Uint8Array.of(0x61, 0xff, 0x62)]), 'a\uFFFDb');
    assert.equal(collect([utf8('a€').subarray(0, 3)]), 'a\uFFFD');
  });

  it('A2.29 is the same as if all of it had been kept, within 128 KiB @property', () => {
    const piece = fc.oneof(
      fc.constantFrom(1, 7, 5_000, 65_536, 131_071, 131_072, 131_073, 400_000),
      fc.nat({ max: 100_000 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.constantFrom(0, 7, 80), (sizes, line) => {
        const pieces = sizes.map((size, index) =>
          Uint8Array.from({ length: size }, (_, at) =>
            line > 0 && at % line === line - 1 ? 0x0a : 0x61 + (index % 26),
          ),
        );
        const whole = pieces.map((bytes) => Buffer.from(bytes).toString()).join('');
        assert.equal(collect(pieces), truncateMiddle(whole, OUTPUT_MAX_BYTES).text);
      }),
    );
  });
});
