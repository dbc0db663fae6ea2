import assert from 'node:assert/strict';

import { CHARACTERS_PER_TICK, Pacer, TICK_MS, type OutputWriter } from '../../../src/terminal/pacedWriter.js';
import { FakeClock } from '../../support/fakeClock.js';

function setUp() {
  const clock = new FakeClock();
  const pacer = new Pacer(clock);
  const terminal = () => {
    const written: string[] = [];
    return { written, writer: pacer.writer((text) => written.push(text)) };
  };
  return { clock, terminal };
}

function flood(writer: OutputWriter, letter: string, count: number, handedOver: string[] = []): void {
  for (let index = 0; index < count; index++) {
    writer.write({
      size: 1024,
      render: () => ({ text: letter.repeat(1024) }),
      written: () => handedOver.push(letter),
    });
  }
}

const total = (written: readonly string[]) => written.join('').length;

describe('Pacer', () => {
  it('hands over small output at once', () => {
    const { terminal } = setUp();
    const { written, writer } = terminal();
    writer.write({ size: 1, render: () => ({ text: 'a' }) });
    assert.deepEqual(written, ['a']);
    writer.write({ size: 1, render: () => ({ text: 'b' }) });
    assert.deepEqual(written, ['a', 'b']);
  });

  it('deals a flood out tick by tick, in order, and loses nothing', () => {
    const { clock, terminal } = setUp();
    const { written, writer } = terminal();
    flood(writer, 'a', 200);
    writer.write({ size: 3, render: () => ({ text: 'end' }) });
    assert.equal(total(written), CHARACTERS_PER_TICK);
    clock.advance(TICK_MS);
    assert.equal(total(written), 2 * CHARACTERS_PER_TICK);
    clock.advance(100 * TICK_MS);
    assert.equal(written.join(''), 'a'.repeat(200 * 1024) + 'end');
    assert.equal(clock.pendingTimers, 0, 'nothing runs while there is nothing to do');
  });

  it('tells of each item only once it was handed over', () => {
    const { clock, terminal } = setUp();
    const { writer } = terminal();
    const handedOver: string[] = [];
    flood(writer, 'a', 100, handedOver);
    assert.equal(handedOver.length, 64);
    clock.advance(TICK_MS);
    assert.equal(handedOver.length, 100);
  });

  it('lets several terminals share the pace, in turn', () => {
    const { clock, terminal } = setUp();
    const [one, two] = [terminal(), terminal()];
    flood(one.writer, 'a', 1000);
    flood(two.writer, 'b', 1000);
    const before = total(one.written);
    for (let tick = 0; tick < 4; tick++) {
      clock.advance(TICK_MS);
    }
    assert.equal(total(one.written) + total(two.written) - before, 4 * CHARACTERS_PER_TICK);
    assert.equal(total(two.written), 2 * CHARACTERS_PER_TICK);
  });

  it('gives a terminal no extra turn for writing right after a write', () => {
    const { clock, terminal } = setUp();
    const [one, two] = [terminal(), terminal()];
    const again = (): void => {
      one.writer.write({ size: 16 * 1024, render: () => ({ text: 'a'.repeat(16 * 1024) }), written: again });
    };
    again();
    again();
    flood(two.writer, 'b', 1000);
    for (let tick = 0; tick < 10; tick++) {
      clock.advance(TICK_MS);
    }
    assert.ok(
      Math.abs(total(two.written) - 5 * CHARACTERS_PER_TICK) <= CHARACTERS_PER_TICK,
      `${total(two.written)}`,
    );
  });

  it('uses later ticks for a piece that is too large', () => {
    const { clock, terminal } = setUp();
    const { written, writer } = terminal();
    writer.write({ size: 1, render: () => ({ text: 'x'.repeat(3 * CHARACTERS_PER_TICK) }) });
    writer.write({ size: 1, render: () => ({ text: 'y' }) });
    clock.advance(TICK_MS);
    clock.advance(TICK_MS);
    assert.equal(written.length, 1);
    clock.advance(TICK_MS);
    assert.equal(written.length, 2);
  });

  it('writes in order what is written while it writes', () => {
    const { terminal } = setUp();
    const { written, writer } = terminal();
    writer.write({
      size: 1,
      render: () => ({ text: 'a' }),
      written: () => writer.write({ size: 1, render: () => ({ text: 'b' }) }),
    });
    assert.equal(written.join(''), 'ab');
  });

  it('drops what waits when its terminal is gone', () => {
    const { clock, terminal } = setUp();
    const { written, writer } = terminal();
    flood(writer, 'a', 100);
    const before = total(written);
    writer.dispose();
    clock.advance(100 * TICK_MS);
    assert.equal(total(written), before);
  });
});
