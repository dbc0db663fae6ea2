import assert from 'node:assert/strict';

import fc from 'fast-check';

import {
  EmulatorLink,
  FIRST_ANSWER_MS,
  LEAST_CHARACTERS,
  PIECE_CHARACTERS,
  PROBE_CHARACTERS,
  REST_MS,
  WINDOW_CHARACTERS,
} from '../../../src/terminal/emulatorLink.js';
import { CHARACTERS_PER_TICK, Pacer, SLICE_BYTES, TICK_MS } from '../../../src/terminal/pacedWriter.js';
import { terminalText } from '../../../src/terminal/terminalText.js';
import { Emulator } from '../../support/emulator.js';
import { FakeClock } from '../../support/fakeClock.js';
import { RECORDINGS } from '../../support/recordings/index.js';
import { flood, FLOOD_MS, LINE, proven, questionsIn, SlowTerminal } from '../../support/slowTerminal.js';
import { usualSize } from '../../support/usualSize.js';

/** The most that is ever on its way: the last item of a piece may be larger than the room that was left. */
const MOST = WINDOW_CHARACTERS + SLICE_BYTES;
/** A piece is handed over once the emulator has parsed down to here. */
const ROOM_FROM = WINDOW_CHARACTERS - PIECE_CHARACTERS;

describe('EmulatorLink', () => {
  let clock: FakeClock;
  beforeEach(() => {
    clock = new FakeClock();
  });

  it('hands over small output at once, without a question, as written', () => {
    const terminal = new SlowTerminal(clock);
    for (let index = 0; index < 100; index++) {
      terminal.write('$ ');
    }
    assert.equal(terminal.given, '$ '.repeat(100));
    assert.equal(terminal.written.length, 100);
  });

  it('hands over so much, and no more until the emulator has parsed some of it', () => {
    const terminal = proven(clock);
    flood(terminal, 3_000);
    clock.advance(60_000);
    assert.ok(terminal.unparsed > ROOM_FROM, String(terminal.unparsed));
    assert.ok(terminal.unparsed <= MOST, String(terminal.unparsed));
    while (terminal.unparsed > PROBE_CHARACTERS) {
      terminal.parse(10_000);
      assert.ok(terminal.unparsed <= MOST, String(terminal.unparsed));
    }
    assert.equal(terminal.text, LINE.repeat(3_000));
  });

  it('leaves VS Code time between large pieces, and none to wait for small ones', () => {
    const terminal = proven(clock);
    const lines = (2 * PIECE_CHARACTERS) / LINE.length;
    for (let index = 0; index < lines; index++) {
      terminal.write(LINE);
    }
    const { length } = terminal.given;
    assert.ok(length >= LEAST_CHARACTERS && length <= PIECE_CHARACTERS + SLICE_BYTES, String(length));
    clock.advance(REST_MS - 1);
    assert.equal(terminal.given.length, length);
    clock.advance(1);
    assert.ok(terminal.given.length > length);
    terminal.parse();
    terminal.parse();
    for (const text of ['a', 'b', 'c']) {
      terminal.write(text);
      assert.ok(terminal.given.endsWith(text));
    }
  });

  it('keeps the emulator busy: it never runs dry while something waits', () => {
    const terminal = proven(clock);
    flood(terminal, 4_000);
    while (terminal.text.length < 4_000 * LINE.length) {
      assert.ok(terminal.unparsed > ROOM_FROM - PIECE_CHARACTERS, String(terminal.unparsed));
      terminal.parse(10_000);
    }
  });

  it('hands over what waits in large pieces, with a question in each', () => {
    const terminal = proven(clock);
    flood(terminal, 8_000);
    terminal.parse();
    const { pieces, questions, given } = terminal;
    assert.ok(terminal.unparsed >= PIECE_CHARACTERS);
    while (terminal.unparsed > 0) {
      terminal.parse(PIECE_CHARACTERS);
    }
    const expected = (terminal.given.length - given.length) / PIECE_CHARACTERS;
    assert.ok(expected > 4);
    assert.ok(terminal.pieces - pieces <= Math.ceil(expected), `${terminal.pieces - pieces} pieces`);
    assert.ok(terminal.questions - questions >= Math.floor(expected), `${terminal.questions} questions`);
    assert.equal(terminal.text, LINE.repeat(8_000));
  });

  it('lets little wait for more while the emulator has much to do, until it has not', () => {
    const terminal = proven(clock);
    flood(terminal, 2 * (LEAST_CHARACTERS / LINE.length));
    const { unparsed, pieces } = terminal;
    assert.ok(unparsed > LEAST_CHARACTERS);
    terminal.write('little');
    assert.equal(terminal.pieces, pieces);
    flood(terminal, LEAST_CHARACTERS / LINE.length);
    assert.equal(terminal.pieces, pieces + 1);
    assert.ok(terminal.given.includes('little'));
    terminal.write('the end');
    assert.equal(terminal.pieces, pieces + 1);
    terminal.parse();
    assert.ok(terminal.given.endsWith('the end'));
  });

  it('calls an item written once the emulator has parsed it, in order', () => {
    const terminal = proven(clock);
    flood(terminal, 4_000);
    const before = terminal.written.length;
    assert.ok(before <= PROBE_CHARACTERS / LINE.length);
    while (terminal.unparsed > 0) {
      terminal.parse(10_000);
      const parsed = terminal.text.length - terminal.unparsed;
      const written = terminal.written.length * LINE.length;
      assert.ok(written <= parsed + PROBE_CHARACTERS, `${written} of ${parsed}`);
    }
    assert.deepEqual(
      terminal.written,
      Array.from({ length: 4_000 }, (_, index) => String(index)),
    );
  });

  it('asks about each 64 KiB of what comes slowly, and about nothing while there is little', () => {
    const terminal = proven(clock);
    for (let count = 0; count < 10; count++) {
      flood(terminal, PROBE_CHARACTERS / LINE.length);
      terminal.parse();
    }
    assert.ok(Math.abs(terminal.questions - 10) <= 1, String(terminal.questions));
    const before = terminal.questions;
    terminal.write('$ ');
    assert.ok(terminal.given.endsWith('$ '));
    assert.equal(terminal.questions, before);
    assert.equal(terminal.written.at(-1), '$ ');
  });

  it('keeps to the common pace if the first answer does not come, and asks no more', () => {
    const terminal = new SlowTerminal(clock);
    flood(terminal, 3_000);
    assert.ok(terminal.unparsed <= MOST);
    const { questions } = terminal;
    clock.advance(FIRST_ANSWER_MS - FLOOD_MS - 1);
    assert.ok(terminal.unparsed <= MOST);
    const first = terminal.given.length;
    clock.advance(1 + 5 * TICK_MS);
    const paced = terminal.given.length - first;
    assert.ok(Math.abs(paced - 6 * CHARACTERS_PER_TICK) <= SLICE_BYTES, String(paced));
    clock.advance(60_000);
    assert.equal(terminal.text, LINE.repeat(3_000));
    assert.equal(terminal.written.length, 3_000);
    assert.equal(terminal.questions, questions);
    assert.equal(clock.pendingTimers, 0);
  });

  it('goes over to acknowledgements also if the first answer comes late', () => {
    const terminal = new SlowTerminal(clock);
    flood(terminal, 5_000);
    clock.advance(FIRST_ANSWER_MS + 10 * TICK_MS);
    const before = terminal.unparsed;
    assert.ok(before > MOST);
    terminal.parse(2 * PROBE_CHARACTERS);
    clock.advance(60_000);
    assert.ok(terminal.unparsed <= before + SLICE_BYTES, 'there is too much on its way already');
    let most = Infinity;
    while (terminal.unparsed > 0) {
      terminal.parse(40_000);
      clock.advance(TICK_MS);
      most = Math.min(most, Math.max(terminal.unparsed, MOST));
      assert.ok(terminal.unparsed <= most + SLICE_BYTES, `${terminal.unparsed} after ${most}`);
    }
    assert.equal(terminal.text, LINE.repeat(5_000));
    assert.equal(terminal.written.length, 5_000);
    assert.equal(clock.pendingTimers, 0);
  });

  it('waits while answers stay away, and goes on when they come again', () => {
    const terminal = proven(clock);
    flood(terminal, 1_000);
    terminal.parse(100_000);
    const [given, written] = [terminal.given.length, terminal.written.length];
    clock.advance(3_600_000);
    assert.equal(terminal.given.length, given);
    assert.equal(terminal.written.length, written);
    assert.equal(clock.pendingTimers, 0);
    while (terminal.unparsed > 0) {
      terminal.parse();
    }
    assert.equal(terminal.text, LINE.repeat(1_000));
    assert.equal(terminal.written.length, 1_000);
  });

  it('keeps to the common pace inside something that offers no place for a question', () => {
    const terminal = proven(clock);
    terminal.write('\u001bPq');
    flood(terminal, 3_000);
    clock.advance(10 * TICK_MS - FLOOD_MS);
    assert.equal(terminal.questions, 0);
    const given = terminal.given.length;
    assert.ok(given < 13 * CHARACTERS_PER_TICK, String(given));
    clock.advance(60_000);
    assert.equal(terminal.text, `\u001bPq${LINE.repeat(3_000)}`);
    assert.equal(terminal.written.length, 3_001);
    terminal.write('\u001b\\');
    flood(terminal, 100);
    assert.notEqual(terminal.questions, 0);
  });

  it('says that the text after the last question is written when that is answered', () => {
    const terminal = proven(clock);
    flood(terminal, PROBE_CHARACTERS / LINE.length + 8);
    terminal.write('the end');
    assert.equal(terminal.questions, 1);
    assert.notEqual(terminal.written.at(-1), 'the');
    terminal.parse();
    assert.equal(terminal.written.at(-1), 'the');
  });

  it('writes in order what is written while it writes, or while it is answered', () => {
    const terminal = proven(clock);
    const numbers: number[] = [];
    const next = (number: number): void => {
      if (number < 300) {
        terminal.link.write({
          size: LINE.length,
          render: () => ({ text: `${number};${LINE}`, safePlace: LINE.length }),
          written: () => {
            numbers.push(number);
            next(number + 1);
          },
        });
      }
    };
    next(0);
    while (terminal.unparsed > 0) {
      terminal.parse(5_000);
    }
    const expected = Array.from({ length: 300 }, (_, number) => number);
    assert.deepEqual(numbers, expected);
    assert.equal(terminal.text, expected.map((number) => `${number};${LINE}`).join(''));
  });

  it('does not let a terminal wait for another', () => {
    const pacer = new Pacer(clock);
    const [one, two] = [proven(clock, pacer), proven(clock, pacer)];
    flood(one, 1_000);
    two.write('words');
    assert.equal(two.given, 'words');
  });

  it('drops what waits when its terminal is gone, and takes no notice of late answers', () => {
    for (const answering of [true, false]) {
      const terminal = answering ? proven(clock) : new SlowTerminal(clock);
      flood(terminal, 1_000);
      const { length } = terminal.given;
      const written = terminal.written.length;
      terminal.link.dispose();
      terminal.parse();
      terminal.write('late');
      clock.advance(60_000);
      assert.equal(terminal.given.length, length);
      assert.equal(terminal.written.length, written);
      assert.equal(clock.pendingTimers, 0);
    }
  });

  it('can be left while it writes', () => {
    const terminal = proven(clock);
    terminal.link.write({ size: 1, render: () => ({ text: 'a' }), written: () => terminal.link.dispose() });
    terminal.write('b');
    assert.equal(terminal.given, 'a');
  });

  it('passes on what is typed meanwhile, and nothing else', () => {
    const terminal = proven(clock);
    flood(terminal, 1_000);
    terminal.link.receive('\u0003');
    assert.equal(terminal.input, '\u0003');
    terminal.parse();
    terminal.link.receive('ls\r');
    assert.equal(terminal.input, '\u0003ls\r');
  });

  it('loses and swaps nothing, whatever comes when @property', () => {
    const piece = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.integer({ min: 1, max: 40 }).map((lines) => LINE.repeat(lines).slice(0, 30_000)),
      },
      { weight: 2, arbitrary: fc.constantFrom('', 'a', '世界', '\u001b[1m', 'e\u0301') },
      {
        weight: 1,
        arbitrary: fc.constantFrom('\u001bPq', '\u001b\\', '\u001b]0;', '\u0007', '世'.repeat(20_000)),
      },
    );
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.array(piece, { maxLength: 100 }).map((pieces) => ({ pieces })) },
      { weight: 3, arbitrary: fc.integer({ min: 0, max: 200_000 }).map((parse) => ({ parse })) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 100 }).map((advance) => ({ advance })) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const own = new FakeClock();
        const terminal = new SlowTerminal(own);
        const expected: string[] = [];
        for (const action of steps) {
          if ('pieces' in action) {
            for (const text of action.pieces) {
              terminal.write(text, String(expected.length));
              expected.push(text);
            }
          } else if ('parse' in action) {
            terminal.parse(action.parse);
          } else {
            own.advance(action.advance);
          }
          const names = terminal.written.map(Number);
          assert.deepEqual(names, [...names.keys()], 'in order, and each one once');
        }
        const progress = (): number => terminal.text.length + terminal.written.length;
        while (terminal.written.length < expected.length) {
          const before = progress();
          terminal.parse();
          own.advance(1_000);
          assert.ok(progress() > before, 'it goes on');
        }
        const names = terminal.written.map(Number);
        assert.deepEqual(names, [...expected.keys()], 'in order, and each one once');
        assert.equal(terminal.text, expected.join(''));
        assert.equal(terminal.input, '');
      }),
    );
  });

  it('shows in a real emulator what it shows without questions, and never has more on its way', async () => {
    const bytes = Buffer.concat(Array.from({ length: 24 }, () => [...RECORDINGS.values()]).flat());
    const plain = new Emulator();
    const asked = new Emulator((answer) => link.receive(answer));
    let [onItsWay, most, questions] = [0, 0, 0];
    let typed = '';
    const link = new EmulatorLink({
      pacer: new Pacer(clock),
      clock,
      emit: (text) => {
        questions += questionsIn(text);
        onItsWay += text.length;
        most = Math.max(most, onItsWay);
        void asked.write(text).then(() => (onItsWay -= text.length));
      },
      forward: (input) => (typed += input),
    });
    const [toPlain, toAsked] = [terminalText(true, usualSize), terminalText(true, usualSize)];
    let written = 0;
    for (let start = 0; start < bytes.byteLength; start += 4096) {
      const piece = bytes.subarray(start, start + 4096);
      await plain.write(toPlain.write('pty', piece, true).text);
      link.write({
        size: piece.byteLength,
        render: () => toAsked.write('pty', piece, true),
        written: () => (written += piece.byteLength),
      });
    }
    while (written < bytes.byteLength) {
      clock.advance(TICK_MS);
      await asked.write('');
    }
    await asked.write('');
    assert.ok(asked.screen() === plain.screen());
    assert.equal(typed, plain.said);
    assert.ok(questions > 10, String(questions));
    assert.ok(most <= MOST, String(most));
  });
});
