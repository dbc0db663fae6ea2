import assert from 'node:assert/strict';

import fc from 'fast-check';

import type { OutputEvent } from '../../../../src/core/index.js';
import { Pattern } from '../../../../src/terminal/pattern.js';
import { LineMatcher, SinceInput, START } from '../../../../src/agent/text/index.js';
import { cutAt, outputOf, places } from './output.js';

/** Pushes all, then looks. */
const find = (match: LineMatcher, ...events: readonly OutputEvent[]) => {
  events.forEach((event) => match.push(event));
  return match.drained();
};

const matcher = (pattern: string, tty = true) =>
  new LineMatcher({ pattern: new Pattern(pattern, false), tty, columns: 80, from: START });

describe('a matcher of lines', () => {
  it('finds the first line as soon as it is there', async () => {
    const match = matcher('ready on port (\\d+)');
    const [first, second, third] = outputOf([
      'starting\r\nready on \u001b[1mpo',
      'rt\u001b[0m 3000',
      '\r\nready on port 4\r\n',
    ]);
    assert.ok(first && second && third);
    assert.equal(await find(match, first), undefined);
    const found = await find(match, second);
    assert.deepEqual(found, { line: 'ready on port 3000', cursor: { afterSeq: 0, skipBytes: 10 } });
    assert.equal(await find(match, third), found);
  });

  it('finds an ended line that could still be changed', async () => {
    const match = matcher('^listening$');
    assert.ok(await find(match, ...outputOf(['listening\r\nmore\r\nand more\r\n'])));
  });

  it('finds what a full-screen program shows', async () => {
    const match = matcher('-- INSERT --');
    assert.ok(await find(match, ...outputOf(['\u001b[?1049h\u001b[24;1H-- INSERT --'])));
  });

  it('also matches the unseen rest of a line that was shown in part', async () => {
    for (const tty of [true, false]) {
      const output = outputOf(['ready\r\n$ ', 'DONE\r\n$ ', 'DONE too\r\n'], tty ? 'pty' : 'stdout');
      const behind = (pattern: string, shown: number) =>
        find(
          new LineMatcher({
            pattern: new Pattern(pattern, false),
            tty,
            columns: 80,
            from: START,
            shownThrough: { afterSeq: shown, skipBytes: 0 },
          }),
          ...output,
        );
      assert.equal((await behind('^DONE', 1))?.line, '$ DONE');
      assert.equal((await behind('^.{6}$', 1))?.line, '$ DONE');
      assert.equal(await behind('^DONE', 0), undefined);
      assert.equal(await behind('^DONE too', 1), undefined);
      assert.equal((await behind('^DONE too', 2))?.line, '$ DONE too');
    }
  });

  it('does not count a line that was shown, until the program prints it again', async () => {
    for (const tty of [true, false]) {
      for (const again of ['\r\n', '\u001b[2J\u001b[H']) {
        const output = outputOf(
          ['# fail 1\r\nwaits\r\n$ ', again, 'more\r\n', '# fail 1\r\n'],
          tty ? 'pty' : 'stdout',
        );
        const match = new LineMatcher({
          pattern: new Pattern('# fail|wait', false),
          tty,
          columns: 80,
          from: START,
          since: tty ? new SinceInput(undefined, () => []) : undefined,
          shownThrough: { afterSeq: 1, skipBytes: 0 },
        });
        for (const event of output.slice(0, 3)) {
          match.push(event);
          assert.equal(await match.drained(), undefined);
        }
        assert.equal(match.shown?.line, 'waits');
        match.push(output[3] ?? assert.fail());
        assert.equal((await match.drained())?.line, '# fail 1');
      }
    }
  });

  it('counts a prompt that was shown and is still there', async () => {
    for (const tty of [true, false]) {
      const match = new LineMatcher({
        pattern: new Pattern('\\$ ?$', false),
        tty,
        columns: 80,
        from: START,
        since: tty ? new SinceInput(undefined, () => []) : undefined,
        shownThrough: { afterSeq: 1, skipBytes: 0 },
      });
      assert.ok(await find(match, ...outputOf(['ready\r\n$ '], tty ? 'pty' : 'stdout')));
    }
  });

  it('takes no part of a sequence for text', async () => {
    const match = matcher('1m|\\[');
    assert.equal(await find(match, ...outputOf(['a\u001b[1mb\u001b]0;[\u0007'])), undefined);
  });

  it('finds a line whatever the chunks are, and whenever it looks @property', async () => {
    await fc.assert(
      fc.asyncProperty(places, fc.boolean(), fc.boolean(), async (cuts, tty, often) => {
        const output = Buffer.from('one\r\ntw\u001b[1mo é\u001b[0m\r\nthree\r\n'.repeat(3));
        const match = matcher('^two é$', tty);
        for (const event of outputOf(cutAt(output, cuts), tty ? 'pty' : 'stdout')) {
          match.push(event);
          if (often) {
            await match.drained();
          }
        }
        assert.equal((await match.drained())?.line, 'two é');
        match.dispose();
      }),
    );
  });
});
