import assert from 'node:assert/strict';

import fc from 'fast-check';

import { HeadlessTerminal } from '../../../../src/terminal/headless.js';
import { HARMLESS, QUERIES } from '../../../support/escapeSamples.js';
import { cutAt, digestOf, expanded, outputOf, places, textOf } from './output.js';

const UP_AND_REDRAW = 'one\r\ntwo\r\nthree\r\n\u001b[2A\u001b[2Ktwo again\r\n\u001b[2Kthree again\r\n';

describe('output of a terminal as lines', () => {
  const cases: readonly (readonly [name: string, output: string, text: string])[] = [
    ['line ends', 'one\r\ntwo\r\r\nthree\n', 'one\ntwo\nthree\n'],
    ['a line that is not finished', 'one\r\nPassword: ', 'one\nPassword: '],
    ['colours', '\u001b[1;31mred\u001b[0m \u001b[38;2;1;2;3mrgb\u001b[m\r\n', 'red rgb\n'],
    ['titles and links', '\u001b]0;title\u0007$ \u001b]8;;http://x/\u001b\\link\u001b]8;;\u001b\\', '$ link'],
    ['a progress bar', ' 10 %\r 50 %\r100 %\r\n', '100 %\n'],
    ['a progress bar that goes on', ' 10 %\r 50 %', ' 50 %'],
    ['a shorter text over a longer one', 'downloading\rdone\u001b[K\r\n', 'done\n'],
    ['what a shorter text leaves', 'downloading\rdone\r\n', 'doneloading\n'],
    ['a spinner', '⠋ install\r\u001b[K⠙ install\r\u001b[Kadded 3 packages\r\n', 'added 3 packages\n'],
    ['a typing error', 'lx\b \bs', 'ls'],
    ['moves within a line', 'abc\u001b[2Dx\u001b[6Gy\r\n', 'axc  y\n'],
    ['a line that wraps', `${'x'.repeat(200)}\r\n`, `${'x'.repeat(200)}\n`],
    ['a wrapped line that is changed at its end', `${'x'.repeat(85)}\ry\r\n`, `${'x'.repeat(80)}yxxxx\n`],
    ['wide characters that wrap', `a${'漢'.repeat(60)}\ra\r\n`, `a${'漢'.repeat(39)}a ${'漢'.repeat(20)}\n`],
    ['wide and combined characters', '漢字 é 👩‍💻\r\n', '漢字 é 👩‍💻\n'],
    ['emoji of two cells', '✅✅\u001b[5GX\r\n🦀 crab\u001b[10G|\r\n', '✅✅X\n🦀 crab  |\n'],
    ['an emoji that does not fit', `${'0'.repeat(79)}✅\r⏳⚡\r\n`, `${'0'.repeat(79)}⏳⚡\n`],
    ['tabs', 'a\tb\r\n', 'a\tb\n'],
    ['blanks at the end of a line', 'a   \r\nb', 'a\nb'],
    ['lines that are written again', UP_AND_REDRAW, 'one\ntwo again\nthree again\n'],
    ['what follows those', `${UP_AND_REDRAW}four\r\nfive`, 'one\ntwo again\nthree again\nfour\nfive'],
    ['a screen that is cleared', 'one\r\n\u001b[H\u001b[2Jtwo\r\n', 'one\n[screen cleared]\ntwo\n'],
    ['cleared by erasing below', 'one\r\n\u001b[H\u001b[Jtwo\r\n', 'one\n[screen cleared]\ntwo\n'],
    ['cleared with what has scrolled off', 'one\u001b[H\u001b[2J\u001b[3Jtwo', 'one\n[screen cleared]\ntwo'],
    ['a reset', 'one\r\n\u001bctwo', 'one\n[screen cleared]\ntwo'],
    ['places on the screen', '\u001b[3;5Hthere\u001b[1;1Hhere', 'here\n\n    there\n'],
    ['line drawing', '\u001b(0lqk\u001b(B\r\nabc\r\n', '┌─┐\nabc\n'],
    ['bells and nothing', 'a\u0007b\u0000c\u007fd', 'abcd'],
    ['a title without an end', 'a\u001b]0;title\nb', 'a\nb'],
    ['text on the right of a line feed alone', 'one\ntwo\n', 'one\ntwo\n'],
  ];
  for (const [name, output, text] of cases) {
    it(`is what a person sees: ${name}`, async () => assert.equal(await textOf(output), text));
  }

  it('shows the last screen of a full-screen program, and what stood around it', async () => {
    const program = '\u001b[?1049h\u001b[H\u001b[2Jold\u001b[H\u001b[Kfile\u001b[2;3Hmore\u001b[?1049l';
    assert.equal(
      await textOf(`before\r\n${program}after\r\n`),
      'before\n[a full-screen program had the terminal; its last screen:]\nfile\n  more\n[end of its screen]\nafter\n',
    );
  });

  it('shows what a full-screen program pushed off the screen when it left', async () => {
    const rows = Array.from({ length: 24 }, (_, index) => `row ${index}`);
    const text = await textOf(`\u001b[?1049h${rows.join('\r\n')}\r\n\u001b[?1l\u001b[?1049l`);
    assert.equal(text.split('\n')[1], 'row 0');
  });

  it('shows the screen of a full-screen program that runs', async () => {
    assert.equal(
      await textOf('\u001b[?1049h\u001b[2;3Hmore'),
      '[a full-screen program has the terminal; its screen so far:]\n  more\n[end of its screen]\n',
    );
  });

  it('keeps what left the screen before it was cleared, however long', async () => {
    const lines = Array.from({ length: 500 }, (_, index) => `line ${index}`);
    assert.equal(
      await textOf(`${lines.join('\r\n')}\r\n\u001b[H\u001b[2Jnew`),
      `${lines.join('\n')}\n[screen cleared]\nnew`,
    );
  });

  it('keeps every line of a program that never stops moving', async () => {
    let output = '';
    for (let index = 0; index < 3_000; index++) {
      output += `\r\u001b[Kline ${index}\r\nstatus\r\n\u001b[1A`;
    }
    const text = await textOf(output);
    const seen = new Set(text.split('\n'));
    for (let index = 0; index < 3_000; index++) {
      assert.ok(seen.has(`line ${index}`), `line ${index}`);
    }
    // A status is left behind at each cut of a block.
    assert.ok(text.split('\n').length < 3_100, `${text.split('\n').length}`);
  });

  it('does not hang on a hostile count', async () => {
    const counts = ['S', 'T', 'L', 'M', '@', 'P', 'X', 'b', 'I', 'Z', 'A', 'C'].map(
      (final) => `x\u001b[2147483647${final}`,
    );
    assert.ok((await textOf(counts.join(''))).includes('x'));
  });

  it('has no escape sequences left, whatever programs write', async () => {
    const text = await textOf([...Object.values(QUERIES), ...HARMLESS].join('text'));
    assert.doesNotMatch(text, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  });
});

const WORDS = fc.constantFrom(
  'word ',
  'x',
  'ünï',
  '漢字漢字',
  '✅🦀⏳',
  '😀',
  'e\u0301',
  '\r\n',
  '\r\n',
  'a whole line\r\n',
  '\r',
  '\b',
  '\u001b[K',
  '\u001b[2K',
  '\u001b[5G',
  '\u001b[3D',
  '\u001b[2C',
  '\u001b[31m',
  'x'.repeat(100),
  '\u001b[2P',
  // The `x` keeps the erasure from the first cell of the screen, where it would wipe all of it.
  'x\u001b[J',
);
const MOVES = fc.constantFrom(
  '\u001b[A',
  '\u001b[2A\r',
  '\u001b[B',
  '\u001b[3F',
  '\u001b[E',
  '\u001bM',
  '\u001b7',
  '\u001b8',
  '\u001b[2;3H',
  '\u001b[L',
  '\u001b[M',
  '\u001b[1J',
);

/** All lines that a real terminal has in the end, with as much above the screen as there is. */
async function emulated(output: string): Promise<string> {
  const { terminal } = new HeadlessTerminal({ columns: 80, rows: 24, scrollback: 100_000 });
  await new Promise<void>((resolve) => {
    terminal.write(output, resolve);
  });
  const buffer = terminal.buffer.active;
  const lines: string[] = [];
  for (let row = 0; row < buffer.length; row++) {
    const line = buffer.getLine(row);
    const text = line?.translateToString(true) ?? '';
    const before = line?.isWrapped === true ? (lines.pop() ?? '') : '';
    lines.push(before + text);
  }
  terminal.dispose();
  return ends(lines.join('\n'));
}

/**
 * A text without blanks at the ends of lines and without blank lines around it, which a screen cannot tell from
 * nothing.
 */
function ends(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/^\n+|\n+$/g, '');
}

describe('the lines of a terminal', () => {
  it('are those of an emulator that gets everything, where lines are only written @property', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(WORDS, { maxLength: 120 }), async (words) => {
        const output = words.join('');
        assert.equal(ends(expanded(await textOf(output))), await emulated(output));
      }),
    );
  });

  it('are those of an emulator where the program moves up and down as well @property', async () => {
    const words = fc.oneof({ weight: 5, arbitrary: WORDS }, { weight: 1, arbitrary: MOVES });
    await fc.assert(
      fc.asyncProperty(fc.array(words, { maxLength: 150 }), async (parts) => {
        const output = parts.join('');
        assert.equal(ends(expanded(await textOf(output))), await emulated(output));
      }),
    );
  });

  it('are those of an emulator where a line is longer than is kept together @property', async () => {
    const written = ['', 'ab\rc', 'one\r\n\u001b[A\r\u001b[Kup\r\n', 'one\r\ntwo\u001b[A\r\u001b[K'];
    // A plain line is kept together for 320 characters, an emulated one for some 225 rows of 80 cells. The carriage
    // return is before, at and after the cut.
    const length = fc.oneof(
      fc.integer({ min: 316, max: 324 }),
      fc.integer({ min: 17_500, max: 22_000 }),
      fc.integer({ min: 200, max: 275 }).map((rows) => rows * 80),
    );
    const end = fc.constantFrom(
      '\r20%\r\n',
      '\t\r20%\r\n',
      '\t\b\bq',
      '10%\r20%\r\n',
      '\u001b[5G20%',
      '\b\b20%\r\nnext\r\n',
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...written), length, end, places, async (before, x, after, cuts) => {
        const output = `${before}${'x'.repeat(x)}${after}`;
        const pieces = outputOf(cutAt(Buffer.from(output), cuts));
        assert.equal(ends((await digestOf(pieces)).text), await emulated(output));
      }),
    );
  });

  it('are not cut in a wrapped row whose continuation has text', async () => {
    const output = `ab\rc${'x'.repeat(224 * 80)}\u001b[A\u001b[75Gabcdefgh\r\n`;
    assert.equal(ends(await textOf(output)), await emulated(output));
  });

  it('do not depend on how the output was cut @property', async () => {
    const parts = fc.oneof(WORDS, MOVES, fc.constantFrom(...HARMLESS, ...Object.values(QUERIES)));
    await fc.assert(
      fc.asyncProperty(fc.array(parts, { maxLength: 60 }), places, async (words, cuts) => {
        const output = Buffer.from(words.join(''));
        const whole = await digestOf(outputOf([output]));
        const cut = await digestOf(outputOf(cutAt(output, cuts)));
        assert.equal(cut.text, whole.text);
      }),
    );
  });

  it('do not depend on how random bytes were cut, too few to be binary @property', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 47, size: 'max' }), places, async (output, cuts) => {
        const whole = await digestOf(outputOf([output]));
        const cut = await digestOf(outputOf(cutAt(output, cuts)));
        assert.equal(cut.text, whole.text);
      }),
    );
  });

  it('are the same for a recording that is cut at every byte', async () => {
    const recording = Buffer.from(
      `$ \u001b[1mnpm\u001b[0m install\r\n\u001b[?25l⠋ \u001b[2mréify\u001b[0m\r\u001b[K⠙ 😀\r\u001b[K${UP_AND_REDRAW}` +
        '\u001b[?1049hvim\u001b[2;1H~\u001b[?1049l\u001b]0;title\u0007done\r\n',
    );
    const { text } = await digestOf(outputOf([recording]));
    for (let at = 1; at < recording.length; at++) {
      const cut = await digestOf(outputOf([recording.subarray(0, at), recording.subarray(at)]));
      assert.equal(cut.text, text, `cut at ${at}`);
    }
    const bytes = Array.from(recording, (byte) => Uint8Array.of(byte));
    assert.equal((await digestOf(outputOf(bytes))).text, text);
  });
});
