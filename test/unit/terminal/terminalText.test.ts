import assert from 'node:assert/strict';

import fc from 'fast-check';

import { terminalText } from '../../../src/terminal/terminalText.js';
import { utf8 } from '../../support/bytes.js';
import { QUERIES } from '../../support/escapeSamples.js';
import { usualSize } from '../../support/usualSize.js';

const RED = '\u001b[31m';
const PLAIN = '\u001b[0m';

type Piece = readonly ['stdout' | 'stderr', string];

/** The text that a terminal gets of two pipes. */
function pipes(...pieces: readonly Piece[]): string {
  const text = terminalText(false, usualSize);
  return pieces.map(([stream, piece]) => text.write(stream, utf8(piece), true).text).join('');
}

describe('terminalText of a terminal session', () => {
  it('passes on what the program wrote, wherever it is cut @property', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(fc.constantFrom('\n', '\r', '\u001b[31m', 'é', '😀', '世'), fc.string()),
        }),
        fc.integer({ min: 1, max: 3 }),
        (written, step) => {
          const bytes = utf8(`${written}\u001b[m`);
          const text = terminalText(true, usualSize);
          let out = '';
          for (let at = 0; at < bytes.byteLength; at += step) {
            out += text.write('pty', bytes.subarray(at, at + step), true).text;
          }
          assert.equal(out, new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
        },
      ),
    );
  });

  it('shows what is no character as a replacement', () => {
    const text = terminalText(true, usualSize);
    assert.equal(text.write('pty', Uint8Array.of(0x61, 0xff, 0x62, 0xe4, 0xb8), true).text, 'a\ufffdb');
    assert.equal(text.skip('', undefined), '\ufffd');
    assert.equal(text.write('pty', utf8('c'), true).text, 'c');
  });
});

describe('terminalText of text alone', () => {
  it('leaves text, its colours, and what stays within a line', () => {
    for (const tty of [true, false]) {
      const text = terminalText(tty, usualSize, { onlyText: { imageMark: '[image]' } });
      const output =
        'a\u0007\u000eb\u001b[31mc\u001b[2;2Hd\u001b[?1049he\u001bcf\u001b]0;title\u0007g\u001bPq~\u001b\\h\u001b[Ki';
      assert.equal(text.write('stdout', utf8(output), false).text, 'ab\u001b[31mcdefg[image]h\u001b[Ki');
    }
  });
});

describe('terminalText of pipes', () => {
  it('never asks the emulator anything, also where it may answer', () => {
    for (const [name, query] of Object.entries(QUERIES)) {
      const whole = pipes(['stdout', `before${query}after`]);
      const cut = pipes(...Array.from(`before${query}after`, (character): Piece => ['stdout', character]));
      assert.deepEqual([whole, cut], ['beforeafter', 'beforeafter'], name);
    }
  });

  it('returns at the end of each line, and only once', () => {
    assert.equal(pipes(['stdout', 'a\nb\r\nc\n\nd\re']), 'a\r\nb\r\nc\r\n\r\nd\re');
    assert.equal(pipes(['stdout', 'a\r'], ['stdout', '\nb']), 'a\r\nb');
    assert.equal(pipes(['stdout', 'a\r\n'], ['stdout', '\nb']), 'a\r\n\r\nb');
  });

  it('gives stderr a colour, and takes it back', () => {
    assert.equal(
      pipes(['stdout', 'out\n'], ['stderr', 'err\n'], ['stderr', 'more\n'], ['stdout', 'out\n']),
      `out\r\n${PLAIN}${RED}err\r\nmore\r\n${PLAIN}out\r\n`,
    );
  });

  it('keeps the colours that each of the two has set', () => {
    assert.equal(
      pipes(['stdout', '\u001b[1;32mgreen'], ['stderr', 'red'], ['stdout', 'green again\u001b[0m.']),
      `\u001b[1;32mgreen${PLAIN}${RED}red${PLAIN}\u001b[1;32mgreen again\u001b[0m.`,
    );
    assert.equal(
      pipes(['stderr', '\u001b[33myellow\u001b[0mred'], ['stdout', 'plain']),
      `${PLAIN}${RED}\u001b[33myellow\u001b[0m${RED}red${PLAIN}plain`,
    );
  });

  it('does not tear a sequence of one stream apart with the other', () => {
    assert.equal(
      pipes(['stdout', 'a\u001b[3'], ['stderr', 'err'], ['stdout', '2mb']),
      `a${PLAIN}${RED}err${PLAIN}\u001b[32mb`,
    );
    const title = pipes(['stdout', '\u001b]1337;File=:aa'], ['stderr', 'err'], ['stdout', 'aa\u0007b']);
    assert.equal(title, `\u001b]1337;File=:aa\u0018${PLAIN}${RED}err${PLAIN}b`);
  });

  it('does not tear a character of one stream apart with the other', () => {
    const text = terminalText(false, usualSize);
    const [first, second] = [utf8('é').subarray(0, 1), utf8('é').subarray(1)];
    const out =
      text.write('stdout', first, true).text +
      text.write('stderr', utf8('x'), true).text +
      text.write('stdout', second, true).text;
    assert.equal(out, `${PLAIN}${RED}x${PLAIN}é`);
  });

  it('sets the colour again after something of ours', () => {
    const text = terminalText(false, usualSize);
    text.write('stderr', utf8('err'), true);
    assert.equal(text.insert('ours'), `${PLAIN}ours`);
    assert.equal(text.write('stderr', utf8('err'), true).text, `${PLAIN}${RED}err`);
  });
});
