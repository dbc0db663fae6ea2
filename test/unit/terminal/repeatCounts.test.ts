import assert from 'node:assert/strict';

import { Terminal } from '@xterm/headless';
import fc from 'fast-check';

import type { TerminalSize } from '../../../src/core/index.js';
import { TerminalFilter } from '../../../src/terminal/terminalFilter.js';

const SIZE: TerminalSize = { columns: 40, rows: 10 };
/** The ends of all sequences that repeat, which follow the count. */
const REPEATING = ['S', 'T', 'L', 'M', '@', 'P', 'X', 'I', 'Z', 'b', ' @', ' A', "'}", "'~"];
const INTRODUCERS = ['\u001b[', '\u009b'];

function filtered(pieces: readonly string[], size = () => SIZE): string {
  const filter = new TerminalFilter(size);
  return pieces.map((piece) => filter.write(piece, true)).join('');
}

/** The lines in sight and the cursor after a text. */
async function screenOf(text: string): Promise<readonly unknown[]> {
  const terminal = new Terminal({
    cols: SIZE.columns,
    rows: SIZE.rows,
    scrollback: 50,
    allowProposedApi: true,
    logLevel: 'off',
  });
  await new Promise<void>((resolve) => terminal.write(text, resolve));
  const { baseY, cursorX, cursorY, getLine } = boundBuffer(terminal);
  const lines = Array.from({ length: SIZE.rows }, (_, row) => getLine(baseY + row));
  terminal.dispose();
  return [cursorX, cursorY, lines];
}

function boundBuffer({ buffer: { active } }: Terminal) {
  const { baseY, cursorX, cursorY } = active;
  return { baseY, cursorX, cursorY, getLine: (row: number) => active.getLine(row)?.translateToString() };
}

/** The counts of the sequences in a text that repeat. */
function countsIn(text: string): readonly number[] {
  return [...text.matchAll(/\u001b\[(\d+)[0-9:;]*(?:[STLM@PXIZb]| [@A]|'[}~])/g)].map(([, count]) =>
    Number(count),
  );
}

const repeating = fc
  .tuple(
    fc.constantFrom(...INTRODUCERS),
    fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 5_000 })),
    fc.constantFrom('', '', '', ':7', ';9', ';'),
    fc.constantFrom(...REPEATING),
  )
  .map(([introducer, count, rest, final]) => `${introducer}${count}${rest}${final}`);
const around = fc.constantFrom(
  'a word',
  'x',
  '日本',
  'e\u0301',
  '\r\n',
  '\t',
  'a line that is longer than the screen has columns\r\n',
  '\u001b[3;7r', // margins
  '\u001b[r',
  '\u001b[?7l', // no wrapping
  '\u001b[?7h',
  '\u001b[4h', // insertion
  '\u001b[4l',
  '\u001b[?6h', // origin
  '\u001b[?6l',
  '\u001b[5;11H',
  '\u001b[10;40H',
  '\u001b[3g',
  '\u001bH',
  '\u001b[?1049h',
  '\u001b[?1049l',
);
const output = fc
  .array(fc.oneof(repeating, around), { minLength: 1, maxLength: 16 })
  .map((parts) => parts.join(''));

describe('repeat counts', () => {
  it('leave the same screen when they are lowered @property', async () => {
    await fc.assert(
      fc.asyncProperty(output, async (text) => {
        const cut = filtered(Array.from(text));
        assert.equal(cut, filtered([text]));
        assert.deepEqual(await screenOf(cut), await screenOf(text));
      }),
    );
  });

  it('never ask an emulator for more than a few screens of work, however high they are', () => {
    const cells = (SIZE.rows + 2) * SIZE.columns;
    for (const introducer of INTRODUCERS) {
      for (const final of REPEATING) {
        for (const count of ['2147483647', '99999999999999999999', '00020000000', '5001']) {
          const sequence = `x${introducer}${count}:5;6${final}`;
          const [got, ...others] = countsIn(filtered(Array.from(sequence)));
          assert.ok(got !== undefined && got <= cells && others.length === 0, JSON.stringify(sequence));
        }
      }
    }
  });

  it('are passed as they were written where the screen has room for them', () => {
    const text = REPEATING.flatMap((final) =>
      INTRODUCERS.flatMap((introducer) => [
        `${introducer}${final}`,
        `${introducer}010;3${final}`,
        `${introducer}:9${final}`,
      ]),
    ).join('x');
    assert.equal(filtered([text]), text);
    assert.equal(filtered(Array.from(text)), text);
  });

  it('of sequences that do not repeat are left alone', () => {
    const text =
      '\u001b[90000A\u001b[90000;90000H\u001b[90000J\u001b[?90000S\u001b[>90000T\u001b[90000 q\u001b[38;5;90000m';
    assert.equal(filtered([text]), text);
  });

  it('follow the size of the screen', () => {
    let size = SIZE;
    const filter = new TerminalFilter(() => size);
    assert.equal(filter.write('\u001b[90S\u001b[90P', true), '\u001b[10S\u001b[40P');
    size = { columns: 100, rows: 50 };
    assert.equal(filter.write('\u001b[90S\u001b[90P', true), '\u001b[50S\u001b[90P');
  });

  it('are lowered also where nothing is answered', () => {
    const filter = new TerminalFilter(() => SIZE);
    filter.report(false);
    assert.equal(filter.write('\u001b[20000000S', false), '\u001b[10S');
  });
});
