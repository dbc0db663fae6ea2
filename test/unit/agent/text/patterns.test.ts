import assert from 'node:assert/strict';

import fc from 'fast-check';
import { RE2JS } from 're2js';

import { LineMatcher, searchOutput, START } from '../../../../src/agent/text/index.js';
import { Patterns } from '../../../../src/agent/text/pattern.js';
import { estimatedSize, Pattern } from '../../../../src/terminal/pattern.js';
import { logOf, outputOf } from './output.js';

const LARGE = String.raw`[\p{L}\p{N}]{1000}`;
/** In each of these lines {@link LARGE} keeps a thousand possibilities for each character, and never matches. */
const SLOW_LINES = Array.from({ length: 900 }, (_, index) => `${'a1'.repeat(499)} ${index}\n`).join('');

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

/** RE2 repeats nothing more than a thousand times, repetitions in repetitions included. */
const compilable = patterns.filter((pattern) => {
  try {
    return RE2JS.compile(pattern).programSize() > 0;
  } catch {
    return false;
  }
});

/** Calls back whenever a timer may run, until it is stopped. */
function everyTurn(callback: () => void): () => void {
  const timer = setInterval(callback, 1);
  return () => clearInterval(timer);
}

describe('a pattern', () => {
  it('matches what JavaScript matches @property', () => {
    fc.assert(
      fc.property(compilable, texts, fc.constantFrom('', 'i', 'm', 'im'), (pattern, text, flags) => {
        // JavaScript would try all ways of a long one, and has places in the middle of a character.
        fc.pre(pattern.length <= 40 && text.length <= 20 && !/[\ud800-\udfff]/.test(text));
        fc.pre(estimatedSize(pattern) <= 1_000);
        const matches = new Pattern(flags === '' ? pattern : `(?${flags})${pattern}`, false).matches(text);
        assert.equal(matches, new RegExp(pattern, `${flags}u`).test(text));
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
      '((a{100}){100}){100}',
      'abcdefgh'.repeat(128),
    ];
    for (const pattern of refused) {
      assert.throws(
        () => new Pattern(pattern, false),
        /too large: .* more than 1024 instructions.*Use \+ or \*/,
        pattern,
      );
    }
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

  it('is estimated to be at least as large as it is @property', () => {
    fc.assert(
      fc.property(compilable, (pattern) => {
        assert.ok(estimatedSize(pattern) >= RE2JS.compile(pattern).programSize());
      }),
    );
  });

  it('is compared with the beginning of a line, which is the shorter the larger the pattern is', () => {
    for (const text of ['x', 'x{1000}']) {
      const pattern = new Pattern(text, false);
      const x = 'x'.repeat(1_000);
      assert.equal(pattern.matches(`${' '.repeat(pattern.reach - x.length)}${x}`), true);
      assert.equal(pattern.matches(`${' '.repeat(pattern.reach)}${x}`), false);
    }
    assert.ok(new Pattern('x{1000}', false).reach > 1_000);
    assert.ok(new Pattern('ERROR: .*failed', false).reach > 50_000);
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
        assert.equal(pattern.matches(`-${text}-`), true);
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
    await assert.rejects(wrong, /not a regular expression in RE2 syntax: .*missing closing \)/);
    await right;
    await assert.rejects(patterns.compile('(?<=a)b', false), /RE2 syntax/);
  });
});

describe('a search for a large pattern in long lines', () => {
  const log = () => logOf(outputOf([SLOW_LINES], 'stdout'));
  const pattern = new Pattern(LARGE, false);
  const options = { tty: false, columns: 80, pattern };

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
    // All of the search would be some hundreds.
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
    outputOf([SLOW_LINES], 'stdout').forEach((event) => matcher.push(event));
    assert.equal(await matcher.drained(), undefined);
    stop();
    assert.ok(turns < 100, `${turns} turns`);
  });

  it('names the lines that were searched only at their beginning', async () => {
    const found = 'é'.repeat(1_000);
    const output = outputOf([`short\n${found}\n`, `${' '.repeat(pattern.reach)}${found}\n`], 'stdout');
    const { total, cut } = await searchOutput(logOf(output), { ...options, maxTokens: 1_000 });
    assert.equal(total, 1);
    assert.deepEqual(cut, { first: { afterSeq: 1, skipBytes: 0 }, reach: pattern.reach });
    const matcher = new LineMatcher({ ...options, from: { afterSeq: 1, skipBytes: 0 } });
    output.forEach((event) => matcher.push(event));
    assert.equal(await matcher.drained(), undefined);
    assert.deepEqual(matcher.cut, cut);
    const whole = await searchOutput(logOf(output.slice(0, 1)), { ...options, maxTokens: 1_000 });
    assert.equal(whole.cut, undefined);
  });
});
