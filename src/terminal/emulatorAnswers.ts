/**
 * The answer to the question where the cursor is: `CSI row ; column R`. With row 1 it is also F3 with Shift, Ctrl or
 * Alt.
 */
const CURSOR_REPORT = /^\u001b\[\d+;\d+R$/;

/**
 * Everything that an emulator answers, or sends by itself if the program wants reports. Keys send only one of these,
 * {@link CURSOR_REPORT}. The texts in them have no control characters, so a paste with a line end never matches.
 */
const ANSWERS = new RegExp(
  [
    '\\u001b\\[[?>=][\\d;:]*c', // DA1, DA2, DA3
    '\\u001b\\[[03]n', // DSR
    '\\u001b\\[\\?[\\d;]*n', // DECDSR, colour scheme
    '\\u001b\\[\\??\\d+(?:;\\d+)+R', // CPR, DECXCPR
    '\\u001b\\[\\??[\\d;]*\\$y', // DECRQM
    '\\u001b\\[\\d+(?:;\\d+)*t', // sizes and states of the window
    '\\u001b\\[[IO]', // focus
    '\\u001b\\[\\?\\d+u', // kitty keyboard flags
    '\\u001b\\[\\?[\\d;]*S', // XTSMGRAPHICS
    '\\u001b\\[>[\\d;]*[mf]', // XTQMODKEYS, XTQFMTKEYS
    '\\u001b\\[[\\d;]*x', // DECREQTPARM
    '\\u001b\\]\\d+;[^\\p{Cc}]*(?:\\u0007|\\u001b\\\\)', // colours and the like
    '\\u001b[P_][^\\p{Cc}]*\\u001b\\\\', // DECRQSS, XTVERSION, XTGETTCAP, graphics
  ].join('|'),
  'gu',
);

/**
 * Reports of the mouse, `CSI < button ; column ; row M`. Programs may ask for them, and a person who moves a mouse is
 * not typing.
 */
const MOUSE = /\u001b\[<(\d+);\d+;\d+[Mm]/g;
/** The bit of the button for a movement of the mouse. */
const MOVED = 32;

const PASTE = '\u001b[200~';

/** Tells the answers of a terminal's emulator from a person's typing, since both arrive in the same way. */
export class EmulatorAnswers {
  readonly #cursorQueries: () => number;
  #cursorReports = 0;

  /** @param cursorQueries Returns how often the program has asked this emulator where the cursor is. */
  constructor(cursorQueries: () => number) {
    this.#cursorQueries = cursorQueries;
  }

  /**
   * Splits the input into the answers, and whether it contains anything else except movements of a mouse. It must get
   * all of the input.
   */
  split(input: string): { readonly answers: string; readonly typed: boolean } {
    if (input.includes(PASTE)) {
      return { answers: '', typed: true };
    }
    let answers = '';
    const still = input.replace(MOUSE, (match, button) => ((Number(button) & MOVED) === 0 ? match : ''));
    const rest = still.replace(ANSWERS, (match) => {
      if (CURSOR_REPORT.test(match)) {
        if (this.#cursorReports >= this.#cursorQueries()) {
          return match;
        }
        this.#cursorReports += 1;
      }
      answers += match;
      return '';
    });
    return { answers, typed: rest !== '' };
  }
}
