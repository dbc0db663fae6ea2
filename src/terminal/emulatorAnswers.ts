/** `CSI row ; column R` answers where the cursor is; with row 1 it is also F3 with Shift, Ctrl or Alt. */
const CURSOR_REPORT = /^\u001b\[\d+;\d+R$/;

/**
 * What an emulator answers, or says by itself where the program wants to be told. No key sends any of these, except for
 * {@link CURSOR_REPORT}. Texts are without controls: nobody pastes a line with its end in one of them.
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

/** `CSI < button ; column ; row M`: programs may ask for it, and nobody who moves a mouse means to type. */
const MOUSE = /\u001b\[<(\d+);\d+;\d+[Mm]/g;
/** In its button: the mouse was moved. */
const MOVED = 32;

const PASTE = '\u001b[200~';

/** Tells what a terminal's emulator answers its program from what a person types there: both come the same way. */
export class EmulatorAnswers {
  readonly #cursorQueries: () => number;
  #cursorReports = 0;

  /** @param cursorQueries How often the program has asked this emulator where the cursor is. */
  constructor(cursorQueries: () => number) {
    this.#cursorQueries = cursorQueries;
  }

  /**
   * The answers in what has come, and whether there is anything else in it but the way of a mouse. Wants to see all that
   * comes.
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
