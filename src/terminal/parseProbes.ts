import { Alarm, type Clock, type Disposable } from '../core/index.js';

/**
 * Numbers of private modes that no program uses. A program can ask for any mode and must get its answer. The first
 * number is therefore random, and only answers with expected numbers are ours.
 */
const LOWEST = 1_000_000_000;
/** One below the highest number that the emulator knows. The emulator also uses the highest for every higher number. */
const HIGHEST = 0x7fff_fffe;

/** An answer of the emulator; 0 means "unknown mode". */
const ANSWER = /\u001b\[\?(\d+);[0-4]\$y/g;
/** A possible beginning of an answer, at the end of the input. */
const BEGINNING = /\u001b(?:\[(?:\?(?:(\d+)(;(?:[0-4]\$?)?)?)?)?)?$/;

/**
 * The time for which a possible beginning of an answer is held back, in milliseconds. The Escape key begins in the same
 * way. This delay is too short to be noticed, and the rest of a divided answer follows immediately.
 */
export const HOLD_MS = 20;

/**
 * Asks a terminal's emulator questions (DECRQM) and finds the answers, which come with the typed input. The emulator
 * answers once it has parsed the text before the question.
 */
export class ParseProbes implements Disposable {
  readonly #holdEnd: Alarm;
  readonly #answered: (count: number) => void;
  readonly #forward: (input: string) => void;
  /** The numbers of the questions that wait for an answer, oldest first. */
  #asked: number[] = [];
  #next: number;
  #held = '';

  constructor(options: {
    clock: Clock;
    /** Called with the number of questions that have been answered; these are the oldest ones. */
    answered: (count: number) => void;
    /** Called with the input, without the answers. */
    forward: (input: string) => void;
  }) {
    this.#holdEnd = new Alarm(options.clock);
    this.#answered = options.answered;
    this.#forward = options.forward;
    this.#next = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
  }

  /** The next question for the emulator. */
  ask(): string {
    const number = this.#next;
    this.#next = number < HIGHEST ? number + 1 : LOWEST;
    this.#asked.push(number);
    return `\u001b[?${number}$p`;
  }

  /** Takes the input that the terminal sends. */
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
