import assert from 'node:assert/strict';

import { Terminal } from '@xterm/headless';
import fc from 'fast-check';

import { TerminalFilter } from '../../../src/terminal/terminalFilter.js';
import { BEL, CONTROLS, HARMLESS, QUERIES, SHARDS, ST, TAILS } from '../../support/escapeSamples.js';
import { usualSize } from '../../support/usualSize.js';

/** The part of a text that a terminal gets if it may not answer; the text comes in one piece or in several. */
function silence(...pieces: string[]): string {
  const filter = new TerminalFilter(usualSize);
  filter.report(false);
  return pieces.map((piece) => filter.write(piece, false)).join('');
}

/** The answers of an emulator to a text, and the screen afterwards. */
async function emulate(text: string): Promise<{ said: string; screen: string }> {
  const terminal = new Terminal({
    cols: 40,
    rows: 10,
    allowProposedApi: true,
    logLevel: 'off',
    // VS Code lets programs ask for these.
    windowOptions: {
      getWinSizeChars: true,
      getWinSizePixels: true,
      getCellSizePixels: true,
      pushTitle: true,
    },
  });
  let said = '';
  terminal.onData((data) => (said += data));
  await new Promise<void>((resolve) => terminal.write(text, resolve));
  const buffer = terminal.buffer.active;
  const lines = Array.from({ length: buffer.length }, (_, row) => buffer.getLine(row)?.translateToString());
  const screen = JSON.stringify([buffer.type, buffer.cursorX, buffer.cursorY, terminal.modes, lines]);
  terminal.dispose();
  return { said, screen };
}

const harmless = fc.array(fc.constantFrom(...HARMLESS), { maxLength: 12 }).map((parts) => parts.join(''));
const hostile = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...SHARDS, ...TAILS, ...CONTROLS) },
      { weight: 2, arbitrary: fc.constantFrom(...Object.values(QUERIES)) },
      { weight: 1, arbitrary: fc.constantFrom(...HARMLESS) },
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''));

/** Another implementation, for whole and well-formed texts. */
function withoutQueries(text: string): string {
  return text
    .replace(
      /(?:\u001b\]|\u009d)(?:(?:52|99);|(?:4|1[0-9]);[^\u0007\u001b\u009c]*\?|1337;Report)[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)/g,
      '',
    )
    .replace(/\u001bP[$+]q[^\u001b]*\u001b\\/g, '')
    .replace(
      /(?:\u001b\[|\u009b)(?:[>=]?[0-9;]*c|\??[0-9;]*n|\??[0-9;]*\$p|>[0-9;]*q|\?[0-9;]*[uSm]|[0-9;]*x|(?:14|18|21)[0-9;]*t)/g,
      '',
    )
    .replace(/\u001bZ|\u0005/g, '');
}

describe('TerminalFilter', () => {
  for (const [name, query] of Object.entries(QUERIES)) {
    it(`takes out a query: ${name}`, () => {
      assert.equal(silence(`before${query}after`), 'beforeafter');
      assert.equal(silence(...Array.from(`before${query}after`)), 'beforeafter');
    });
  }

  it('gives an emulator that may answer exactly what the program wrote @property', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(harmless, fc.constantFrom(...Object.values(QUERIES)))), (parts) => {
        const filter = new TerminalFilter(usualSize);
        assert.equal(parts.map((part) => filter.write(part, true)).join(''), parts.join(''));
      }),
    );
  });

  it('leaves text without queries as it is, byte for byte @property', () => {
    fc.assert(fc.property(harmless, (text) => assert.equal(silence(text), text)));
  });

  it('does the same wherever the text is cut @property', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const whole = silence(text);
        for (let at = 1; at < text.length; at++) {
          // A decoder never splits a surrogate pair.
          if (!/[\udc00-\udfff]/.test(text.charAt(at))) {
            assert.equal(silence(text.slice(0, at), text.slice(at)), whole);
          }
        }
        assert.equal(silence(...Array.from(text)), whole);
      }),
    );
  });

  it('does what simple expressions do on whole texts @property', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(harmless, fc.constantFrom(...Object.values(QUERIES)))), (parts) => {
        const text = parts.join('');
        assert.equal(silence(text), withoutQueries(text));
      }),
    );
  });

  it('leaves nothing that xterm.js answers, and changes nothing that it shows @property', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        // An incomplete sequence at the end is held back, so the end is made complete.
        const complete = `${text}\u0018`;
        const filtered = silence(complete);
        const { said, screen } = await emulate(filtered);
        assert.equal(said, '', JSON.stringify(filtered));
        if (!text.includes('1004')) {
          const unfiltered = await emulate(complete);
          assert.equal(screen, unfiltered.screen, JSON.stringify(filtered));
        }
      }),
    );
  });

  it('is tested with an emulator that does answer', async () => {
    for (const name of ['DA1', 'DA2', 'cursor position', 'DECRQM', 'DECRQSS', 'window size', 'C1 CSI']) {
      assert.notEqual((await emulate(QUERIES[name] ?? '')).said, '', name);
    }
  });

  it('keeps kitty graphics from being answered', () => {
    assert.equal(silence(`\u001b_Gi=1,a=q;AAAA${ST}x`), 'x');
    assert.equal(silence(`\u001b_Gi=1,a=T;AAAA${ST}x`), `\u001b_Gi=1,a=T,q=2;AAAA${ST}x`);
    assert.equal(silence(`\u001b_Ga=d${ST}x`), `\u001b_Ga=d,q=2${ST}x`);
  });

  it('does not repeat a clipboard write or a notification', () => {
    assert.equal(silence(`a\u001b]52;c;aGVsbG8=${BEL}b`), 'ab');
    assert.equal(silence(`a\u001b]99;;hello${ST}b`), 'ab');
  });

  it('ends what was left open when the query that would have ended it is gone', () => {
    assert.equal(silence('\u001b]0;title\u001b[6nwords'), '\u001b]0;title\u001b\\words');
    assert.equal(silence('\u001b[3\u001b[6n1mB'), '\u001b[3\u001b\\1mB');
  });

  it('carries out a control character inside a query that is taken out', () => {
    assert.equal(silence('a\u001b[\r6nb'), 'a\rb');
  });

  it('bounds what it holds back', () => {
    const filter = new TerminalFilter(usualSize);
    assert.equal(filter.write('\u001b[', false), '');
    assert.equal(filter.write('0'.repeat(100_000), false), '');
    const cancelled = filter.write('mx', false);
    assert.match(cancelled, /^\u001b\[0+\u0018x$/);
    assert.ok(cancelled.length < 2_000);
    const heads = new TerminalFilter(usualSize);
    assert.ok(heads.write(`\u001b]${'0'.repeat(100_000)}52;c;?${BEL}`, false).startsWith('\u001b]0'));
    const strings = new TerminalFilter(usualSize);
    strings.write('\u001b]11;', false);
    assert.equal(strings.write('#'.repeat(1_000_000), false), '');
    assert.equal(strings.write(`${BEL}x`, false), 'x');
  });

  describe('modes in which the emulator speaks by itself', () => {
    it('are on only while the terminal may report, and come when it may', () => {
      const filter = new TerminalFilter(usualSize);
      filter.report(false);
      assert.equal(filter.write('\u001b[?1004hx', false), 'x');
      assert.equal(filter.report(true), '\u001b[?1004h');
      assert.equal(filter.report(true), '');
      assert.equal(filter.report(false), '\u001b[?1004l');
    });

    it('are taken out of a sequence that sets others too', () => {
      assert.equal(silence('\u001b[?1006;1004;2004h'), '\u001b[?1006;2004h');
    });

    it('do not come if the program has switched them off meanwhile', () => {
      for (const off of ['\u001b[?1004l', '\u001bc', '\u001b[!p']) {
        const filter = new TerminalFilter(usualSize);
        filter.report(false);
        filter.write(`\u001b[?1004h${off}`, false);
        assert.equal(filter.report(true), '', JSON.stringify(off));
      }
    });

    it('wait until a string that is being passed on is complete', () => {
      const filter = new TerminalFilter(usualSize);
      filter.report(false);
      filter.write('\u001b[?1004h\u001b]1337;File=:aaaa', false);
      assert.equal(filter.report(true), '');
      assert.equal(filter.write(`bb${BEL}`, true), `bb${BEL}\u001b[?1004h`);
    });
  });

  it('knows the title that the program has set', () => {
    const filter = new TerminalFilter(usualSize);
    filter.write('\u001b]0;one\u0007\u001b[22;2t\u001b]2;tw', true);
    assert.equal(filter.title, 'one');
    filter.write(`o${ST}`, true);
    assert.equal(filter.title, 'two');
    filter.write('\u001b[23;2t', true);
    assert.equal(filter.title, 'one');
  });

  it('breaks a string off to make room for something else', () => {
    const filter = new TerminalFilter(usualSize);
    assert.equal(filter.write('\u001b]1337;File=:aaaa', true), '\u001b]1337;File=:aaaa');
    assert.equal(filter.interrupt(), '\u0018');
    assert.equal(filter.write(`bbbb${ST}words`, true), 'words');
    assert.equal(filter.interrupt(), '');
  });

  it('leaves an emulator fit for lines when the program is over', async () => {
    const filter = new TerminalFilter(usualSize);
    const text = 'shell$ vim\r\n\u001b[?1049h\u001b[?1000;2004h\u001b[?25l\u001b[31m~\r\n~\u001b]0;cut off';
    const { screen } = await emulate(`${filter.write(text, true)}${filter.finish()}done`);
    assert.match(screen, /^\["normal",4,1/);
    assert.match(screen, /"bracketedPasteMode":false/);
    assert.match(screen, /"mouseTrackingMode":"none"/);
  });
});
