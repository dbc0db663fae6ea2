import assert from 'node:assert/strict';

import fc from 'fast-check';

import { MAX_DEPTH, MAX_VALUES } from '../../../src/protocol/index.js';
import { MessageFault, parseJson, scanMessage } from '../../../src/protocol/messages/scanMessage.js';

/** The objection of the scanner to a text, or of the parser after it; undefined if it passes. */
function faultOf(text: string): string | undefined {
  try {
    scanMessage(text);
    parseJson(text);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof MessageFault, String(error));
    return error.message;
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

/** JSON in any way to write it, with escapes and white space of all kinds. */
const json = fc
  .tuple(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1, '\t', '\r\n \t'), fc.nat())
  .map(([value, indent, seed]) => escapeSome(JSON.stringify(value, undefined, indent), seed));

/** Writes some letters inside strings as \u escapes: both halves of a surrogate pair or none. */
function escapeSome(text: string, seed: number): string {
  return text.replace(/"(?:[^"\\]|\\.)*"/gsu, (literal) =>
    literal.replace(/\\.|[a-zA-Z0-9é\u{10000}-\u{10ffff}]/gsu, (piece, offset: number) =>
      piece.startsWith('\\') || (offset * 31 + seed) % 3 !== 0
        ? piece
        : Array.from({ length: piece.length }, (_, index) => hex(piece.charCodeAt(index))).join(''),
    ),
  );
}

/** The pieces that JSON is made of. */
const PIECES = '{ } [ ] " , : \\ u 0 d 8 e - + . tru fals n \n \u0001'.split(' ');

const hex = (unit: number) => `\\u${unit.toString(16).padStart(4, '0')}`;

describe('scanMessage', () => {
  it('passes all that is JSON @property', () => {
    fc.assert(
      fc.property(json, (text) => {
        assert.equal(faultOf(text), undefined);
        assert.ok(parses(text), 'The test makes no JSON.');
      }),
    );
  });

  it('agrees with JSON.parse on texts that are not JSON @property', () => {
    const broken = fc
      .tuple(
        json,
        fc.array(fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom(...PIECES)), {
          maxLength: 3,
        }),
      )
      .map(([text, changes]) =>
        changes.reduce((before, [where, length, by]) => {
          const at = where % (before.length + 1);
          return before.slice(0, at) + by + before.slice(at + length);
        }, text),
      );
    fc.assert(
      fc.property(broken, (text) => {
        const fault = faultOf(text);
        if (parses(text)) {
          // Only our scan finds these: JSON.parse takes the last of two equal names, and lone surrogates.
          assert.match(fault ?? 'surrogate', /twice|surrogate/);
        } else {
          assert.ok(fault !== undefined, 'It passes.');
        }
      }),
    );
  });

  it('refuses every beginning of a message', () => {
    const text = '{"id":-12.5e3,"a":["x\\u00e9\\ud83d\\ude00",true,false,null,{}]}';
    for (let length = 0; length < text.length; length++) {
      assert.match(
        faultOf(text.slice(0, length)) ?? 'It passes.',
        /^it is not JSON: .|half a surrogate pair/,
      );
    }
    assert.equal(faultOf(text), undefined);
  });

  it('finds a name that is there twice, however it is written @property', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ unit: 'grapheme' }), { minLength: 1 }),
        fc.nat(),
        (names, seed) => {
          const twice = names[seed % names.length] ?? '';
          const members = [...names, twice].map((name) => `${JSON.stringify(name)}:0`);
          const text = `[{"a":{${members.slice(0, -1).join()}}},{${escapeSome(members.join(), seed)}}]`;
          assert.match(faultOf(text) ?? 'It passes.', /is twice in one object$/);
        },
      ),
    );
  });

  it('finds a name of Object.prototype only where it is', () => {
    assert.equal(faultOf('{"__proto__":1,"constructor":2,"hasOwnProperty":3}'), undefined);
    assert.match(faultOf('{"__proto__":1,"__proto__":2}') ?? '', /twice/);
  });

  it('counts levels', () => {
    assert.equal(faultOf(nested(MAX_DEPTH)), undefined);
    assert.equal(faultOf(`{"x":${nested(MAX_DEPTH - 1)}}`), undefined);
    assert.match(faultOf(nested(MAX_DEPTH + 1)) ?? '', /^its values are nested deeper than 127 levels/);
    assert.match(faultOf(nested(1_000_000)) ?? '', /^its values are nested deeper than 127 levels/);
    assert.equal(faultOf(`[${Array(500).fill(nested(100)).join()}]`), undefined);
  });

  it('counts values, and not names', () => {
    const list = (count: number) => `[${Array(count).fill('1').join()}]`;
    assert.equal(faultOf(list(MAX_VALUES - 1)), undefined);
    assert.match(faultOf(list(MAX_VALUES)) ?? '', /^it has more than 262144 values/);
    const members = Array.from({ length: MAX_VALUES - 1 }, (_, index) => `"${index}":1`);
    assert.equal(faultOf(`{${members.join()}}`), undefined);
    assert.match(faultOf(`{${members.join()},"x":1}`) ?? '', /^it has more than/);
  });

  it('finds the id as it is written, on the top level alone', () => {
    const found = [
      ['{"id":9223372036854775807}', '9223372036854775807'],
      ['{ "a":{"id":1}, "id" : -0 ,"b":[{"id":2}]}', '-0'],
      ['{"\\u0069d":"a\\"b"}', '"a\\"b"'],
      ['{"id":[1, 2]}', '[1, 2]'],
      ['{"a":{"id":1}}', undefined],
      ['[{"id":1}]', undefined],
    ] as const;
    for (const [text, id] of found) {
      assert.equal(scanMessage(text), id, text);
    }
  });

  it('takes time in proportion to the length', () => {
    const hostile = [
      // Many escapes before a far quote, many quotes, and many long names.
      (size: number) => `"${'\\n'.repeat(size / 2)}"`,
      (size: number) => `"${'\\"'.repeat(size / 2)}"`,
      (size: number) => `"${'\\u0041'.repeat(size / 6)}"`,
      (size: number) =>
        `[${Array(Math.min(200_000, size / 4))
          .fill('"\\\\"')
          .join()}]`,
      (size: number) => ' '.repeat(size) + '1',
      (size: number) => '9'.repeat(size),
    ];
    for (const make of hostile) {
      // Quadratic time would be hours.
      assert.equal(faultOf(make(4_000_000)), undefined);
    }
  });

  it('finds half a surrogate pair, and no other escape', () => {
    for (const half of ['\\ud800', '\\udc00', '\\ud800\\ud800', '\\ud83dx', '\\ud83d\\n', '\\\\\\udc00']) {
      assert.match(faultOf(`{"x":"${half}"}`) ?? 'It passes.', /^a string has half a surrogate pair/, half);
    }
    for (const whole of ['\\ud83d\\ude00', '\\\\ud800', '\\\\\\u0041', '\\ue000\\ud7ff']) {
      assert.equal(faultOf(`{"x":"${whole}"}`), undefined, whole);
    }
  });

  it('repeats only the beginning of a name', () => {
    const name = JSON.stringify('x'.repeat(1_000_000));
    assert.ok((faultOf(`{${name}:1,${name}:1}`) ?? '').length < 200);
  });
});
