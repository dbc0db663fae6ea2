import type { ControlSequence } from './escapeScanner.js';

/** The most titles that are saved, as in xterm. */
const MAX_STACK = 10;

/** The window title that a program sets (OSC 0 and 2), saves and restores (`CSI 22 t`, `CSI 23 t`). */
export class ProgramTitle {
  readonly #stack: string[] = [];
  #value = '';

  /** The current title; empty while the program has not set one. */
  get value(): string {
    return this.#value;
  }

  set(title: string): void {
    this.#value = title;
  }

  sequence({ prefix, params, intermediates, final }: ControlSequence): void {
    if (final !== 't' || prefix !== '' || intermediates !== '') {
      return;
    }
    const [operation, what = 0] = params.split(';').map(Number);
    if (what !== 0 && what !== 2) {
      return;
    }
    if (operation === 22) {
      this.#stack.push(this.#value);
      this.#stack.splice(0, this.#stack.length - MAX_STACK);
    } else if (operation === 23) {
      this.#value = this.#stack.pop() ?? this.#value;
    }
  }
}
