import assert from 'node:assert/strict';

import fc from 'fast-check';

import type { GapEvent, OutputEvent, ReadOptions, ReadResponse } from '../../../../src/core/index.js';
import {
  estimateTokens,
  formatCursor,
  MIN_TOKENS,
  parseCursor,
  START,
  type Cursor,
} from '../../../../src/agent/text/index.js';
import { cutAt, digestOf, expanded, logOf, outputOf, pageOf, places } from './output.js';

const numbered = (count: number, text = 'line') =>
  Array.from({ length: count }, (_, index) => `${text} ${index + 1}\r\n`).join('');

const NOTE =
  /\[\.\.\. ([\d,]+) lines? \(([\d,]+) tokens?\) left out; read_output cursor="([\d+]+)" has (?:it|them)(?:, after ([\d,]+) lines? that (?:is|are) shown above)? \.\.\.\]\n/g;

interface Note {
  readonly from: number;
  readonly to: number;
  readonly lines: number;
  readonly tokens: number;
  readonly cursor: Cursor;
  readonly shownLines: number;
}

function notesIn(text: string): Note[] {
  const number = (digits: string | undefined) => Number((digits ?? '0').replaceAll(',', ''));
  return [...text.matchAll(NOTE)].map((match) => {
    const cursor = parseCursor(match[3] ?? '');
    assert.ok(cursor);
    return {
      from: match.index,
      to: match.index + match[0].length,
      lines: number(match[1]),
      tokens: number(match[2]),
      cursor,
      shownLines: number(match[4]),
    };
  });
}

describe('a digest', () => {
  it('is the whole output if it fits', async () => {
    const { text, leftOut, bytes, originalTokens } = await digestOf(outputOf([numbered(100)]), {
      maxTokens: 1_000,
    });
    assert.equal(text, numbered(100).replaceAll('\r', ''));
    assert.equal(leftOut, false);
    assert.equal(bytes, numbered(100).length);
    assert.equal(originalTokens, Math.ceil(bytes / 4));
  });

  it('keeps the beginning and the end, and says what is between', async () => {
    const { text, leftOut } = await digestOf(outputOf([numbered(10_000)]), { maxTokens: 500 });
    assert.equal(leftOut, true);
    const lines = text.split('\n');
    assert.equal(lines[0], 'line 1');
    assert.equal(lines.at(-2), 'line 10000');
    const [note, ...others] = notesIn(text);
    assert.ok(note);
    assert.equal(others.length, 0);
    assert.equal(note.lines, 10_000 - (lines.length - 2));
    // No room is wasted: less than a line and a note is free.
    assert.ok(text.length > 2_000 - 150 && text.length <= 2_000, `${text.length}`);
    assert.ok(text.slice(0, note.from).length > 750);
  });

  it('counts repeated lines', async () => {
    const output = `start\r\n${'y\r\n'.repeat(1_000_000)}end\r\n`;
    const { text } = await digestOf(outputOf([output]), { maxTokens: 100 });
    assert.equal(text, 'start\ny\n[the line above 999,999 times more]\nend\n');
  });

  it('writes repeated lines out where that is shorter', async () => {
    const { text } = await digestOf(outputOf(['a\r\na\r\na\r\n\r\n\r\nb\r\n']));
    assert.equal(text, 'a\na\na\n\n\nb\n');
  });

  it('counts every line that it collapses @property', async () => {
    const line = fc.constantFrom('a long line that comes again and again and again', 'other', '');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(line, fc.integer({ min: 1, max: 60 }))), async (runs) => {
        const output = runs.map(([text, times]) => `${text}\r\n`.repeat(times)).join('');
        const { text } = await digestOf(outputOf([output]));
        assert.equal(expanded(text), output.replaceAll('\r', ''));
      }),
    );
  });

  it('keeps the error in the middle with what is around it', async () => {
    const output = `${numbered(3_000)}about to fail\r\nAssertionError: 3 !== 4\r\n    at adds (math.test.js:12)\r\n${numbered(3_000, 'more')}`;
    const { text } = await digestOf(outputOf([output]), { maxTokens: 1_000 });
    assert.match(text, /about to fail\nAssertionError: 3 !== 4\n {4}at adds \(math\.test\.js:12\)\nmore 1\n/);
    assert.equal(notesIn(text).length, 2);
    assert.match(text, /^line 1\n/);
    assert.match(text, /more 3000\n$/);
  });

  it('keeps a grave error that comes after many possible errors', async () => {
    const output = `${numbered(3_000, 'warning: retry failed for item')}panic: out of cheese\r\n${numbered(3_000)}`;
    const { text } = await digestOf(outputOf([output]), { maxTokens: 1_000 });
    assert.match(text, /panic: out of cheese\n/);
  });

  it('does not take a passed test, or a count of 0 failures, for an error', async () => {
    const harmless = [
      'ok 1 - reports an error',
      '✔ throws an exception',
      '0 errors',
      'failed: 0',
      'no errors',
    ];
    const output = `${numbered(3_000)}${harmless.join('\r\n')}\r\n${numbered(3_000, 'more')}`;
    const { text } = await digestOf(outputOf([output]), { maxTokens: 500 });
    assert.equal(notesIn(text).length, 1);
  });

  it('shows the end of a line that is longer than the budget', async () => {
    const { text } = await digestOf(outputOf([`${'abcdefgh'.repeat(100_000)}!`]), { maxTokens: 200 });
    assert.match(
      text,
      /^(?:abcdefgh)+\w*\n\[\.\.\. 1 line \([\d,]+ tokens\) left out; .*\n\w*(?:abcdefgh)+!$/,
    );
  });

  const gap = (fromSeq: number, throughSeq: number, bytes?: number): GapEvent => ({
    type: 'gap',
    fromSeq,
    throughSeq,
    chunks: throughSeq - fromSeq + 1,
    ...(bytes !== undefined && { bytes }),
  });

  const readerOf = (chunks: readonly OutputEvent[], missing: readonly GapEvent[]) => ({
    read: ({ afterSeq = 0 }: ReadOptions = {}): Promise<ReadResponse> =>
      Promise.resolve({
        chunks: chunks.filter(({ seq }) => seq > afterSeq),
        missing: missing.filter(({ throughSeq }) => throughSeq > afterSeq),
        nextSeq: (chunks.at(-1)?.seq ?? 0) + 1,
        exited: true,
        closed: true,
      }),
  });

  it('says how much output is gone', async () => {
    const [, , after] = outputOf(['', '', 'the end\r\n']);
    assert.ok(after);
    const { text, bytes } = await digestOf([gap(1, 2, 123_456), after]);
    assert.equal(
      text,
      '[... 123,456 bytes are gone; to keep all, run it again with keep_output=true or "> FILE" ...]\nthe end\n',
    );
    assert.equal(bytes, 9);
  });

  it('breaks off an unfinished line at a gap', async () => {
    const [first, , third] = outputOf(['half a line\u001b[3', '', 'other half\r\n']);
    assert.ok(first && third);
    const { text } = await digestOf([first, gap(2, 2), third]);
    assert.equal(
      text,
      'half a line\n[... output is missing here; to keep all, run it again with keep_output=true or "> FILE" ...]\nother half\n',
    );
  });

  it('says how much is gone between the lines that are left out', async () => {
    const [first, , third] = outputOf([numbered(2_000), '', numbered(2_000)]);
    assert.ok(first && third);
    const { text } = await digestOf([first, gap(2, 2, 5_000), third], { maxTokens: 200 });
    assert.match(
      text,
      /lines \([\d,]+ tokens\) left out with 1 gap, in which 5,000 bytes are gone; read_output/,
    );
  });

  it('says how much is gone only where all of it is known', async () => {
    const events = outputOf([numbered(2_000), '', '', numbered(2_000)]);
    const [first, , , last] = events;
    assert.ok(first && last);
    for (const [gaps, words, gone] of [
      [[gap(2, 2, 2_000), gap(3, 3, 3_000)], '5,000 bytes are', { bytes: 5_000 }],
      [[gap(2, 2, 5_000), gap(3, 3)], 'output is', {}],
      [[gap(2, 2), gap(3, 3, 5_000)], 'output is', {}],
    ] as const) {
      const short = await digestOf([first, ...gaps, last], { maxTokens: 200 });
      assert.ok(short.text.includes(`in which ${words} gone; read_output`), short.text);
      const page = await pageOf(readerOf([first, last], gaps), START, { maxTokens: 40_000 });
      assert.deepEqual(page.gone, gone);
    }
  });

  it('goes on before a split character or sequence, unless nothing follows', async () => {
    const euro = Buffer.from('€');
    const split = outputOf(['abc\r\nd', Buffer.concat([Buffer.from('e'), euro.subarray(0, 2)])]);
    const first = await digestOf(split, { final: false });
    assert.equal(first.text, 'abc\nde');
    assert.deepEqual(first.next, { afterSeq: 1, skipBytes: 1 });
    const rest = [
      ...split,
      ...outputOf(['', '', Buffer.concat([euro.subarray(2), Buffer.from('!')])]).slice(2),
    ];
    assert.equal((await digestOf(rest, { from: first.next })).text, '€!');
    assert.equal((await digestOf(split)).text, 'abc\nde\ufffd');

    const escape = await digestOf(outputOf(['abc\u001b[3', '8;5']), { final: false });
    assert.equal(escape.text, 'abc');
    assert.deepEqual(escape.next, { afterSeq: 0, skipBytes: 3 });
  });

  it('begins in the middle of a chunk', async () => {
    const { text, bytes } = await digestOf(outputOf(['one\r\ntwo\r\n', 'three\r\n']), {
      from: { afterSeq: 0, skipBytes: 5 },
    });
    assert.equal(text, 'two\nthree\n');
    assert.equal(bytes, 12);
  });

  it('never throws at bytes that are no text @property', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.boolean(), async (bytes, tty) => {
        await digestOf(outputOf([bytes], tty ? 'pty' : 'stdout'), { tty });
      }),
    );
  });

  it('holds a bounded number of lines of any number', async () => {
    const chunk = Buffer.from(
      numbered(1_000).replaceAll('line', 'another line of a log that never ends, no'),
    );
    const events = Array.from(
      { length: 500 },
      (_, index) => ({ type: 'output', seq: index + 1, stream: 'pty', bytes: chunk }) as const,
    );
    const { text, bytes } = await digestOf(events, { maxTokens: 1_000 });
    assert.equal(bytes, chunk.length * 500);
    assert.ok(text.length <= 4_000);
  });
});

const SHORT_LINE = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', maxLength: 40 }).map((text) => `${text}\r\n`),
  fc.constantFrom(
    'plain line\r\n',
    'plain line\r\n',
    'ünïcödé 漢字 😀\r\n',
    'Error: it failed\r\n',
    'fatal: no such thing\r\n',
    '50%\r100%\r\n',
    '\u001b[31mred\u001b[0m\r\n',
    '\u001b[2A\r\u001b[Kup\r\n\r\n',
    '\u001b[H\u001b[2J',
    '\u001b[?1049hscreen\u001b[?1049l\r\n',
  ),
);
const LINE = fc.oneof(
  { weight: 5, arbitrary: SHORT_LINE },
  {
    weight: 1,
    arbitrary: fc.constantFrom(`${'long '.repeat(300)}\r\n`, 'no end ', `${'x'.repeat(3_000)}\r\n`),
  },
);
const repeatedly = (line: fc.Arbitrary<string>) =>
  fc
    .array(fc.tuple(line, fc.integer({ min: 1, max: 40 })), { maxLength: 40, size: 'max' })
    .map((parts) => parts.map(([text, times]) => text.repeat(times)).join(''));
const BUDGET = fc.integer({ min: 1, max: 600 });

describe('text within a budget', () => {
  it('never exceeds it @property', async () => {
    await fc.assert(
      fc.asyncProperty(repeatedly(LINE), BUDGET, fc.boolean(), async (output, maxTokens, tty) => {
        const events = outputOf([output], tty ? 'pty' : 'stdout');
        const { text } = await digestOf(events, { maxTokens, tty });
        const bound = 4 * Math.max(maxTokens, MIN_TOKENS);
        assert.ok(Buffer.byteLength(text) <= bound, `${Buffer.byteLength(text)} > ${bound}`);
        const page = await pageOf(logOf(events), START, { maxTokens, tty });
        assert.ok(Buffer.byteLength(page.text) <= bound, `${Buffer.byteLength(page.text)} > ${bound}`);
        assert.ok(estimateTokens(text) <= Math.max(maxTokens, MIN_TOKENS));
      }),
    );
  });

  it('goes on exactly where it says that lines are left out @property', async () => {
    let left = 0;
    await fc.assert(
      fc.asyncProperty(
        repeatedly(LINE),
        BUDGET,
        places,
        fc.boolean(),
        async (output, maxTokens, cuts, tty) => {
          const events = outputOf(cutAt(Buffer.from(output), cuts), tty ? 'pty' : 'stdout');
          const { text } = await digestOf(events, { maxTokens, tty });
          const [note] = notesIn(text);
          if (note !== undefined) {
            left += 1;
            const page = await pageOf(logOf(events), note.cursor, { tty });
            const following = expanded(page.text).split('\n').slice(note.shownLines).join('\n');
            const whole = expanded((await digestOf(events, { tty })).text);
            const head = expanded(text.slice(0, note.from));
            // Where a line is cut, the line end before the note belongs to the note.
            assert.ok(
              head + following === whole || head.replace(/\n$/, '') + following === whole,
              `${head}|${following}`,
            );
          }
        },
      ),
    );
    assert.ok(left > 0);
  });

  it('is the whole text again with the lines that are left out, wherever they are @property', async () => {
    let left = 0;
    await fc.assert(
      fc.asyncProperty(
        repeatedly(SHORT_LINE),
        BUDGET,
        places,
        fc.boolean(),
        async (output, maxTokens, cuts, tty) => {
          const events = outputOf(cutAt(Buffer.from(output), cuts), tty ? 'pty' : 'stdout');
          const log = logOf(events);
          const { text } = await digestOf(events, { maxTokens, tty });
          let completed = '';
          let at = 0;
          for (const note of notesIn(text)) {
            left += 1;
            const page = expanded((await pageOf(log, note.cursor, { tty })).text).split('\n');
            const lines = page.slice(note.shownLines, note.shownLines + note.lines);
            completed += `${text.slice(at, note.from)}${lines.join('\n')}\n`;
            at = note.to;
          }
          completed += text.slice(at);
          assert.equal(expanded(completed), expanded((await digestOf(events, { tty })).text));
        },
      ),
    );
    assert.ok(left > 0);
  });
});

describe('a cursor as text', () => {
  it('is read as it was written', () => {
    for (const cursor of [START, { afterSeq: 17, skipBytes: 5 }, { afterSeq: 123_456, skipBytes: 0 }]) {
      assert.deepEqual(parseCursor(formatCursor(cursor)), cursor);
    }
    for (const text of ['', 'x', '-1', '1+', '+1', '1+2+3', '1.5', '1e3', '9'.repeat(20)]) {
      assert.equal(parseCursor(text), undefined, text);
    }
  });

  it('counts tokens by bytes @property', () => {
    assert.equal(estimateTokens(''), 0);
    assert.equal(estimateTokens('abcd'), 1);
    assert.equal(estimateTokens('abcde'), 2);
    assert.equal(estimateTokens('😀'), 1);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.equal(estimateTokens(text), Math.ceil(Buffer.byteLength(text) / 4));
      }),
    );
  });
});
