import type { ControlSequence } from './escapeScanner.js';
import { SPEAKING_MODES } from './terminalQueries.js';

const ALTERNATE_SCREEN: ReadonlySet<number> = new Set([47, 1047, 1049]);

/** Resets the modes that a soft reset leaves on: mouse reports, bracketed paste, synchronised output. */
const RESET_MODES = '\u001b[?9;1000;1002;1003;1004;1005;1006;1015;1016;2004;2026;2031;2048l';

/** The modes of a sequence that sets or resets private modes; empty for any other sequence. */
export function privateModes({ prefix, params, intermediates, final }: ControlSequence): readonly number[] {
  const matches = prefix === '?' && intermediates === '' && (final === 'h' || final === 'l');
  return matches ? params.split(';').map((param) => Number.parseInt(param, 10)) : [];
}

/**
 * Knows the modes that a program has switched on and that must be switched off when it ends, if later output depends on
 * them.
 */
export class TerminalModes {
  readonly #speaking = new Set<number>();
  #alternate = false;

  /** The modes that are on and in which the emulator speaks without being asked. */
  get speaking(): ReadonlySet<number> {
    return this.#speaking;
  }

  /** Whether the program draws on the alternate screen. */
  get alternate(): boolean {
    return this.#alternate;
  }

  /** Takes note of a control sequence. */
  sequence(sequence: ControlSequence): void {
    if (sequence.prefix === '' && sequence.intermediates === '!' && sequence.final === 'p') {
      this.#speaking.clear();
      return;
    }
    const on = sequence.final === 'h';
    for (const mode of privateModes(sequence)) {
      if (ALTERNATE_SCREEN.has(mode)) {
        this.#alternate = on;
      } else if (SPEAKING_MODES.has(mode)) {
        if (on) {
          this.#speaking.add(mode);
        } else {
          this.#speaking.delete(mode);
        }
      }
    }
  }

  /** Takes note of an escape sequence: RIS resets everything. */
  escape(body: string): void {
    if (body === 'c') {
      this.#alternate = false;
      this.#speaking.clear();
    }
  }

  /** Returns what makes an emulator fit for plain lines again after a program has ended. */
  leave(): string {
    // Leaving an alternate screen that is not shown would move the cursor.
    const screen = this.#alternate ? '\u001b[?1049l' : '';
    this.#alternate = false;
    this.#speaking.clear();
    return `${screen}\u001b[!p${RESET_MODES}\u001b[0m`;
  }
}
