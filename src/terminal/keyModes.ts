/** DECCKM: in this private mode the cursor keys send `ESC O A` and so on, in place of `ESC [ A`. */
const APPLICATION_CURSOR_KEYS = '1';
/** In this private mode the program tells pasted text, which stands between two sequences, from keys. */
const BRACKETED_PASTE = '2004';

/** RIS and DECSTR, which reset the terminal, and the sequences that set or reset private modes. */
const SEQUENCES = /\u001b(?:c|\[!p|\[\?([0-9;]{0,64})([hl]))/g;
/** The beginning of one of these at the end of a piece. */
const BEGUN = /\u001b(?:\[(?:!|\?[0-9;]{0,64})?)?$/;
/** The longest begun sequence, in characters. */
const MOST_BEGUN = 68;

/**
 * Reads from a terminal's output the modes that decide what keys and pasted text send. A program switches them on for
 * itself (`ESC [ ? 1 h`), and both kinds of reset end them. Only these sequences are searched for, since all output
 * goes through here, even from programs that colour every word.
 */
export class KeyModes {
  #decoder = new TextDecoder();
  /** The beginning of a sequence whose rest has not come yet. */
  #begun = '';
  readonly #on = new Set<string>();

  get applicationCursorKeys(): boolean {
    return this.#on.has(APPLICATION_CURSOR_KEYS);
  }

  get bracketedPaste(): boolean {
    return this.#on.has(BRACKETED_PASTE);
  }

  write(bytes: Uint8Array): void {
    const text = this.#begun + this.#decoder.decode(bytes, { stream: true });
    for (const [, modes, final] of text.matchAll(SEQUENCES)) {
      if (modes === undefined) {
        this.#on.clear();
        continue;
      }
      for (const mode of modes.split(';')) {
        if (final === 'l') {
          this.#on.delete(mode);
        } else if (mode === APPLICATION_CURSOR_KEYS || mode === BRACKETED_PASTE) {
          this.#on.add(mode);
        }
      }
    }
    this.#begun = BEGUN.exec(text.slice(-MOST_BEGUN))?.[0] ?? '';
  }

  /** Some output is missing here: the modes stay as they were last known. */
  skip(): void {
    this.#begun = '';
    this.#decoder = new TextDecoder();
  }
}
