import assert from 'node:assert/strict';

import fc from 'fast-check';

import { TerminalFilter } from '../../../src/terminal/terminalFilter.js';
import type { EmulatorText } from '../../../src/terminal/pacedWriter.js';
import { terminalText } from '../../../src/terminal/terminalText.js';
import { emulate, Emulator } from '../../support/emulator.js';
import { BEL, CONTROLS, HARMLESS, QUERIES, SHARDS, ST, TAILS } from '../../support/escapeSamples.js';
import { RECORDINGS } from '../../support/recordings/index.js';
import { usualSize } from '../../support/usualSize.js';

/** A question that nothing else asks. */
const PROBE = '\u001b[?70001$p';
const ANSWER = '\u001b[?70001;0$y';
/** Characters of one, two and no cells, characters that join them, and sequences that repeat them. */
const JOINING = [
  'e',
  '\u0301',
  '世',
  '👩',
  '\u200d',
  '🏽',
  '🇫',
  '🇷',
  '\ufe0f',
  '\u0e33',
  'क\u094d',
  '\u001b[3b',
  'ab',
];

function placesOf(...pieces: readonly string[]): readonly (number | undefined)[] {
  const filter = new TerminalFilter(usualSize);
  return pieces.map((piece) => {
    filter.write(piece, true);
    return filter.safePlace;
  });
}

/** The pieces with a question at each place that is known in them. */
function withProbes(pieces: Iterable<EmulatorText>): { text: string; count: number } {
  let text = '';
  let count = 0;
  for (const piece of pieces) {
    text += withProbe(piece);
    count += piece.safePlace === undefined ? 0 : 1;
  }
  return { text, count };
}

function withProbe({ text, safePlace }: EmulatorText): string {
  return safePlace === undefined ? text : text.slice(0, safePlace) + PROBE + text.slice(safePlace);
}

/** The text that a terminal gets of a program's output that arrives in these pieces. */
function* filtered(pieces: Iterable<string>): Generator<EmulatorText> {
  const filter = new TerminalFilter(usualSize);
  for (const piece of pieces) {
    yield { text: filter.write(piece, true), safePlace: filter.safePlace };
  }
}

/** The text that a terminal gets of a program's output that arrives in pieces of this many bytes. */
function* written(bytes: Uint8Array, size: number): Generator<EmulatorText> {
  const text = terminalText(true, usualSize);
  for (let start = 0; start < bytes.byteLength; start += size) {
    yield text.write('pty', bytes.subarray(start, start + size), true);
  }
  yield { text: text.finish() };
}

/** In pieces of whole characters, as a decoder makes them. */
function* cut(text: string, at: readonly number[]): Generator<string> {
  const characters = Array.from(text);
  const ends = at.map((place) => place % (characters.length + 1));
  let start = 0;
  for (const end of [...ends, characters.length].sort((a, b) => a - b)) {
    yield characters.slice(start, end).join('');
    start = end;
  }
}

const strange = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...SHARDS, ...TAILS, ...CONTROLS) },
      { weight: 3, arbitrary: fc.constantFrom(...JOINING) },
      { weight: 1, arbitrary: fc.constantFrom(...Object.values(QUERIES)) },
      { weight: 2, arbitrary: fc.constantFrom(...HARMLESS) },
    ),
    { maxLength: 25 },
  )
  .map((parts) => parts.join(''));

describe('The places for a question in what an emulator is given', () => {
  it('are after control characters and complete sequences', () => {
    assert.deepEqual(placesOf('one\r\né'), [5]);
    assert.deepEqual(placesOf('\u001b[1mé'), [4]);
    assert.deepEqual(placesOf(`é\u001b]0;title${BEL}é`), [11]);
    assert.deepEqual(placesOf(`\u001b]8;;https://example.org${ST}é`), [26]);
    assert.deepEqual(placesOf('\u001b(Bé'), [3]);
  });

  it('are between characters of ASCII', () => {
    assert.deepEqual(placesOf('words'), [4]);
    assert.deepEqual(placesOf('one\r\ntwo'), [7]);
    assert.deepEqual(placesOf('wordsé'), [4]);
    assert.deepEqual(placesOf('é', 'o', 'é'), [undefined, undefined, undefined]);
  });

  it('are not before what may join the last character, or repeat it', () => {
    assert.deepEqual(placesOf('e', '\u0301'), [undefined, undefined]);
    assert.deepEqual(placesOf('世界', '世界'), [undefined, undefined]);
    assert.deepEqual(placesOf('\ne\u0301'), [1]);
    assert.deepEqual(placesOf('e\u007f', '\u0301'), [undefined, undefined], 'DEL is nothing to an emulator');
  });

  it('are not where a query was taken out that would have parted a character from what joins it', () => {
    const filter = new TerminalFilter(usualSize);
    filter.write('e\u001b[c\u0301', false);
    assert.equal(filter.safePlace, undefined);
  });

  it('are not in a sequence or a string that comes in pieces', () => {
    assert.deepEqual(placesOf('\u001b]0;ti', 'tle\r\nwords', `${BEL}é`), [undefined, undefined, 1]);
    assert.deepEqual(placesOf('\u001bPq#0~', `words words${BEL}`, `~~${ST}é`), [undefined, undefined, 4]);
    assert.deepEqual(placesOf('\u001b[3', '8;5', '1mé'), [undefined, undefined, '\u001b[38;51m'.length]);
  });

  it('come again when something has ended all that was open', () => {
    for (const end of ['\u0018', '\u001a', '\u001b[m', ST]) {
      assert.deepEqual(placesOf('\u001bP1$q', `${end}é`), [undefined, end.length]);
    }
  });

  it('are there in lines of any language', () => {
    for (const line of ['A line of words.\n', '日本語のテキスト。\n', 'e\u0301e\u0301e\u0301\n', '=>  \r']) {
      const bytes = Buffer.from(line.repeat(5_000));
      const pieces = [...written(bytes, 4096)].slice(0, -1);
      assert.equal(withProbes(pieces).count, pieces.length, JSON.stringify(line));
    }
  });

  it('are not after a sequence that an emulator ignores for its last character', async () => {
    const text = 'e\u001bक\u094d';
    const { text: probed } = withProbes(filtered(Array.from(text)));
    assert.equal((await emulate(probed)).screen, (await emulate(text)).screen);
  });

  it('change nothing that an emulator shows or says, whatever the text and its cuts @property', async () => {
    await fc.assert(
      fc.asyncProperty(strange, fc.array(fc.nat(), { maxLength: 8 }), async (text, cuts) => {
        const { text: probed, count } = withProbes(filtered(cut(`${text}\u0018`, cuts)));
        const [plain, asked] = [await emulate(`${text}\u0018`), await emulate(probed)];
        assert.equal(asked.screen, plain.screen, JSON.stringify(probed));
        assert.equal(asked.said.split(ANSWER).length - 1, count);
        assert.equal(asked.said.replaceAll(ANSWER, ''), plain.said);
      }),
    );
  });

  it('are found, and change nothing, where real programs write byte by byte', async () => {
    for (const [name, bytes] of RECORDINGS) {
      const plain = new Emulator();
      const asked = new Emulator();
      let count = 0;
      let [text, probed] = ['', ''];
      const compare = async () => {
        await plain.write(text);
        await asked.write(probed);
        [text, probed] = ['', ''];
        assert.equal(asked.screen(), plain.screen(), `${name} after ${count} places`);
      };
      for (const piece of written(bytes, 1)) {
        text += piece.text;
        probed += withProbe(piece);
        count += piece.safePlace === undefined ? 0 : 1;
        if (text.length > 500) {
          await compare();
        }
      }
      await compare();
      assert.equal(asked.said.split(ANSWER).length - 1, count, name);
      assert.equal(asked.said.replaceAll(ANSWER, ''), plain.said, name);
      assert.ok(count > 0, name);
    }
  });

  it('change nothing however large the pieces are that come', async () => {
    for (const [name, bytes] of RECORDINGS) {
      const plain = await emulate([...written(bytes, bytes.byteLength)].map((piece) => piece.text).join(''));
      for (const size of [2, 3, 5, 7, 64, 1000, 4096]) {
        const { text, count } = withProbes(written(bytes, size));
        const asked = await emulate(text);
        assert.equal(asked.screen, plain.screen, `${name} in pieces of ${size}`);
        assert.equal(asked.said.split(ANSWER).length - 1, count);
      }
    }
  });
});
