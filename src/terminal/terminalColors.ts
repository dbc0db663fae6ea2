const ESC = '\u001b';
const BEL = '\u0007';
const COLOR = /^(?:#[0-9a-f]{3,12}|rgba?:[0-9a-f/]{3,20}|[a-z ]{1,30})$/i;
/** The colours of the text, the background, the cursor and the like, by their OSC numbers. */
const FIRST_COLOR = 10;
const LAST_COLOR = 19;
const PALETTE = 4;
const RESET_BY = 100;

/** Follows the colours of its palette, its text, its background and the like that a program gives to its terminal. */
export class TerminalColors {
  /** By their OSC number, with the index for the palette. */
  readonly #colors = new Map<string, string>();
  /** The numbers of the strings that bring back each colour that was ever set. */
  readonly #resets = new Set<string>();

  /** Takes note of an OSC string that sets or resets colours, by its number and its payload. */
  take(number: number, payload: string): void {
    if (number === PALETTE) {
      const parts = payload.split(';');
      for (let at = 0; at + 1 < parts.length; at += 2) {
        const [index = '', color = ''] = parts.slice(at, at + 2);
        if (/^\d{1,3}$/.test(index)) {
          this.#setColor(`${PALETTE};${index}`, color, `${RESET_BY + PALETTE};${index}`);
        }
      }
    } else if (number >= FIRST_COLOR && number <= LAST_COLOR) {
      payload.split(';').forEach((color, offset) => {
        if (number + offset <= LAST_COLOR) {
          this.#setColor(String(number + offset), color, String(RESET_BY + number + offset));
        }
      });
    } else if (number === RESET_BY + PALETTE) {
      const wanted = payload === '' ? undefined : payload.split(';').map((index) => `${PALETTE};${index}`);
      [...this.#colors.keys()]
        .filter((key) => key.includes(';') && (wanted === undefined || wanted.includes(key)))
        .forEach((key) => this.#colors.delete(key));
    } else {
      this.#colors.delete(String(number - RESET_BY));
    }
  }

  /** Returns what gives these colours to a fresh terminal. */
  set(): string {
    return [...this.#colors].map(([key, color]) => `${ESC}]${key};${color}${BEL}`).join('');
  }

  /** Returns what brings back the colours of a fresh terminal. */
  back(): string {
    return [...this.#resets].map((reset) => `${ESC}]${reset}${BEL}`).join('');
  }

  clear(): void {
    this.#colors.clear();
    this.#resets.clear();
  }

  #setColor(key: string, color: string, reset: string): void {
    if (COLOR.test(color)) {
      this.#colors.set(key, color);
      this.#resets.add(reset);
    }
  }
}
