import assert from 'node:assert/strict';

import fc from 'fast-check';

import type { Item } from '../../../../src/agent/text/item.js';
import { START, type TextGap } from '../../../../src/agent/text/index.js';
import { Excerpt } from '../../../../src/agent/text/excerpt.js';
import { SUSPECT_LINE, suspicionOf } from '../../../../src/agent/text/middle.js';
import { LineBlock } from '../../../../src/agent/text/lineBlock.js';
import { LineRuns } from '../../../../src/agent/text/lineRuns.js';
import { OutputLines } from '../../../../src/agent/text/outputLines.js';
import { runAll } from '../../../../src/agent/text/steps.js';
import { budgetBytes } from '../../../../src/agent/text/tokens.js';
import type { OutputEvent, OutputStream } from '../../../../src/core/index.js';
import { cutAt, outputOf, places } from './output.js';

interface Rendered {
  readonly text: string;
  readonly leftOut: boolean;
  readonly next: unknown;
  readonly bytes: number;
  /** The emitted items, with the lines of blocks one by one. */
  readonly items: readonly Item[];
  /** The lines that came in blocks. */
  readonly inBlocks: number;
}

/** The rendering of a digest for the output of pipes: with blocks of lines, or line by line. */
function rendered(
  events: readonly (OutputEvent | TextGap)[],
  how: { readonly maxTokens: number; readonly goneThrough: number; readonly blocks: boolean },
): Rendered {
  const excerpt = new Excerpt(budgetBytes(how.maxTokens));
  const items: Item[] = [];
  let inBlocks = 0;
  const emit = (item: Item) => {
    items.push(item);
    excerpt.add(item);
  };
  const emitBlock = (block: LineBlock) => {
    inBlocks += block.lines;
    items.push(...block.items());
    excerpt.addBlock(block);
  };
  const runs = new LineRuns(emit, { emitBlock: how.blocks ? emitBlock : undefined });
  const lines = new OutputLines(runs, { tty: false, columns: 80, from: START });
  for (const event of events) {
    runAll(lines.push(event));
  }
  const next = lines.finish(false);
  runs.flush();
  lines.dispose();
  return { ...excerpt.finish(how.goneThrough), next, bytes: lines.bytes, items, inBlocks };
}

/** Output of programs: mostly plain lines, and now and then one that has to be rendered, kept or counted. */
const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 120 }), fc.constantFrom('', 'line ', '\t'))
      .map(([count, before]) => Array.from({ length: count }, (_, index) => `${before}${index}\n`).join('')),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'the same\n',
      'the same\nthe same\n',
      '\n',
      '\n\n\n',
      'no end',
      'E first\n',
      'Error: it failed\n  at one\n  at two\n',
      'warning: could not\n',
      '0 errors\n',
      'ends as Windows does\r\n',
      'over\rwritten\n',
      '\u001b[31mred\u001b[0m\n',
      '\u001b]0;a title\nof two lines\u0007',
      'half a sequence\u001b[3',
      'one\u001b[5;1Htwo\n',
      'é€😀\n',
      'names\u0000between\n',
      `${'x'.repeat(255)}\n`,
      `${'x'.repeat(255)}\u0000`,
      `${'x'.repeat(256)}\n`,
      `${'x'.repeat(257)}\n`,
      `${'y'.repeat(256)}\t\n`,
      `${'long '.repeat(200)}\n`,
    ),
  },
);
const output = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''));

/** Gives each piece to one of the streams. */
function onStreams(pieces: readonly Uint8Array[], streams: readonly OutputStream[]): OutputEvent[] {
  return outputOf(pieces).map((event, index) => ({
    ...event,
    stream: streams[index % streams.length] ?? 'stdout',
  }));
}

const streams = fc.oneof(
  { weight: 3, arbitrary: fc.constant<OutputStream[]>(['stdout']) },
  { weight: 1, arbitrary: fc.array(fc.constantFrom<OutputStream>('stdout', 'stderr'), { minLength: 1 }) },
);

describe('lines that are taken in blocks', () => {
  it('make the same text as lines that are taken one by one, however the output was cut @property', () => {
    let inBlocks = 0;
    fc.assert(
      fc.property(
        output,
        places,
        streams,
        fc.constantFrom(256, 300, 600, 3_000),
        fc.nat(14),
        (text, cuts, from, maxTokens, goneThrough) => {
          const events = onStreams(cutAt(Buffer.from(text), cuts), from);
          const { inBlocks: count, ...fast } = rendered(events, { maxTokens, goneThrough, blocks: true });
          const { inBlocks: none, ...slow } = rendered(events, { maxTokens, goneThrough, blocks: false });
          assert.deepEqual(fast, slow);
          assert.equal(none, 0);
          inBlocks += count;
        },
      ),
    );
    assert.ok(inBlocks > 0);
  });

  it('go on after a gap', () => {
    const lines = (name: string) => Array.from({ length: 500 }, (_, index) => `${name} ${index}\n`).join('');
    const [first, , third] = outputOf([lines('before'), '', lines('after')], 'stdout');
    assert.ok(first && third);
    const gap: TextGap = { type: 'gap', fromSeq: 2, throughSeq: 2, chunks: 1, bytes: 77 };
    const how = { maxTokens: 300, goneThrough: 0 };
    const fast = rendered([first, gap, third], { ...how, blocks: true });
    const slow = rendered([first, gap, third], { ...how, blocks: false });
    assert.deepEqual({ ...fast, inBlocks: 0 }, slow);
    assert.match(fast.text, /1 gap, in which 77 bytes are gone/);
  });

  it('cover nearly all lines of a long list, and only its ends become texts', () => {
    const numbers = Array.from({ length: 100_000 }, (_, index) => `${index + 1}\n`).join('');
    const chunks = Array.from({ length: Math.ceil(numbers.length / 65_536) }, (_, index) =>
      numbers.slice(index * 65_536, (index + 1) * 65_536),
    );
    const { inBlocks, text } = rendered(outputOf(chunks, 'stdout'), {
      maxTokens: 300,
      goneThrough: 0,
      blocks: true,
    });
    // All lines of each chunk but those at its ends.
    assert.ok(inBlocks > 100_000 - 6 * chunks.length, `${inBlocks}`);
    assert.match(text, /^1\n2\n[^]*left out[^]*\n100000\n$/);
  });

  it('are looked through for errors as each of them would be @property', () => {
    const line = fc.constantFrom(
      'E first',
      'E',
      'EE x',
      'x E x',
      'plain',
      'An error',
      '0 errors',
      'not ok 1',
      '',
      '  E x',
    );
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), fc.nat(3), (lines, skipped) => {
        const text = lines.map((one) => `${one}\n`).join('');
        const place = { offset: 0, from: 0, to: text.length, lines: lines.length };
        const [, block] = new LineBlock(1, text, place).split(skipped);
        const before = block.linesBefore(SUSPECT_LINE);
        const rest = lines.slice(skipped);
        assert.ok(rest.slice(0, before).every((one) => suspicionOf(one) === 'none'));
        assert.ok(before === rest.length || SUSPECT_LINE.test(`${rest[before] ?? ''}\n`));
      }),
    );
  });
});
