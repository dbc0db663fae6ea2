/** DECCKM: in this private mode the cursor keys send `ESC O A` and so on, in place of `ESC [ A`. */
const APPLICATION_CURSOR_KEYS = '1';

/** RIS and DECSTR, which reset the terminal, and the sequences that set or reset private modes. */
const SEQUENCES = /\u001b(?:c|\[!p|\[\?([0-9;]{0,64})([hl]))/g;
/** The beginning of one of these at the end of a piece. */
const BEGUN = /\u001b(?:\[(?:!|\?[0-9;]{0,64})?)?$/;
/** The longest begun sequence, in characters. */
const MOST_BEGUN = 68;

/**
 * Reads from a terminal's output whether its cursor keys are in application mode, which a program switches on for
 * itself (`ESC [ ? 1 h`). Both kinds of reset end it. Only these sequences are searched for, since all output goes
 * through here, even from programs that colour every word.
 */
export class CursorKeyMode {
  #decoder = new TextDecoder();
  /** The beginning of a sequence whose rest has not come yet. */
  #begun = '';
  #application = false;

  get application(): boolean {
    return this.#application;
  }

  write(bytes: Uint8Array): void {
    const text = this.#begun + this.#decoder.decode(bytes, { stream: true });
    for (const [, modes, final] of text.matchAll(SEQUENCES)) {
      if (modes === undefined) {
        this.#application = false;
      } else if (modes.split(';').includes(APPLICATION_CURSOR_KEYS)) {
        this.#application = final === 'h';
      }
    }
    this.#begun = BEGUN.exec(text.slice(-MOST_BEGUN))?.[0] ?? '';
  }

  /** Some output is missing here: the mode stays as it was last known. */
  skip(): void {
    this.#begun = '';
    this.#decoder = new TextDecoder();
  }
}
