import { Alarm, type Clock, type Disposable } from '../core/index.js';

/**
 * Numbers of private modes that no program uses. A program can ask for any mode and must get its answer, so the first
 * number is random, and answers with numbers that are not waited for are not ours.
 */
const LOWEST = 1_000_000_000;
/** One below the highest number that the emulator knows, which it also takes for every higher number. */
const HIGHEST = 0x7fff_fffe;

/** An answer of the emulator; 0 means "unknown mode". */
const ANSWER = /\u001b\[\?(\d+);[0-4]\$y/g;
/** A possible beginning of an answer, at the end of the input. */
const BEGINNING = /\u001b(?:\[(?:\?(?:(\d+)(;(?:[0-4]\$?)?)?)?)?)?$/;

/**
 * The time for which a possible beginning of an answer is held back, in milliseconds. The Escape key begins like that.
 * Nobody notices this delay, and the rest of an answer that is cut in two follows immediately.
 */
export const HOLD_MS = 20;

/**
 * Asks a terminal's emulator questions (DECRQM), which it answers once it has parsed the text before them, and finds
 * the answers, which come with the typed input.
 */
export class ParseProbes implements Disposable {
  readonly #holdEnd: Alarm;
  readonly #answered: (count: number) => void;
  readonly #forward: (input: string) => void;
  /** The numbers whose answers are waited for, oldest first. */
  #asked: number[] = [];
  #next: number;
  #held = '';

  constructor(options: {
    clock: Clock;
    /** Called with the number of questions that have been answered, which are the oldest ones. */
    answered: (count: number) => void;
    /** Called with the input, without the answers. */
    forward: (input: string) => void;
  }) {
    this.#holdEnd = new Alarm(options.clock);
    this.#answered = options.answered;
    this.#forward = options.forward;
    this.#next = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
  }

  /** The next question, to be given to the emulator. */
  ask(): string {
    const number = this.#next;
    this.#next = number < HIGHEST ? number + 1 : LOWEST;
    this.#asked.push(number);
    return `\u001b[?${number}$p`;
  }

  /** Takes what the terminal sends. */
  take(input: string): void {
    const text = this.#held + input;
    this.#release();
    let answered = 0;
    const rest = text.replace(ANSWER, (answer: string, digits: string) => {
      // The emulator answers in order: text before earlier questions has been parsed as well.
      const count = this.#asked.indexOf(Number(digits)) + 1;
      this.#asked.splice(0, count);
      answered += count;
      return count > 0 ? '' : answer;
    });
    const held = this.#beginning(rest);
    if (held !== '') {
      this.#held = held;
      this.#holdEnd.set(HOLD_MS, () => {
        this.#release();
        this.#forward(held);
      });
    }
    if (rest !== held) {
      this.#forward(rest.slice(0, rest.length - held.length));
    }
    if (answered > 0) {
      this.#answered(answered);
    }
  }

  dispose(): void {
    this.#release();
    this.#asked = [];
  }

  #beginning(text: string): string {
    const [match = '', digits = '', complete] = BEGINNING.exec(text) ?? [];
    const expected = this.#asked.some((number) =>
      complete === undefined ? String(number).startsWith(digits) : String(number) === digits,
    );
    return expected ? match : '';
  }

  #release(): void {
    this.#held = '';
    this.#holdEnd.dispose();
  }
}
