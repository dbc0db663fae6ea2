import assert from 'node:assert/strict';

import fc from 'fast-check';

import { LineMatcher, START } from '../../../../src/agent/text/index.js';
import { cutAt, outputOf, places } from './output.js';

const matcher = (pattern: string, tty = true) =>
  new LineMatcher({ pattern, ignoreCase: false, tty, columns: 80, from: START });

describe('a matcher of lines', () => {
  it('finds the first line as soon as it is there', () => {
    const match = matcher('ready on port (\\d+)');
    const [first, second, third] = outputOf([
      'starting\r\nready on \u001b[1mpo',
      'rt\u001b[0m 3000',
      '\r\nready on port 4\r\n',
    ]);
    assert.ok(first && second && third);
    assert.equal(match.push(first), undefined);
    const found = match.push(second);
    assert.deepEqual(found, { line: 'ready on port 3000', cursor: { afterSeq: 0, skipBytes: 10 } });
    assert.equal(match.push(third), found);
  });

  it('finds an ended line that could still be changed', () => {
    const match = matcher('^listening$');
    assert.ok(match.push(outputOf(['listening\r\nmore\r\nand more\r\n'])[0] ?? assert.fail()));
  });

  it('finds what a full-screen program shows', () => {
    const match = matcher('-- INSERT --');
    assert.ok(match.push(outputOf(['\u001b[?1049h\u001b[24;1H-- INSERT --'])[0] ?? assert.fail()));
  });

  it('takes no part of a sequence for text', () => {
    assert.equal(
      matcher('1m|\\[').push(outputOf(['a\u001b[1mb\u001b]0;[\u0007'])[0] ?? assert.fail()),
      undefined,
    );
  });

  it('finds a line whatever the chunks are', () => {
    fc.assert(
      fc.property(places, fc.boolean(), (cuts, tty) => {
        const output = Buffer.from('one\r\ntw\u001b[1mo é\u001b[0m\r\nthree\r\n'.repeat(3));
        const match = matcher('^two é$', tty);
        const found = outputOf(cutAt(output, cuts), tty ? 'pty' : 'stdout').map((event) => match.push(event));
        assert.equal(found.at(-1)?.line, 'two é');
        match.dispose();
      }),
    );
  });

  it('says what is wrong with a pattern', () => {
    assert.throws(() => matcher('['), /no regular expression in RE2 syntax/);
  });
});
