import assert from 'node:assert/strict';

import fc from 'fast-check';

import { ProcessLog } from '../../../../src/core/index.js';
import { Pattern } from '../../../../src/terminal/pattern.js';
import { searchAnswer } from '../../../../src/agent/tools/outputAnswers.js';
import {
  KEEP_ADVICE,
  searchOutput,
  START,
  type Cursor,
  type Page,
  type Reader,
} from '../../../../src/agent/text/index.js';
import { cutAt, digestOf, expanded, logOf, outputOf, pageOf, places, type DigestSetup } from './output.js';

async function allPages(log: Reader, setup: DigestSetup): Promise<Page[]> {
  const pages: Page[] = [];
  let from: Cursor = START;
  for (;;) {
    const page = await pageOf(log, from, setup);
    pages.push(page);
    if (!page.more) {
      return pages;
    }
    assert.notDeepEqual(page.next, from, 'a page goes on');
    from = page.next;
  }
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}\r\n`).join('');

describe('pages', () => {
  it('follow each other without loss or duplicate @property', async () => {
    const part = fc.constantFrom(
      'plain\r\n',
      'ünï 漢字 😀\r\n',
      '10%\r20%\r\n',
      'no end ',
      'x'.repeat(700),
      '\u001b[1A\r\u001b[Kup\r\n',
      '\u001b[31m\r\n',
      '\u001b[?1049hscreen\u001b[?1049l',
    );
    const parts = fc.array(fc.tuple(part, fc.integer({ min: 1, max: 90 })), { maxLength: 20 });
    let pages = 0;
    await fc.assert(
      fc.asyncProperty(parts, places, fc.boolean(), async (words, cuts, tty) => {
        const output = Buffer.from(
          words.map(([word, times], index) => `${index}${word.repeat(times)}`).join(''),
        );
        const events = outputOf(cutAt(output, cuts), tty ? 'pty' : 'stdout');
        const read = await allPages(logOf(events), { maxTokens: 256, tty });
        pages += read.length;
        // A block that is larger than a page becomes a note, which has a test of its own.
        if (!read.some(({ text }) => text.includes('max_output_tokens'))) {
          const whole = expanded((await digestOf(events, { tty })).text);
          assert.equal(read.map(({ text }) => expanded(text)).join(''), whole);
        }
      }),
    );
    assert.ok(pages > 20, `${pages}`);
  });

  it('end where the output ends, and go on when there is more', async () => {
    const log = logOf(outputOf(['one\r\ntwo']), { open: true });
    const first = await pageOf(log, START);
    assert.deepEqual(first, { text: 'one\ntwo', next: { afterSeq: 1, skipBytes: 0 }, more: false });
    log.appendOutput('pty', Buffer.from(' and a half\r\n'));
    const second = await pageOf(log, first.next);
    assert.deepEqual(second, { text: ' and a half\n', next: { afterSeq: 2, skipBytes: 0 }, more: false });
  });

  it('say what cannot be shown in parts, and where it is', async () => {
    const block = `${Array.from({ length: 23 }, (_, index) => `${'x'.repeat(60)} ${index}`).join('\r\n')}\u001b[H!`;
    const log = logOf(outputOf([`${block}\u001b[30B\r\n`, numbered(100)]));
    const page = await pageOf(log, START, { maxTokens: 256 });
    const match = /left out; read_output cursor="([\d+]+)" with max_output_tokens=(\d+) has them/.exec(
      page.text,
    );
    assert.ok(match, page.text);
    assert.ok(page.more);
    const large = await pageOf(log, START, { maxTokens: Number(match[2]) });
    assert.match(large.text, /^!x+ 0\n(?:x+ \d+\n)+/);
  });

  it('say what has been evicted', async () => {
    const log = new ProcessLog({ limits: { bytes: 1_000, chunks: 100 } });
    for (let index = 0; index < 100; index++) {
      log.appendOutput('stdout', Buffer.from(`a line of thirty bytes, no ${index % 10}1\n`));
    }
    const page = await pageOf(log, START, { tty: false });
    const { bytes } = log.stats.evicted;
    assert.ok(bytes > 0);
    assert.deepEqual(page.gone, { bytes });
    assert.ok(
      page.text.startsWith(`[... ${bytes.toLocaleString('en-US')} bytes are gone; ${KEEP_ADVICE} ...]\n`),
    );
  });

  it('skip bytes only of the chunk that the cursor names', async () => {
    const log = new ProcessLog({ limits: { bytes: 10, chunks: 100 } });
    log.appendOutput('stdout', Buffer.from('old output\n'));
    log.appendOutput('stdout', Buffer.from('new output'));
    const page = await pageOf(log, { afterSeq: 0, skipBytes: 4 }, { tty: false });
    assert.match(page.text, /\nnew output$/);
  });
});

describe('a search', () => {
  const search = (
    output: string,
    pattern: string,
    { ignoreCase = false, ...more }: { ignoreCase?: boolean; maxTokens?: number; from?: Cursor } = {},
  ) =>
    searchOutput(logOf(outputOf([output])), {
      pattern: new Pattern(pattern, ignoreCase),
      maxTokens: 1_000,
      tty: true,
      columns: 80,
      ...more,
    });

  it('finds rendered lines, and where they are', async () => {
    const output = `${numbered(50)}\u001b[31mErr\u001b[0mor: it failed\r\n${numbered(50)}`;
    const { matches, text, total, more } = await search(output, '^Error');
    const at = output.indexOf('\u001b[31m');
    assert.deepEqual(matches, [{ line: 'Error: it failed', cursor: { afterSeq: 0, skipBytes: at } }]);
    assert.equal(text, `0+${at}: Error: it failed\n`);
    assert.equal(total, 1);
    assert.equal(more, false);
    const page = await pageOf(logOf(outputOf([output])), { afterSeq: 0, skipBytes: at });
    assert.ok(page.text.startsWith('Error: it failed\nline 0\n'));
  });

  it('says how much could not be searched, if that is known', async () => {
    const searched = async (sizes: readonly (number | undefined)[]) => {
      const log = new ProcessLog();
      log.appendOutput('stdout', Buffer.from('begin\n'));
      sizes.forEach((bytes, index) => log.appendMissing(10 * (index + 1), bytes));
      log.appendOutput('stdout', Buffer.from('end\n'));
      const pattern = new Pattern('end', false);
      const found = await searchOutput(log, { pattern, maxTokens: 1_000, tty: false, columns: 80 });
      return [searchAnswer(found).warnings, searchAnswer(found).facts?.['goneBytes']];
    };
    assert.deepEqual(await searched([]), [[], undefined]);
    assert.deepEqual(await searched([5_000]), [
      [`5000 bytes of the output are gone and could not be searched; ${KEEP_ADVICE}.`],
      5_000,
    ]);
    for (const sizes of [[5_000, undefined], [undefined]]) {
      assert.deepEqual(await searched(sizes), [
        [`some of the output is gone and could not be searched; ${KEEP_ADVICE}.`],
        undefined,
      ]);
    }
  });

  it('shows what fits, and goes on from there', async () => {
    const first = await search(numbered(1_000), 'line .*7', { maxTokens: 256 });
    assert.equal(
      first.total,
      Array.from({ length: 1_000 }, (_, n) => `${n}`).filter((n) => n.includes('7')).length,
    );
    assert.ok(first.more);
    const second = await search(numbered(1_000), 'line .*7', { maxTokens: 256, from: first.next });
    assert.equal(second.total, first.total - first.matches.length);
  });

  for (const maxTokens of [256, 9_700]) {
    it(`shows a match in a long line, and not its beginning, within ${maxTokens} tokens`, async () => {
      const line = `${'x'.repeat(60_000)}BOOM${'漢'.repeat(3_000)}`;
      const { text, total } = await search(`${line}\r\n${line}\r\nshort BOOM\r\n`, 'BOOM', { maxTokens });
      assert.equal(total, 3);
      assert.match(text, /^0: \[…\] x{40,}BOOM漢{40,} \[…\]\n\[the line above 1 more time\]\n/);
      assert.ok(Buffer.byteLength(text) < 4 * maxTokens && text.length < 1_500, text);
    });
  }

  it('ignores case if asked', async () => {
    assert.equal((await search('One\r\n', 'one')).total, 0);
    assert.equal((await search('One\r\n', 'one', { ignoreCase: true })).total, 1);
  });

  it('is not held up by a pattern that takes others exponential time', async () => {
    const { total } = await search(`${'a'.repeat(20_000)}\r\n`, '(a*)*b');
    assert.equal(total, 0);
  });
});
