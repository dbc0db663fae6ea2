import { EscapeScanner } from './escapeScanner.js';
import { privateModes } from './terminalModes.js';

/** DECCKM: in this private mode the cursor keys send `ESC O A` and so on, in place of `ESC [ A`. */
const APPLICATION_CURSOR_KEYS = 1;

/**
 * Knows from a terminal's output whether its cursor keys are in application mode, which a program switches on for itself
 * (`ESC [ ? 1 h`). Both kinds of reset end it.
 */
export class CursorKeyMode {
  readonly #scanner = new EscapeScanner();
  #decoder = new TextDecoder();
  #application = false;

  get application(): boolean {
    return this.#application;
  }

  write(bytes: Uint8Array): void {
    for (const token of this.#scanner.scan(this.#decoder.decode(bytes, { stream: true }))) {
      if (token.type === 'escape' && token.body === 'c') {
        this.#application = false;
      } else if (token.type === 'control') {
        if (privateModes(token).includes(APPLICATION_CURSOR_KEYS)) {
          this.#application = token.final === 'h';
        } else if (token.raw.endsWith('[!p')) {
          this.#application = false;
        }
      }
    }
  }

  /** Some output is missing here: the mode stays what it was, as far as is known. */
  skip(): void {
    this.#scanner.reset();
    this.#decoder = new TextDecoder();
  }
}
