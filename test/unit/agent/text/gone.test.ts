import assert from 'node:assert/strict';

import fc from 'fast-check';

import { MIN_TOKENS, parseCursor, START } from '../../../../src/agent/text/index.js';
import { cutAt, digestOf, logOf, outputOf, pageOf, places } from './output.js';

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

const number = (digits: string | undefined) => Number((digits ?? '').replaceAll(',', ''));

const PARTLY =
  /([\d,]+) lines \([\d,]+ tokens\) left out; read_output cursor="(\d+)" has about the last ([\d,]+), the rest is gone/;

describe('a note on lines that are left out', () => {
  it('says that they are gone once the log has let all of them go', async () => {
    const events = outputOf(cutAt(Buffer.from(numbered(10_000)), [30_000, 60_000, 90_000]), 'stdout');
    const { text } = await digestOf(events, { tty: false, maxTokens: 500, goneThrough: 4 });
    assert.match(
      text,
      /\[\.\.\. 9,\d\d\d lines \([\d,]+ tokens\) left out; they are gone \(keep_output=true keeps all\) \.\.\.\]/,
    );
  });

  it('names the rest that is kept, with its approximate size @property', async () => {
    let partly = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 500, max: 4_000 }),
        fc.array(fc.nat(40_000), { minLength: 5, maxLength: 60 }),
        fc.nat(60),
        async (count, cuts, gone) => {
          const events = outputOf(cutAt(Buffer.from(numbered(count)), cuts), 'stdout');
          const goneThrough = gone % events.length;
          const { text } = await digestOf(events, { tty: false, maxTokens: 300, goneThrough });
          const match = PARTLY.exec(text);
          if (match !== null) {
            partly += 1;
            const cursor = parseCursor(match[2] ?? '') ?? START;
            assert.equal(cursor.afterSeq, goneThrough);
            const page = await pageOf(logOf(events), cursor, { tty: false });
            const shownAfter = text.slice(match.index).split('\n').length - 1;
            const there = page.text.split('\n').length - shownAfter;
            const exactly = number(match[1]) / 16 + 2;
            assert.ok(Math.abs(there - number(match[3])) <= exactly, `${there}, not ${match[3]}`);
          }
        },
      ),
    );
    assert.ok(partly > 0);
  });

  it('fits the budget, whatever is gone @property', async () => {
    const line = fc.constantFrom(
      'plain line\n',
      'Error: it failed\n',
      'warning: odd\n',
      'x'.repeat(150) + '\n',
    );
    const lines = fc
      .array(fc.tuple(line, fc.integer({ min: 1, max: 30 })), { maxLength: 60 })
      .map((parts) => parts.map(([text, times], at) => `${at} ${text}`.repeat(times)).join(''));
    await fc.assert(
      fc.asyncProperty(
        lines,
        places,
        fc.nat(12),
        fc.nat(1_200),
        async (output, cuts, goneThrough, maxTokens) => {
          const events = outputOf(cutAt(Buffer.from(output), cuts), 'stdout');
          const { text } = await digestOf(events, { tty: false, maxTokens, goneThrough });
          assert.ok(Buffer.byteLength(text) <= 4 * Math.max(maxTokens, MIN_TOKENS));
        },
      ),
    );
  });
});
