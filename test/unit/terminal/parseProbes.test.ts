import assert from 'node:assert/strict';

import fc from 'fast-check';

import { HOLD_MS, ParseProbes } from '../../../src/terminal/parseProbes.js';
import { Emulator } from '../../support/emulator.js';
import { FakeClock } from '../../support/fakeClock.js';

const ESCAPE = '\u001b';

function setUp() {
  const clock = new FakeClock();
  const seen = { input: '', answered: 0 };
  const probes = new ParseProbes({
    clock,
    answered: (count) => (seen.answered += count),
    forward: (input) => {
      assert.notEqual(input, '');
      seen.input += input;
    },
  });
  return { clock, seen, probes };
}

function numberOf(question: string): number {
  const [, digits] = /^\u001b\[\?(\d+)\$p$/.exec(question) ?? [];
  assert.ok(digits !== undefined, JSON.stringify(question));
  return Number(digits);
}

const answerTo = (question: string) => `${ESCAPE}[?${numberOf(question)};0$y`;

describe('ParseProbes', () => {
  it('are answered by an emulator once it has parsed what is before them', async () => {
    const { seen, probes } = setUp();
    const emulator = new Emulator((answer) => probes.take(answer));
    await emulator.write(`${'words\r\n'.repeat(1000)}${probes.ask()}`);
    assert.deepEqual(seen, { input: '', answered: 1 });
    await emulator.write(`${probes.ask()}\u001b[6n${probes.ask()}`);
    assert.deepEqual(seen, { input: '\u001b[24;1R', answered: 3 });
  });

  it('have numbers that are never the same, and begin anywhere', () => {
    const { probes } = setUp();
    const numbers = Array.from({ length: 1000 }, () => numberOf(probes.ask()));
    assert.equal(new Set(numbers).size, numbers.length);
    assert.ok(numbers.every((number) => number >= 1_000_000_000 && number < 2 ** 31 - 1));
    assert.notEqual(numberOf(setUp().probes.ask()), numberOf(setUp().probes.ask()));
  });

  it('take an answer for one to all that was asked before', () => {
    const { seen, probes } = setUp();
    const [first, second, third] = [probes.ask(), probes.ask(), probes.ask()];
    probes.take(answerTo(second));
    assert.deepEqual(seen, { input: '', answered: 2 });
    probes.take(answerTo(first));
    assert.deepEqual(seen, { input: answerTo(first), answered: 2 }, 'nobody waits for this one');
    probes.take(`a${answerTo(third)}b`);
    assert.deepEqual(seen, { input: `${answerTo(first)}ab`, answered: 3 });
  });

  it('leave to the program what it has asked itself', () => {
    const { seen, probes } = setUp();
    const question = probes.ask();
    const others = [
      `${ESCAPE}[?2026;2$y`,
      `${ESCAPE}[?${numberOf(question) + 1};0$y`,
      `${ESCAPE}[${numberOf(question)};0$y`,
      `${ESCAPE}[?${numberOf(question)};9$y`,
      `${ESCAPE}[?${numberOf(question)}1;0$y`,
    ].join('');
    probes.take(others);
    assert.deepEqual(seen, { input: others, answered: 0 });
    probes.take(answerTo(question));
    probes.take(answerTo(question));
    assert.deepEqual(seen, { input: others + answerTo(question), answered: 1 });
  });

  it('find an answer wherever it is cut', () => {
    const length = answerTo(setUp().probes.ask()).length;
    for (let at = 1; at < length; at++) {
      const { clock, seen, probes } = setUp();
      const answer = answerTo(probes.ask());
      probes.take(`a${answer.slice(0, at)}`);
      assert.deepEqual(seen, { input: 'a', answered: 0 });
      probes.take(`${answer.slice(at)}b`);
      assert.deepEqual(seen, { input: 'ab', answered: 1 });
      assert.equal(clock.pendingTimers, 0);
    }
  });

  it('do not hold back a key that is pressed while nothing is asked', () => {
    const { clock, seen, probes } = setUp();
    probes.take(ESCAPE);
    assert.equal(seen.input, ESCAPE);
    probes.take(answerTo(probes.ask()));
    probes.take(ESCAPE);
    assert.equal(seen.input, ESCAPE + ESCAPE);
    assert.equal(clock.pendingTimers, 0);
  });

  it('hold back the Escape key for a moment at most, and keep the order', () => {
    const { clock, seen, probes } = setUp();
    probes.ask();
    probes.take(ESCAPE);
    assert.equal(seen.input, '');
    clock.advance(HOLD_MS);
    assert.equal(seen.input, ESCAPE);
    probes.take(`x${ESCAPE}`);
    probes.take(':q\r');
    assert.equal(seen.input, `${ESCAPE}x${ESCAPE}:q\r`);
    probes.take(ESCAPE);
    probes.take(ESCAPE);
    assert.equal(seen.input, `${ESCAPE}x${ESCAPE}:q\r${ESCAPE}`);
    clock.advance(HOLD_MS);
    assert.equal(seen.input, `${ESCAPE}x${ESCAPE}:q\r${ESCAPE}${ESCAPE}`);
    assert.equal(clock.pendingTimers, 0);
  });

  it('do not hold back what cannot become an answer', () => {
    const { clock, seen, probes } = setUp();
    probes.ask();
    const keys = [`${ESCAPE}[A`, `${ESCAPE}OP`, `${ESCAPE}[I`, `${ESCAPE}[?9`, `${ESCAPE}b`];
    for (const key of keys) {
      probes.take(key);
    }
    assert.equal(seen.input, keys.join(''));
    assert.equal(clock.pendingTimers, 0);
  });

  it('forget what they hold when the terminal is gone', () => {
    const { clock, seen, probes } = setUp();
    probes.ask();
    probes.take(ESCAPE);
    probes.dispose();
    clock.advance(HOLD_MS);
    assert.deepEqual(seen, { input: '', answered: 0 });
  });

  it('leave exactly what was typed, however it is mixed with answers and cut @property', () => {
    const typed = fc.constantFrom(
      'a',
      'é',
      '\r',
      ESCAPE,
      '[',
      `${ESCAPE}[A`,
      `${ESCAPE}[?2026;2$y`,
      '?1',
      ';0$y',
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(typed, fc.constant(undefined)), { maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 20 }),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }),
        (parts, sizes, pauses) => {
          const { clock, seen, probes } = setUp();
          const answers = parts.map((part) => part ?? answerTo(probes.ask()));
          const all = answers.join('');
          let [start, step] = [0, 0];
          while (start < all.length) {
            const end = start + (sizes[step % sizes.length] ?? 1);
            probes.take(all.slice(start, end));
            // A pause in the middle of an answer is the unexpected case: an answer normally arrives in one piece.
            const within = answers.reduce(
              ({ at, inside }, part, index) => ({
                at: at + part.length,
                inside: inside || (parts[index] === undefined && end > at && end < at + part.length),
              }),
              { at: 0, inside: false },
            ).inside;
            if (!within && pauses[step % pauses.length] === true) {
              clock.advance(HOLD_MS);
            }
            start = end;
            step += 1;
          }
          clock.advance(HOLD_MS);
          const count = parts.filter((part) => part === undefined).length;
          assert.deepEqual(seen, { input: parts.join(''), answered: count });
        },
      ),
    );
  });
});
