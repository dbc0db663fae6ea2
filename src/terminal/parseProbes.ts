import type { Clock, Disposable } from '../core/index.js';

/**
 * Numbers of private modes that no program uses. A program can ask for any mode, and is to get its answer: so the first
 * number is a random one, and those that are not waited for are none of ours.
 */
const LOWEST = 1_000_000_000;
/** Below the highest number that the emulator knows, which it takes for every higher one as well. */
const HIGHEST = 0x7fff_fffe;

/** How the emulator answers; 0 is "never heard of it". */
const ANSWER = /\u001b\[\?(\d+);[0-4]\$y/g;
/** What could be the beginning of an answer, at the end of what has come. */
const BEGINNING = /\u001b(?:\[(?:\?(?:(\d+)(;(?:[0-4]\$?)?)?)?)?)?$/;

/**
 * How long what may be the beginning of an answer is held back, in milliseconds. The Escape key begins like that; nobody
 * notices this, and the rest of an answer that is cut in two comes in the same breath.
 */
export const HOLD_MS = 20;

/**
 * Questions to a terminal's emulator that it answers when it has parsed what it was given before them (DECRQM), and the
 * answers, which come with what is typed.
 */
export class ParseProbes implements Disposable {
  readonly #clock: Clock;
  readonly #answered: (count: number) => void;
  readonly #forward: (input: string) => void;
  /** The numbers that are waited for, oldest first. */
  #asked: number[] = [];
  #next: number;
  #held = '';
  #timer: Disposable | undefined;

  constructor(options: {
    clock: Clock;
    /** So many of the oldest questions have been answered. */
    answered: (count: number) => void;
    /** Gets the input, without the answers. */
    forward: (input: string) => void;
  }) {
    this.#clock = options.clock;
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
      // It answers in order: what was asked before this one has been parsed as well.
      const count = this.#asked.indexOf(Number(digits)) + 1;
      this.#asked.splice(0, count);
      answered += count;
      return count > 0 ? '' : answer;
    });
    const held = this.#beginning(rest);
    if (held !== '') {
      this.#held = held;
      this.#timer = this.#clock.after(HOLD_MS, () => {
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
    this.#timer?.dispose();
    this.#timer = undefined;
  }
}
