import assert from 'node:assert/strict';

import {
  EmulatorLink,
  PIECE_CHARACTERS,
  PROBE_CHARACTERS,
  REST_MS,
  WINDOW_CHARACTERS,
} from '../../src/terminal/emulatorLink.js';
import { Pacer } from '../../src/terminal/pacedWriter.js';
import type { FakeClock } from './fakeClock.js';

const QUESTION = /\u001b\[\?(\d{10})\$p/g;
const QUESTION_CHARACTERS = '\u001b[?1234567890$p'.length;
export const questionsIn = (text: string) => [...text.matchAll(QUESTION)].length;

/** A terminal that parses what it was given when it is told to. */
export class SlowTerminal {
  readonly link: EmulatorLink;
  readonly written: string[] = [];
  /** All that it was given, and how much of it was parsed. */
  given = '';
  /** In how many pieces. */
  pieces = 0;
  input = '';
  readonly #clock: FakeClock;
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

  /** Parses some more, and answers what is asked in it. */
  parse(characters = Infinity): void {
    const before = this.#parsed;
    this.#parsed = Math.min(before + characters, this.given.length);
    // Also one of which a part was parsed last time: it is answered once its last character is.
    const part = this.given.slice(Math.max(0, before - (QUESTION_CHARACTERS - 1)), this.#parsed);
    for (const [, number] of part.matchAll(QUESTION)) {
      this.link.receive(`\u001b[?${number};0$y`);
    }
    this.rest();
  }

  /** Lets so much time go by that another large piece may come. */
  rest(): void {
    this.#clock.advance(REST_MS);
  }

  write(text: string, name = text.slice(0, 3)): void {
    this.link.write({ size: text.length, render: () => text, written: () => this.written.push(name) });
  }
}

export const LINE = `${'x'.repeat(1022)}\r\n`;
/** How long a flood takes until so much is on its way as may be, in milliseconds. */
export const FLOOD_MS = (WINDOW_CHARACTERS / PIECE_CHARACTERS) * REST_MS;

export function flood(terminal: SlowTerminal, lines: number): void {
  for (let index = 0; index < lines; index++) {
    terminal.write(LINE, String(index));
  }
  for (let ms = 0; ms < FLOOD_MS; ms += REST_MS) {
    terminal.rest();
  }
}

/** It has answered once: what follows is acknowledged. */
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
