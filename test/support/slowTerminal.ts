import assert from 'node:assert/strict';

import {
  EmulatorLink,
  PIECE_CHARACTERS,
  PROBE_CHARACTERS,
  REST_MS,
  WINDOW_CHARACTERS,
} from '../../src/terminal/emulatorLink.js';
import { Pacer } from '../../src/terminal/pacedWriter.js';
import { TerminalFilter } from '../../src/terminal/terminalFilter.js';
import type { FakeClock } from './fakeClock.js';
import { usualSize } from './usualSize.js';

const QUESTION = /\u001b\[\?(\d{10})\$p/g;
const QUESTION_CHARACTERS = '\u001b[?1234567890$p'.length;
export const questionsIn = (text: string) => [...text.matchAll(QUESTION)].length;

/** A terminal that parses its text only on request. */
export class SlowTerminal {
  readonly link: EmulatorLink;
  readonly written: string[] = [];
  /** All text that it got. */
  given = '';
  /** The number of pieces in which it got the text. */
  pieces = 0;
  input = '';
  readonly #clock: FakeClock;
  readonly #filter = new TerminalFilter(usualSize);
  #parsed = 0;

  constructor(clock: FakeClock, pacer = new Pacer(clock)) {
    this.#clock = clock;
    this.link = new EmulatorLink({
      pacer,
      clock,
      emit: (text) => {
        assert.notEqual(text, '');
        this.given += text;
        this.pieces += 1;
      },
      forward: (input) => (this.input += input),
    });
  }

  get text(): string {
    return this.given.replaceAll(QUESTION, '');
  }

  get questions(): number {
    return questionsIn(this.given);
  }

  get unparsed(): number {
    return this.given.slice(this.#parsed).replaceAll(QUESTION, '').length;
  }

  /** Parses some more, and answers the questions in that. */
  parse(characters = Infinity): void {
    const before = this.#parsed;
    this.#parsed = Math.min(before + characters, this.given.length);
    // This includes a question that was parsed in part last time: it is answered once its last character is parsed.
    const part = this.given.slice(Math.max(0, before - (QUESTION_CHARACTERS - 1)), this.#parsed);
    for (const [, number] of part.matchAll(QUESTION)) {
      this.link.receive(`\u001b[?${number};0$y`);
    }
    this.rest();
  }

  /** Lets enough time pass for another large piece. */
  rest(): void {
    this.#clock.advance(REST_MS);
  }

  write(text: string, name = text.slice(0, 3)): void {
    this.link.write({
      size: text.length,
      render: () => ({ text: this.#filter.write(text, true), safePlace: this.#filter.safePlace }),
      written: () => this.written.push(name),
    });
  }
}

export const LINE = `${'x'.repeat(1022)}\r\n`;
/** The time in which a flood fills the window, in milliseconds. */
export const FLOOD_MS = (WINDOW_CHARACTERS / PIECE_CHARACTERS) * REST_MS;

export function flood(terminal: SlowTerminal, lines: number): void {
  for (let index = 0; index < lines; index++) {
    terminal.write(LINE, String(index));
  }
  for (let ms = 0; ms < FLOOD_MS; ms += REST_MS) {
    terminal.rest();
  }
}

/** A terminal that has answered once, so that further output waits for its acknowledgement. */
export function proven(clock: FakeClock, pacer?: Pacer): SlowTerminal {
  const terminal = new SlowTerminal(clock, pacer);
  flood(terminal, PROBE_CHARACTERS / LINE.length);
  terminal.parse();
  assert.equal(terminal.questions, 1);
  assert.equal(terminal.unparsed, 0);
  terminal.written.length = 0;
  terminal.given = '';
  terminal.parse();
  return terminal;
}
