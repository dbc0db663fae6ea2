/** The effect of an escape sequence on text. */
type Effect =
  /** No effect: colours, titles, queries, modes of the keyboard and the mouse. */
  | 'none'
  /** The effect stays within the line. */
  | 'line'
  /** The sequence moves between lines, or changes how everything after it is shown. */
  | 'screen'
  /** The sequence wipes the screen. */
  | 'clear'
  | 'alternateOn'
  | 'alternateOff'
  /** A line editor begins to read a line; its prompt follows. No effect on an emulator. */
  | 'editorOn'
  | 'editorOff';

/** A complete escape sequence, of a size that does no harm. */
export interface Sequence {
  /** The text to hand to an emulator. */
  readonly raw: string;
  readonly effect: Effect;
  /** Whether it erases the text to the right of the cursor, in its line alone or below it as well. */
  readonly erasesRight: boolean;
}

/** Brings a terminal back to its initial state. */
export const RESET = '\u001bc';

/** The highest parameter that is handed on: no screen is larger. */
const MAX_PARAMETER = 500;
/**
 * The highest parameter for scrolling, and for inserting and deleting lines. The emulator does these one by one, 1.25
 * µs each. It hangs for most of an hour on `CSI 2147483647 S`.
 */
const MAX_SCROLL = 60;
const SCROLL_FINALS = 'STLM';

const CONTROL = /^([<=>?]?)([0-9:;]*)([ -/]*)$/;
const LINE_FINALS = 'G`CDaKXP@bIZ';
const SCREEN_FINALS = 'ABEFHfdeLMSTJrsu';
const ALTERNATE_MODES = ['47', '1047', '1049'];
/** Bracketed paste: the line editors of bash, zsh, fish and others have it on while they read a line. */
const EDITOR_MODE = '2004';
/** Private modes that change where text goes: 132 columns, origin, wrap, saved cursor, margins. */
const SCREEN_MODES = ['3', '6', '7', '1048', '69'];

const NOTHING: Sequence = { raw: '', effect: 'none', erasesRight: false };

/** Reads a control sequence. `body` is the part between `CSI` and the final character. */
export function controlSequence(body: string, final: string): Sequence {
  const match = CONTROL.exec(body);
  if (match === null) {
    return NOTHING;
  }
  const [, prefix = '', rawParams = '', intermediates = ''] = match;
  const setsMode = final === 'h' || final === 'l';
  const params = setsMode
    ? rawParams
    : clampParameters(rawParams, SCROLL_FINALS.includes(final) ? MAX_SCROLL : MAX_PARAMETER);
  const effect = controlEffect(prefix, params, intermediates, final);
  if (effect === 'none') {
    return NOTHING;
  }
  const plain = prefix === '' && intermediates === '';
  return {
    raw: `\u001b[${prefix}${params}${intermediates}${final}`,
    effect,
    erasesRight: plain && (final === 'K' || final === 'J') && (params === '' || params === '0'),
  };
}

/** Reads an escape sequence without parameters. `body` is the part after the ESC. */
export function escapeSequence(body: string): Sequence {
  const effect = escapeEffect(body);
  return effect === 'none' ? NOTHING : { raw: `\u001b${body}`, effect, erasesRight: false };
}

function escapeEffect(body: string): Effect {
  if (body === 'c') {
    return 'clear';
  }
  // Save, restore, index, next line, reverse index, alignment; designations of character sets.
  return /^([78DEM]|#8|[()*+].)$/.test(body) ? 'screen' : 'none';
}

function controlEffect(prefix: string, params: string, intermediates: string, final: string): Effect {
  if (final === 'h' || final === 'l') {
    return modeEffect(prefix, params.split(';'), final === 'h');
  }
  if (final === 'p' && intermediates === '!') {
    return 'screen';
  }
  if (intermediates !== '' || (prefix !== '' && !(prefix === '?' && (final === 'K' || final === 'J')))) {
    return 'none';
  }
  if (final === 'J' && /^0*[23]$/.test(params)) {
    // Erasing lines that have scrolled off takes back none of the output.
    return params.endsWith('2') ? 'clear' : 'none';
  }
  return LINE_FINALS.includes(final) ? 'line' : SCREEN_FINALS.includes(final) ? 'screen' : 'none';
}

function modeEffect(prefix: string, modes: readonly string[], on: boolean): Effect {
  if (prefix === '') {
    return modes.some((mode) => mode === '4' || mode === '20') ? 'screen' : 'none';
  }
  if (prefix !== '?') {
    return 'none';
  }
  if (modes.some((mode) => ALTERNATE_MODES.includes(mode))) {
    return on ? 'alternateOn' : 'alternateOff';
  }
  if (modes.some((mode) => SCREEN_MODES.includes(mode))) {
    return 'screen';
  }
  return modes.includes(EDITOR_MODE) ? (on ? 'editorOn' : 'editorOff') : 'none';
}

function clampParameters(params: string, highest: number): string {
  return params.replace(/\d{2,}/g, (digits) => `${Math.min(Number(digits), highest)}`);
}
