import assert from 'node:assert/strict';

import fc from 'fast-check';
import { RE2JS } from 're2js';

import { LineMatcher, searchOutput, START } from '../../../../src/agent/text/index.js';
import { Pattern } from '../../../../src/agent/text/pattern.js';
import { Patterns } from '../../../../src/agent/text/patterns.js';
import { PatternProgram } from '../../../../src/agent/text/patternProgram.js';
import { estimatePatternSize } from '../../../../src/agent/text/patternSize.js';
import { logOf, outputOf } from './output.js';

const LARGE = String.raw`[\p{L}\p{N}]{1000}`;
/** In an output of this, {@link LARGE} keeps a thousand possibilities for each character, and never matches. */
const SLOW_LINE = `${'a1'.repeat(499)} `.repeat(900);

/** Patterns that JavaScript and RE2 understand in the same way. */
const patterns = fc.letrec<{ pattern: string; atom: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('atom'),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => one + other),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(?:${one}|${other})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{0,3}', '{2,}', '*?', '{3,20}'))
      .map(([one, times]) => `(${one})${times}`),
  ),
  atom: fc.constantFrom(
    ...['a', 'b', 'é', '.', '^', '$', String.raw`\b`, String.raw`\B`, '[ab]', '[^a]', '[a-c_]'],
    ...[String.raw`\d`, String.raw`\w`, String.raw`\n`, '(?:)', String.raw`\x41`, String.raw`\.`, ' ', '😀'],
  ),
})).pattern;
const texts = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', 'é', '1', '_', ' ', '.', 'A', '\n', '😀', '\ud83d'),
  maxLength: 40,
});

/** RE2 lets nobody repeat anything more than a thousand times, repetitions in repetitions included. */
const compilable = patterns.filter((pattern) => {
  try {
    return RE2JS.compile(pattern).programSize() > 0;
  } catch {
    return false;
  }
});

const sizeOf = (pattern: string) => RE2JS.compile(pattern).programSize();

/** Does all steps, and counts the pauses between them. */
function runToEnd(steps: Generator<undefined, boolean>): { matches: boolean; pauses: number } {
  for (let pauses = 0; ; pauses += 1) {
    const { done, value } = steps.next();
    if (done === true) {
      return { matches: value, pauses };
    }
  }
}

/** Calls back whenever a timer may run, until it is stopped. */
function everyTurn(callback: () => void): () => void {
  const timer = setInterval(callback, 1);
  return () => clearInterval(timer);
}

describe('a pattern', () => {
  it('matches in steps what it matches at once, and what JavaScript matches @property', () => {
    fc.assert(
      fc.property(compilable, texts, fc.constantFrom('', 'i', 'm', 'im'), (pattern, text, flags) => {
        const compiled = RE2JS.compile(flags === '' ? pattern : `(?${flags})${pattern}`);
        const { matches } = runToEnd(new PatternProgram(compiled).matches(text));
        assert.equal(matches, compiled.matcher(text).find(), 'as re2js');
        // JavaScript would try all ways of a long one, and has places in the middle of a character.
        if (pattern.length <= 40 && text.length <= 20 && !/[\ud800-\udfff]/.test(text)) {
          assert.equal(matches, new RegExp(pattern, `${flags}u`).test(text), 'as JavaScript');
        }
      }),
    );
  });

  it('finds the same in a short and in a long text @property', () => {
    fc.assert(
      fc.property(compilable, texts, (pattern, text) => {
        fc.pre(estimatePatternSize(pattern) <= 2_000);
        // Behind so much text the pattern does not run at once.
        const long = ' '.repeat(65_000) + text;
        const matches = RE2JS.compile(pattern).matcher(long).find();
        assert.equal(runToEnd(new Pattern(pattern, false).matches(long)).matches, matches);
      }),
    );
  });

  it('is not compiled if it is too large, and says so', () => {
    const refused = [
      LARGE.repeat(40),
      'a{1000}b{1000}c{1000}',
      String.raw`(?i)${String.raw`\pL`.repeat(100)}`,
      String.raw`(?i)${String.raw`[a-\x{1e900}]`.repeat(100)}`,
      '(?:(?:a{0,10}){0,10}){0,10}'.repeat(3),
      '(?:^*){1000}(?:x?){1000}',
    ];
    for (const pattern of refused) {
      assert.ok(estimatePatternSize(pattern) > 2_000, pattern);
      assert.throws(
        () => new Pattern(pattern, false),
        /too large: .* more than 2000 instructions.*Use \+ or \*/,
      );
    }
    assert.throws(
      () => new Pattern('a'.repeat(2_001), false),
      /too long: it has 2001 characters, and may have 2000/,
    );
    assert.throws(() => new Pattern('((a{100}){100}){100}', false), /too large/);
  });

  it('is as large as people write them', () => {
    const accepted = [
      LARGE,
      'x{1000}',
      `(?:${Array.from({ length: 200 }, (_, n) => `word${n}`).join('|')})`,
      String.raw`(?P<year>\d{4})-(?P<month>\d{2}) .*\b(?:error|FAIL(?:ED|URE)?)\b[^\]]*\]$`,
      String.raw`\Q[a{1000}{1000}{1000}]\E{3}`,
      '[{1000}a-z[:alpha:]]{20}',
      String.raw`[\]{1000}]\{1000}`,
    ];
    for (const pattern of accepted) {
      assert.equal(typeof new Pattern(pattern, true), 'object', pattern);
    }
  });

  it('counts as large as it is when it is written out', () => {
    assert.equal(estimatePatternSize('a{10}'), 10);
    assert.equal(estimatePatternSize('(?:ab){10}c'), 21);
    assert.equal(estimatePatternSize('((a{3}){2,4})'), 2 + 4 * (2 + 3 + 1));
    assert.equal(estimatePatternSize('[a-z]{5}x?'), 7);
  });

  it('has an estimated size that is near the true one @property', () => {
    fc.assert(
      fc.property(compilable, (pattern) => {
        const estimate = estimatePatternSize(pattern);
        assert.ok(2 * estimate + 4 >= sizeOf(pattern), `${estimate} for ${sizeOf(pattern)}`);
        assert.ok(estimate <= 4 * sizeOf(pattern) + 2 * pattern.length, `${estimate} for ${sizeOf(pattern)}`);
      }),
    );
  });

  it('pauses after a bounded amount of work, also in the middle of a line', () => {
    const line = SLOW_LINE.slice(0, 20_000);
    const { matches, pauses } = runToEnd(new Pattern(LARGE, false).matches(line));
    assert.equal(matches, false);
    // On average each character has five hundred possibilities.
    assert.ok(pauses > (line.length * 400) / 8_192, `${pauses} pauses`);
  });
});

describe('patterns of several calls', () => {
  it('are compiled one in a turn, in order', async () => {
    let turn = 0;
    let next = setImmediate(function count() {
      turn += 1;
      next = setImmediate(count);
    });
    const patterns = new Patterns();
    const turns = await Promise.all(
      ['one', 'two', 'three'].map(async (text) => {
        const pattern = await patterns.compile(text, false);
        assert.equal(runToEnd(pattern.matches(`-${text}-`)).matches, true);
        return turn;
      }),
    );
    clearImmediate(next);
    assert.deepEqual(turns, [0, 1, 2]);
  });

  it('say what is wrong with one, and go on', async () => {
    const patterns = new Patterns();
    const wrong = patterns.compile('(', false);
    const right = patterns.compile('a', false);
    await assert.rejects(wrong, /no regular expression in RE2 syntax: .*missing closing \)/);
    await right;
    await assert.rejects(patterns.compile('(?<=a)b', false), /RE2 syntax/);
  });
});

describe('a search for a large pattern in a long line', () => {
  const log = () => logOf(outputOf([SLOW_LINE], 'stdout'));
  const options = { tty: false, columns: 80, pattern: new Pattern(LARGE, false) };

  it('ends with its call, and lets others have their turn until then', async () => {
    const controller = new AbortController();
    let turns = 0;
    const stop = everyTurn(() => {
      turns += 1;
      if (turns === 10) {
        controller.abort(new Error('cancelled'));
      }
    });
    const search = searchOutput(log(), { ...options, maxTokens: 1_000, signal: controller.signal });
    await assert.rejects(search, /cancelled/);
    stop();
    // All of the search would be more than a thousand.
    assert.ok(turns < 100, `${turns} turns`);
  });

  it('ends with its wait, and lets others have their turn until then', async () => {
    const matcher = new LineMatcher({ ...options, from: START });
    let turns = 0;
    const stop = everyTurn(() => {
      turns += 1;
      if (turns === 10) {
        matcher.dispose();
      }
    });
    outputOf([SLOW_LINE], 'stdout').forEach((event) => matcher.push(event));
    assert.equal(await matcher.drained(), undefined);
    stop();
    assert.ok(turns < 100, `${turns} turns`);
  });

  it('finds a match at the end', async () => {
    const found = await searchOutput(
      logOf(outputOf([`${SLOW_LINE.slice(0, 5_000)}${'é'.repeat(1_000)}\n`])),
      {
        ...options,
        maxTokens: 1_000,
      },
    );
    assert.equal(found.total, 1);
  });
});
