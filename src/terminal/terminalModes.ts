import type { TerminalSize } from '../core/index.js';

import type { ControlSequence } from './escapeScanner.js';
import { SgrState } from './sgrState.js';
import { TerminalColors } from './terminalColors.js';
import { SPEAKING_MODES } from './terminalQueries.js';

const ALTERNATE_SCREEN: ReadonlySet<number> = new Set([47, 1047, 1049]);
/** Modes that save and restore the cursor. */
const SAVING: ReadonlySet<number> = new Set([1048, 1049]);

/** The private modes that a fresh terminal has switched on: autowrap and the visible cursor. */
const ON_AT_FIRST: ReadonlySet<number> = new Set([7, 25]);
/** The other private modes that are followed. Synchronised output, 2026, is switched off at the end only. */
const OFF_AT_FIRST: ReadonlySet<number> = new Set([
  1, 5, 6, 9, 12, 45, 66, 1000, 1002, 1003, 1004, 1005, 1006, 1007, 1015, 1016, 2004, 2026, 2031, 2048,
]);
/** At most one mode of a group is on. */
const GROUPS: readonly ReadonlySet<number>[] = [
  new Set([9, 1000, 1002, 1003]), // mouse reports
  new Set([1005, 1006, 1015, 1016]), // their encoding
];
/** DECCKM: in this mode the cursor keys send `ESC O A` and so on, in place of `ESC [ A`. */
export const APPLICATION_CURSOR_KEYS = 1;
/** In this mode pasted text stands between two sequences. */
export const BRACKETED_PASTE = 2004;
const SYNCHRONISED_OUTPUT = 2026;
const ORIGIN = 6;
/** The modes that a soft reset (DECSTR) brings back to their first values in xterm.js. */
const SOFTLY_RESET: readonly number[] = [1, 6, 7, 25, 45, 66, 1004, 2004];

/** Insert mode, and line feed mode. */
const ANSI_MODES: ReadonlySet<number> = new Set([4, 20]);

/** The most SGR sequences that are remembered one by one. */
const MOST_PEN = 256;
/** The most rows that a screen can have. */
const MOST_ROWS = 10_000;

/** The deepest stack of kitty keyboard flags that is followed. */
const MOST_FLAGS = 8;
const ALL_FLAGS = 31;

const ESC = '\u001b';
const CSI = '\u001b[';

/** The rows of a scroll region, from 1; a `bottom` of 0 is the last row. */
interface Region {
  readonly top: number;
  readonly bottom: number;
}

/** The facts that each of the two screens has for itself. */
interface ScreenModes {
  region: Region | undefined;
  flags: number[];
  savedPen: string;
}

/** The modes of a sequence that sets or resets private modes; empty for any other sequence. */
export function privateModes({ prefix, params, intermediates, final }: ControlSequence): readonly number[] {
  const matches = prefix === '?' && intermediates === '' && (final === 'h' || final === 'l');
  return matches ? params.split(';').map((param) => Number.parseInt(param, 10)) : [];
}

/**
 * Follows the modes that a program gives to its terminal. They can be given to another terminal, and brought back to
 * those of a fresh one. It has the rules of xterm.js.
 */
export class TerminalModes {
  #alternate: number | undefined;
  readonly #main = freshScreen();
  #other = freshScreen();
  /** The private modes that differ from those of a fresh terminal, in their order; those that speak are apart. */
  readonly #changed = new Set<number>();
  readonly #speaking = new Set<number>();
  readonly #ansi = new Set<number>();
  #keypad = false;
  /** The character sets that are not ASCII, by the character that designates the slot. */
  readonly #charsets = new Map<string, string>();
  #shifted = false;
  #cursorStyle = '';
  #modifierKeys = '';
  /** The colours that the program has given to the terminal. */
  readonly colors = new TerminalColors();
  /** The parameters of SGR sequences since the last one that ended all colours and styles. */
  #pen: string[] = [];
  /** Every mode that the program has changed, as the sequences that bring it back. */
  readonly #touched = new Set<string>();
  #tabsTouched = false;

  /** Whether the program draws on the alternate screen. */
  get alternate(): boolean {
    return this.#alternate !== undefined;
  }

  /** The modes that are on and in which the emulator speaks without being asked. */
  get speaking(): ReadonlySet<number> {
    return this.#speaking;
  }

  /** Whether one of the private modes is on that a fresh terminal has switched off. */
  isOn(mode: number): boolean {
    return this.#changed.has(mode);
  }

  /** The colours and styles of the text that follows. */
  get pen(): string {
    const state = new SgrState();
    this.#pen.forEach((params) => state.apply(params));
    return state.restore();
  }

  /** Takes note of a control sequence. */
  sequence(sequence: ControlSequence): void {
    const { prefix, intermediates, final, params } = sequence;
    privateModes(sequence).forEach((mode) => this.#private(mode, final === 'h'));
    switch (prefix + intermediates + final) {
      case 'm':
        this.#color(params);
        break;
      case 'h':
      case 'l':
        params.split(';').forEach((mode) => this.#ansiMode(Number(mode), final === 'h'));
        break;
      case 'r':
        this.#scroll(params);
        break;
      case 's':
        this.#screen.savedPen = this.pen;
        break;
      case 'u':
        this.#restorePen();
        break;
      case 'g':
        this.#tabsTouched = true;
        break;
      case '!p':
        this.#softReset();
        break;
      case ' q':
        this.#cursorStyle = /^[1-6]$/.test(params) ? params : '';
        this.#touched.add(`${CSI}0 q`);
        break;
      case '>u':
      case '<u':
      case '=u':
        this.#keyboard(prefix, params);
        break;
      case '>m':
        this.#modifierKeys = /^4;[1-9]$/.test(params) ? params : '';
        this.#touched.add(`${CSI}>4m`);
        break;
    }
  }

  /** Takes note of an escape sequence, without its ESC. */
  escape(body: string): void {
    const charset = /^([()*+])([!-~])$/.exec(body);
    if (charset !== null) {
      const [, slot = '', set = ''] = charset;
      this.#charsets.delete(slot);
      if (set !== 'B') {
        this.#charsets.set(slot, set);
        this.#touched.add(`${ESC}${slot}B`);
      }
      return;
    }
    switch (body) {
      case 'c':
        this.#reset();
        break;
      case '7':
        this.#screen.savedPen = this.pen;
        break;
      case '8':
        this.#restorePen();
        break;
      case '=':
      case '>':
        this.#keypad = body === '=';
        if (this.#keypad) {
          this.#touched.add(`${ESC}>`);
        }
        break;
      case 'H':
        this.#tabsTouched = true;
        break;
    }
  }

  /** Takes note of text, which may hold the control characters that change between two character sets. */
  text(text: string): void {
    // A search from the front is many times as fast, and there is hardly ever one of them.
    if (text.includes('\u000e') || text.includes('\u000f')) {
      this.#shifted = text.lastIndexOf('\u000e') > text.lastIndexOf('\u000f');
      if (this.#shifted) {
        this.#touched.add('\u000f');
      }
    }
  }

  /** The screen has another size: its scroll region is the whole screen again. */
  resized(): void {
    this.#main.region = undefined;
    this.#other.region = undefined;
  }

  /**
   * Returns what gives a fresh terminal these modes, except for the alternate screen, the pen, and the modes that are
   * {@link speaking}. It may move the cursor.
   */
  set(): string {
    const { region, flags } = this.#screen;
    const modes = [...this.#changed].filter((mode) => mode !== SYNCHRONISED_OUTPUT);
    return [
      region === undefined ? '' : `${CSI}${region.top};${region.bottom}r`,
      ...modes.map(changeOf),
      ...[...this.#ansi].map((mode) => `${CSI}${mode}h`),
      this.#keypad ? `${ESC}=` : '',
      ...[...this.#charsets].map(([slot, set]) => ESC + slot + set),
      this.#shifted ? '\u000e' : '',
      this.#cursorStyle === '' ? '' : `${CSI}${this.#cursorStyle} q`,
      ...flags.map((pushed) => `${CSI}>${pushed}u`),
      this.#modifierKeys === '' ? '' : `${CSI}>${this.#modifierKeys}m`,
      this.colors.set(),
    ].join('');
  }

  /** Returns what gives a fresh terminal all these modes. */
  begin(): string {
    return this.again() + [...this.speaking].map(changeOf).join('');
  }

  /** Returns what gives a fresh terminal all these modes, except for those that are {@link speaking}. */
  again(): string {
    return (this.#alternate === undefined ? '' : `${CSI}?${this.#alternate}h`) + this.set() + this.pen;
  }

  /**
   * Returns what brings each mode that the program has changed back to that of a fresh terminal.
   *
   * @param size The size of the terminal.
   */
  back({ columns }: TerminalSize): string {
    // Leaving an alternate screen that is not shown would move the cursor.
    const screen = this.#alternate === undefined ? '' : `${CSI}?${this.#alternate}l`;
    // The end of origin mode moves the cursor to the first row; our own lines belong into the last one.
    const origin = this.#changed.has(ORIGIN) ? `${CSI}?${ORIGIN}l${CSI}${MOST_ROWS}H` : '';
    const flags = `${CSI}<${MOST_FLAGS}u`;
    const before = this.alternate && this.#touched.has(flags) ? flags : '';
    const out = [
      before,
      origin,
      screen,
      ...this.#touched,
      this.colors.back(),
      this.#tabsTouched ? tabs(columns) : '',
    ].join('');
    return out !== '' || this.pen !== '' ? `${out}${CSI}0m` : '';
  }

  /** As {@link back}, and forgets the modes. */
  leave(size: TerminalSize): string {
    const back = this.back(size);
    this.#reset();
    return back;
  }

  get #screen(): ScreenModes {
    return this.alternate ? this.#other : this.#main;
  }

  #private(mode: number, on: boolean): void {
    if (SAVING.has(mode) && on) {
      this.#screen.savedPen = this.pen;
    }
    if (ALTERNATE_SCREEN.has(mode)) {
      this.#alternate = on ? (this.#alternate ?? mode) : undefined;
    } else if (ON_AT_FIRST.has(mode) || OFF_AT_FIRST.has(mode)) {
      const first = ON_AT_FIRST.has(mode);
      GROUPS.find((group) => group.has(mode))?.forEach((other) => this.#changed.delete(other));
      const changed = SPEAKING_MODES.has(mode) ? this.#speaking : this.#changed;
      changed.delete(mode);
      if (on !== first) {
        changed.add(mode);
        if (mode !== ORIGIN) {
          this.#touched.add(`${CSI}?${mode}${first ? 'h' : 'l'}`);
        }
      }
    }
    if (SAVING.has(mode) && !on) {
      this.#restorePen();
    }
  }

  #ansiMode(mode: number, on: boolean): void {
    if (ANSI_MODES.has(mode)) {
      this.#ansi.delete(mode);
      if (on) {
        this.#ansi.add(mode);
        this.#touched.add(`${CSI}${mode}l`);
      }
    }
  }

  #scroll(params: string): void {
    const [top = 0, bottom = 0] = params.split(';').map((row) => Math.min(Number(row) || 0, MOST_ROWS));
    this.#screen.region = undefined;
    if (top > 1 || bottom > 0) {
      this.#screen.region = { top: Math.max(1, top), bottom };
      // The whole screen, with the cursor where it was.
      this.#touched.add(`${ESC}7${CSI}r${ESC}8`);
    }
  }

  #keyboard(prefix: string, params: string): void {
    const { flags } = this.#screen;
    const [first = 0, second = 1] = params.split(';').map((flag) => Number(flag) & ALL_FLAGS);
    if (prefix === '>') {
      flags.push(first);
      flags.splice(0, flags.length - MOST_FLAGS);
    } else if (prefix === '<') {
      flags.splice(Math.max(0, flags.length - Math.max(1, first)));
    } else {
      const now = flags.pop() ?? 0;
      flags.push(second === 2 ? now | first : second === 3 ? now & ~first : first);
    }
    this.#touched.add(`${CSI}<${MOST_FLAGS}u`).add(`${CSI}=0u`);
  }

  /** Remembers the parameters. Their meaning is worked out when it is asked for, since most output has many. */
  #color(params: string): void {
    if (params === '' || params === '0') {
      this.#pen = [];
    } else {
      this.#pen.push(params);
    }
    if (this.#pen.length > MOST_PEN) {
      this.#pen = [this.pen.slice(CSI.length, -1)];
    }
  }

  #restorePen(): void {
    this.#pen = [];
    this.#color(this.#screen.savedPen.slice(CSI.length, -1));
  }

  #softReset(): void {
    SOFTLY_RESET.forEach((mode) => {
      this.#changed.delete(mode);
      this.#speaking.delete(mode);
    });
    this.#ansi.clear();
    this.#keypad = false;
    this.#charsets.clear();
    this.#shifted = false;
    this.#screen.region = undefined;
    this.#screen.savedPen = '';
    this.#pen = [];
  }

  #reset(): void {
    this.#alternate = undefined;
    Object.assign(this.#main, freshScreen());
    this.#other = freshScreen();
    this.#changed.clear();
    this.#speaking.clear();
    this.#softReset();
    this.#cursorStyle = '';
    this.#modifierKeys = '';
    this.colors.clear();
    this.#touched.clear();
    this.#tabsTouched = false;
  }
}

/** The sequence that changes a private mode from that of a fresh terminal. */
function changeOf(mode: number): string {
  return `${CSI}?${mode}${ON_AT_FIRST.has(mode) ? 'l' : 'h'}`;
}

function freshScreen(): ScreenModes {
  return { region: undefined, flags: [], savedPen: '' };
}

/** Sets the tab stops of a fresh terminal, with the cursor where it was. */
function tabs(columns: number): string {
  const stops = Array.from(
    { length: Math.ceil(columns / 8) },
    (_, index) => `${CSI}${index * 8 + 1}G${ESC}H`,
  );
  return `${ESC}7${CSI}3g${stops.join('')}${ESC}8`;
}
