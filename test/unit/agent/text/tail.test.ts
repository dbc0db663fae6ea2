import assert from 'node:assert/strict';

import fc from 'fast-check';

import { ProcessLog } from '../../../../src/core/index.js';
import { readTail, type Reader, type Tail } from '../../../../src/agent/text/index.js';
import { digestOf, logOf, outputOf, pageOf, type Piece } from './output.js';

/** The last lines of a log, and how often it was read. */
async function tailOf(
  log: ProcessLog,
  lines: number,
  setup: { tty?: boolean; maxTokens?: number; mixed?: boolean } = {},
): Promise<Tail & { readonly read: number }> {
  const { tty = true, maxTokens = 10_000, mixed = false } = setup;
  const { evicted, lastSeq } = log.stats;
  let read = 0;
  const reader: Reader = {
    read: async (options) => {
      const answer = await log.read(options);
      read += answer.chunks.reduce((sum, { bytes }) => sum + bytes.length, 0);
      return answer;
    },
  };
  const options = { lines, maxTokens, tty, columns: 80, first: evicted.throughSeq, last: lastSeq, mixed };
  return { ...(await readTail(reader, options)), read };
}

const piped = (...pieces: Piece[]) => logOf(outputOf(pieces, 'stdout'));

/** The last rows of a text, the unfinished one as well. */
function lastRows(text: string, count: number): string {
  return text
    .split(/(?<=\n)/)
    .slice(-count)
    .join('');
}

/** Lines of at least so many bytes. */
function linesOf(bytes: number): Buffer {
  const count = Math.ceil(bytes / 'line 1\r\n'.length);
  return Buffer.from(Array.from({ length: count }, (_, index) => `line ${index}\r\n`).join(''));
}

describe('the last lines of an output', () => {
  for (const [what, pieces] of [
    ['faster', 200],
    ['more slowly', 1],
  ] as const) {
    it(`end where they did when they were asked for, of a program that prints ${what} than they are read`, async () => {
      const log = new ProcessLog();
      log.appendOutput('pty', linesOf(300_000));
      const { lastSeq } = log.stats;
      const piece = linesOf(10_000);
      let read = 0;
      const reader: Reader = {
        read: async (options) => {
          Array.from({ length: pieces }, () => log.appendOutput('pty', piece));
          const answer = await log.read(options);
          read += answer.chunks.reduce((sum, { bytes }) => sum + bytes.length, 0);
          return answer;
        },
      };
      const size = { tty: true, columns: 80, maxTokens: 10_000, mixed: false };
      const tail = await readTail(reader, { ...size, lines: 3, first: 0, last: lastSeq });
      assert.equal(tail.lines, 3);
      assert.match(tail.text, /^(?:line \d+\r?\n){3}$/);
      assert.ok(read < 3_000_000, `${read} bytes were read`);
    });
  }

  it('are those of the whole text, from pipes and terminals, wherever the pieces were cut @property', async () => {
    const part = fc.constantFrom(
      'one\n',
      'ünï 漢字 😀\n',
      '10%\r20%\n',
      'no end ',
      '\u001b[31mred\u001b[0m\n',
      '\n',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 300 }),
        // Few bytes a piece, so that there are many more pieces than are read at first.
        fc.integer({ min: 1, max: 30 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 40 }),
        async (words, size, tty, count) => {
          // Lines that differ, so that none are merged.
          const output = Buffer.from(words.map((word, index) => `${index} ${word}`).join(''));
          const pieces = Array.from({ length: Math.ceil(output.length / size) }, (_, index) =>
            output.subarray(index * size, (index + 1) * size),
          );
          const events = outputOf(pieces, tty ? 'pty' : 'stdout');
          const { text } = await digestOf(events, { tty });
          const tail = await tailOf(logOf(events), count, { tty });
          assert.equal(tail.text, lastRows(text, count));
        },
      ),
    );
  });

  it('are those of the whole text also where two streams are mixed', async () => {
    const log = logOf(
      outputOf([
        ...Array.from({ length: 100 }, (_, index): Piece => ['stdout', `out ${index}\n`]),
        ['stderr', 'half a '],
        ...Array.from({ length: 30 }, (_, index): Piece => ['stdout', `more ${index}\n`]),
        ['stderr', 'line\n'],
      ]),
    );
    assert.equal((await tailOf(log, 2, { tty: false })).text, 'more 29\nhalf a line\n');
  });

  it('of a terminal are those that its program has left there, whatever it wrote before', async () => {
    const lines = Array.from({ length: 60 }, (_, index) => `line ${index}\r\n`);
    const log = logOf(outputOf([...lines, '\u001b[20A', 'changed', '\u001b[20B\r', 'end\r\n']));
    const tail = await tailOf(log, 3);
    assert.equal(tail.text, 'line 58\nline 59\nend\n');
  });

  it('need only the end of a pipe to be read', async () => {
    const line = (index: number) => `line ${index} ${'x'.repeat(100)}\n`;
    const log = piped(...Array.from({ length: 5_000 }, (_, index) => line(index)));
    const tail = await tailOf(log, 10, { tty: false });
    assert.equal(tail.text, Array.from({ length: 10 }, (_, index) => line(4_990 + index)).join(''));
    assert.ok(tail.read < 20 * line(0).length + 2_000, String(tail.read));
    const many = await tailOf(log, 300, { tty: false });
    assert.equal(many.lines, 300);
  });

  it('have the cursor that they begin at, and that of what follows', async () => {
    const log = piped('a\nb\n', 'c\nd\n');
    const tail = await tailOf(log, 3, { tty: false });
    assert.deepEqual(
      [tail.text, tail.from, tail.next],
      ['b\nc\nd\n', { afterSeq: 0, skipBytes: 2 }, { afterSeq: 2, skipBytes: 0 }],
    );
    const page = await pageOf(log, tail.from ?? assert.fail(), { tty: false });
    assert.equal(page.text, tail.text);
  });

  it('are fewer if they do not fit, and the newest ones', async () => {
    const log = piped(Array.from({ length: 100 }, (_, index) => `${index} ${'x'.repeat(97)}\n`).join(''));
    const tail = await tailOf(log, 50, { tty: false, maxTokens: 256 });
    assert.deepEqual([tail.lines, tail.cut], [10, true]);
    assert.match(tail.text, /^90 x+\n[^]*99 x+\n$/);
    const long = await tailOf(piped(`${'a'.repeat(50_000)}end\n`), 5, { tty: false, maxTokens: 256 });
    assert.match(long.text, /^\[…\] a+end\n$/);
    assert.ok(Buffer.byteLength(long.text) <= 1_024);
    assert.deepEqual([long.lines, long.cut, long.from], [1, true, undefined]);
  });

  it('count equal lines as often as they are there', async () => {
    const log = piped('first\n', 'a line that is repeated very often\n'.repeat(1_000), 'last\n');
    const tail = await tailOf(log, 2, { tty: false });
    assert.equal(tail.text, 'a line that is repeated very often\n[the line above 999 times more]\nlast\n');
    assert.equal((await tailOf(piped('y\ny\n'), 1, { tty: false })).text, 'y\n');
  });

  it('say what is gone if the log keeps less than was asked for', async () => {
    const log = new ProcessLog({ limits: { bytes: 1_024, chunks: 1_000 } });
    for (let index = 0; index < 100; index++) {
      log.appendOutput('stdout', Buffer.from(`line ${index} ${'x'.repeat(90)}\n`));
    }
    const tail = await tailOf(log, 50, { tty: false });
    assert.match(tail.text, /^\[\.\.\. [\d,]+ bytes are gone; .* \.\.\.\]\nline 9\d/);
    assert.match(tail.text, /\nline 99 x+\n$/);
  });

  it('are empty for empty output', async () => {
    const { text, lines, cut } = await tailOf(piped(), 10, { tty: false });
    assert.deepEqual([text, lines, cut], ['', 0, false]);
  });
});
