import assert from 'node:assert/strict';

import { hasLines, typedParts, untilQuiet } from '../../../src/terminal/index.js';
import { KEYS, LINES } from '../agent/input/inputModes.js';
import { Emitter, type ProcessInfo } from '../../../src/core/index.js';
import { FakeClock } from '../../support/fakeClock.js';

const PASTE = true;
const NO_PASTE = false;

describe('Text of several lines', () => {
  it('is one paste for a program that knows pastes, and then Enter', () => {
    assert.deepEqual(typedParts('a\n  b\r\n', KEYS, PASTE), ['\u001b[200~a\r  b\r\u001b[201~', '\r']);
    assert.deepEqual(typedParts('a\nb', undefined, PASTE), ['\u001b[200~a\rb\u001b[201~']);
  });

  it('cannot end the paste', () => {
    const [paste] = typedParts('a\u001b[201~\nrm x\n', KEYS, PASTE);
    assert.equal(paste, '\u001b[200~a\rrm x\r\u001b[201~');
    const nested = 'a\u001b[20\u001b[201~1~\nb\n';
    assert.deepEqual(typedParts(nested, KEYS, PASTE), [nested]);
  });

  it('goes line by line where there are no pastes', () => {
    assert.deepEqual(typedParts('a\n\nb\n', KEYS, NO_PASTE), ['a\r', '\r', 'b\r']);
    assert.deepEqual(typedParts('a\nb', undefined, NO_PASTE), ['a\n', 'b']);
    assert.deepEqual(typedParts('\n\n', KEYS, PASTE), ['\r', '\r']);
  });

  it('goes at once where the terminal hands over whole lines, or with keys in it', () => {
    assert.deepEqual(typedParts('a\nb\n', LINES, NO_PASTE), ['a\nb\n']);
    assert.deepEqual(typedParts('a\nb\u001b:wq\n', KEYS, PASTE), ['a\nb\u001b:wq\n']);
  });

  it('is more than one line and its end', () => {
    assert.deepEqual(['', 'a', 'a\n', 'a\r\n', '\n', 'a\nb', '\n\n', 'a\r\nb'].map(hasLines), [
      false,
      false,
      false,
      false,
      false,
      true,
      true,
      true,
    ]);
  });
});

describe('The quiet of a program', () => {
  /** A program that has written up to this number. */
  function setup(lastSeq: number) {
    const clock = new FakeClock();
    const wakes = new Emitter<number>();
    const info = () => ({ output: { lastSeq } }) as ProcessInfo;
    const abort = new AbortController();
    let quiet = false;
    const ended = untilQuiet({ info, onWake: wakes.event }, 3, clock, abort.signal).then(
      () => (quiet = true),
    );
    const isQuiet = async () => {
      await Promise.resolve();
      return quiet;
    };
    return { clock, wakes, abort, ended, isQuiet };
  }

  it('is that after its output', async () => {
    for (const lastSeq of [3, 4]) {
      const { clock, wakes, isQuiet, ended } = setup(lastSeq);
      if (lastSeq === 3) {
        clock.advance(500);
        wakes.fire(4);
      }
      clock.advance(49);
      wakes.fire(5);
      clock.advance(49);
      assert.equal(await isQuiet(), false);
      clock.advance(1);
      await ended;
      assert.equal(clock.pendingTimers, 0);
    }
  });

  it('is not awaited for more than a second, nor after a cancellation', async () => {
    const silent = setup(3);
    silent.clock.advance(999);
    assert.equal(await silent.isQuiet(), false);
    silent.clock.advance(1);
    await silent.ended;
    const cancelled = setup(3);
    cancelled.abort.abort();
    await cancelled.ended;
    assert.deepEqual([silent.clock.pendingTimers, cancelled.clock.pendingTimers], [0, 0]);
  });
});
