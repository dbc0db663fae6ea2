import type { TerminalSize } from '../core/index.js';

import { EscapeScanner, type ControlSequence, type EscapeToken, type StringKind } from './escapeScanner.js';
import { ProgramTitle } from './programTitle.js';
import { withinScreen } from './repeatCounts.js';
import { safePlaceIn } from './safePlace.js';
import { privateModes, TerminalModes } from './terminalModes.js';
import {
  imageJudgeOf,
  isCursorQuery,
  isEscapeQuery,
  isQuery,
  judgeOf,
  SPEAKING_MODES,
  type StringJudge,
  withoutSpeakingModes,
} from './terminalQueries.js';

const ENQ = '\u0005';
const CANCEL = '\u0018';
const STRING_TERMINATOR = '\u001b\\';
/** The most characters of a title, or of a string that sets colours; the rest is cut off. */
const MAX_FOLLOWED = 256;
/** The heads of the OSC strings that set the title, and those that set or reset colours. */
const FOLLOWED = /^0*([024]|1[0-9]|104|11[0-9]);?$/;
const ICON_TITLE = 2;

/** The style of a stream. It changes the text between the sequences, and adds to the sequences that set colours. */
export interface TextStyle {
  text(text: string): string;
  /** Called with the parameters of each SGR sequence; the result is written after the sequence. */
  colors(params: string): string;
}

export interface FilterOptions {
  /**
   * Whether only text passes, with its colours and with what moves or erases within its line. All text then stays, as
   * in a log. Screens, modes and everything else are left out, and images leave a mark.
   */
  readonly onlyText?: { readonly imageMark: string } | undefined;
}

/** SGR, EL, and the movements within a line: CUF, CUB, CHA. */
const OF_TEXT = new Set(['m', 'K', 'C', 'D', 'G']);
/** The control characters other than tab, line feed, carriage return and backspace. */
const CONTROLS = /[\u0000-\u0007\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/**
 * Makes a program's output fit for one terminal. While the filter is not `answering`, it removes everything that the
 * emulator would answer. Modes in which the emulator speaks by itself are on only while it is `reporting`. Counts that
 * exceed the screen are lowered. The emulator never gets half a control sequence, so other text can be written between
 * two pieces.
 */
export class TerminalFilter {
  readonly #scanner = new EscapeScanner();
  readonly #size: () => TerminalSize;
  readonly #style: TextStyle | undefined;
  readonly #onlyText: boolean;
  readonly #title = new ProgramTitle();
  /** The modes that the program has set. */
  readonly modes = new TerminalModes();
  /** The speaking modes that are on in the emulator. */
  readonly #given = new Set<number>();
  #answering = true;
  #reporting = true;
  #out = '';
  #safePlace: number | undefined;
  #open = false;
  #string:
    | { readonly judge: StringJudge; readonly head: string; held: string; verdict?: 'pass' | 'drop' }
    | undefined;
  /** The string that sets the title or colours, as far as it has come. */
  #followed: { readonly number: number; payload: string } | undefined;
  #imageMark: string | undefined;
  #cursorQueries = 0;
  /**
   * Whether the string that was just dropped ended with an ESC. If that ESC begins `ESC \`, this sequence is dropped
   * too.
   */
  #droppedString = false;

  /** @param size Returns the size of the emulator's screen, which may change. */
  constructor(size: () => TerminalSize, style?: TextStyle, { onlyText }: FilterOptions = {}) {
    this.#size = size;
    this.#style = style;
    this.#onlyText = onlyText !== undefined;
    this.#imageMark = onlyText?.imageMark;
  }

  /** The last title that the program has set. */
  get title(): string {
    return this.#title.value;
  }

  /** Whether the program draws on the whole screen, the alternate one. */
  get fullScreen(): boolean {
    return this.modes.alternate;
  }

  /** Whether the emulator waits for the rest of a sequence or string. */
  get open(): boolean {
    return this.#open;
  }

  /** How often the emulator was asked where the cursor is and may answer. */
  get cursorQueries(): number {
    return this.#cursorQueries;
  }

  /**
   * The last place in the last result of {@link write} where a query of our own changes nothing, as the number of
   * characters before it. It is not inside a sequence, nor between a character and anything that may still belong to
   * it. A combining mark joins the character before it, and `CSI b` repeats that character. The emulator forgets the
   * character with every sequence, so also with a query. Some places are not known as safe, so this can be undefined.
   */
  get safePlace(): number | undefined {
    return this.#safePlace;
  }

  /** Returns the next piece of output as it must be written. */
  write(text: string, answering: boolean): string {
    this.#answering = answering;
    this.#safePlace = undefined;
    for (const token of this.#scanner.scan(text)) {
      this.#write(token);
    }
    this.#syncModes();
    return this.#take();
  }

  /**
   * Sets whether the emulator may speak by itself if the program wants it to. Returns the sequences that bring this
   * about.
   */
  report(reporting: boolean): string {
    this.#reporting = reporting;
    this.#syncModes();
    return this.#take();
  }

  /** Sets the text that is written in place of images; undefined passes them on. */
  markImages(mark: string | undefined): void {
    this.#imageMark = mark;
  }

  /** Returns what must be written before other text. Breaks off a string that is being passed on. */
  interrupt(): string {
    if (!this.#open) {
      return '';
    }
    this.#open = false;
    if (this.#string === undefined) {
      return STRING_TERMINATOR;
    }
    this.#string.verdict = 'drop';
    return CANCEL;
  }

  /**
   * Forgets everything incomplete, because the output is over or some of it is missing. Returns what must be written in
   * that case.
   */
  cut(): string {
    const out = this.interrupt();
    this.#string = undefined;
    this.#followed = undefined;
    this.#droppedString = false;
    this.#scanner.reset();
    return out;
  }

  /** Returns what switches off everything that the ended program has left switched on. */
  finish(): string {
    this.#given.clear();
    return this.cut() + this.modes.leave(this.#size());
  }

  #write(token: EscapeToken): void {
    switch (token.type) {
      case 'text':
        this.#text(token.text);
        break;
      case 'escape':
        this.#escape(token.raw, token.body);
        break;
      case 'control':
        this.#control(token);
        break;
      case 'fragment':
        this.#fragment(token.raw, token.open);
        break;
      case 'stringStart':
        this.#stringStart(token.kind, token.raw, token.head);
        break;
      case 'stringData':
        this.#stringData(token.text);
        break;
      case 'stringEnd':
        this.#stringEnd(token.raw);
        break;
    }
  }

  #text(text: string): void {
    this.#droppedString = false;
    const kept = this.#onlyText
      ? text.replace(CONTROLS, '')
      : this.#answering || !text.includes(ENQ)
        ? text
        : text.replaceAll(ENQ, '');
    if (kept !== '') {
      this.modes.text(kept);
      const styled = this.#style?.text(kept) ?? kept;
      this.#pass((this.#open ? STRING_TERMINATOR : '') + styled);
      const place = safePlaceIn(styled);
      if (place !== undefined) {
        this.#safePlace = this.#out.length - styled.length + place;
      }
    }
  }

  #escape(raw: string, body: string): void {
    if (this.#onlyText) {
      this.#pass('');
      return;
    }
    this.modes.escape(body);
    this.#noteGiven();
    const dropped = (this.#droppedString && body === '\\') || (!this.#answering && isEscapeQuery(body));
    this.#passSequence(dropped ? '' : raw);
  }

  #control(sequence: ControlSequence): void {
    if (this.#onlyText && !OF_TEXT.has(sequence.prefix + sequence.intermediates + sequence.final)) {
      this.#pass('');
      return;
    }
    this.modes.sequence(sequence);
    this.#title.sequence(sequence);
    if (!this.#answering && isQuery(sequence)) {
      this.#passSequence('');
    } else if (!this.#reporting && privateModes(sequence).some((mode) => SPEAKING_MODES.has(mode))) {
      this.#passSequence(withoutSpeakingModes(sequence));
    } else {
      this.#passSequence(withinScreen(sequence, this.#size()));
      this.#cursorQueries += isCursorQuery(sequence) ? 1 : 0;
      const { prefix, intermediates, final, params } = sequence;
      if (final === 'm' && prefix === '' && intermediates === '') {
        this.#out += this.#style?.colors(params) ?? '';
      }
    }
    this.#noteGiven();
  }

  #fragment(raw: string, open: boolean): void {
    if (this.#onlyText) {
      this.#pass('');
    } else if (open) {
      this.#pass(raw);
      this.#open = true;
    } else {
      this.#passSequence(raw);
    }
  }

  #stringStart(kind: StringKind, raw: string, head: string): void {
    const image = this.#imageMark === undefined ? undefined : imageJudgeOf(kind, head);
    const judge: StringJudge =
      image ??
      (this.#answering
        ? (payload) => ({ pass: payload })
        : this.#onlyText
          ? () => 'drop'
          : judgeOf(kind, head));
    this.#string = { judge, head: raw, held: '' };
    const number = kind === 'osc' ? FOLLOWED.exec(head)?.[1] : undefined;
    this.#followed = number === undefined ? undefined : { number: Number(number), payload: '' };
    this.#judge(false);
  }

  #stringData(text: string): void {
    if (this.#followed !== undefined && this.#followed.payload.length < MAX_FOLLOWED) {
      this.#followed.payload += text;
    }
    if (this.#string?.verdict === 'pass') {
      this.#out += text;
    } else if (this.#string !== undefined && this.#string.verdict === undefined) {
      this.#string.held += text;
      this.#judge(false);
    }
  }

  #stringEnd(raw: string): void {
    if (this.#followed !== undefined && raw !== CANCEL) {
      this.#follow(this.#followed.number, this.#followed.payload.slice(0, MAX_FOLLOWED));
    }
    this.#followed = undefined;
    if (this.#string?.verdict === undefined) {
      this.#judge(true);
    }
    if (this.#string?.verdict !== 'pass') {
      this.#droppedString = raw === '';
    } else if (raw === '') {
      this.#open = true;
    } else {
      this.#passSequence(raw);
    }
    this.#string = undefined;
  }

  #follow(number: number, payload: string): void {
    if (number <= ICON_TITLE) {
      this.#title.set(payload);
    } else {
      this.modes.colors.take(number, payload);
    }
  }

  #judge(ended: boolean): void {
    const string = this.#string;
    const verdict = string?.judge(string.held, ended);
    if (string === undefined || verdict === undefined) {
      return;
    }
    if (verdict === 'drop' || verdict === 'image') {
      string.verdict = 'drop';
      this.#pass(verdict === 'image' ? (this.#imageMark ?? '') : '');
    } else {
      string.verdict = 'pass';
      this.#pass(string.head + verdict.pass);
      this.#open = true;
    }
    string.held = '';
  }

  /**
   * Writes a sequence, or removes it if `raw` is empty. The sequence before it ends here, even if nothing else would
   * end it.
   */
  #pass(raw: string): void {
    this.#droppedString = false;
    if (raw !== '') {
      this.#out += raw;
    } else if (this.#open) {
      this.#out += STRING_TERMINATOR;
    }
    this.#open = false;
  }

  /**
   * Passes on, or removes, a complete sequence. The place after it is a safe one, unless the sequence ends with a
   * character that is not ASCII. An emulator ignores such a sequence, and joins the text after it to the text before
   * it.
   */
  #passSequence(raw: string): void {
    const { length } = this.#out;
    this.#pass(raw);
    // The last character of the result would have all of it copied.
    if (this.#out.length > length && (raw === '' || raw.charCodeAt(raw.length - 1) < 0x80)) {
      this.#safePlace = this.#out.length;
    }
  }

  /** Notes the speaking modes that the emulator has got from the program's own sequence. */
  #noteGiven(): void {
    for (const mode of SPEAKING_MODES) {
      if (!this.modes.speaking.has(mode)) {
        this.#given.delete(mode);
      } else if (this.#reporting) {
        this.#given.add(mode);
      }
    }
  }

  #syncModes(): void {
    if (this.#open) {
      return;
    }
    const wanted = this.#reporting ? this.modes.speaking : new Set<number>();
    for (const mode of SPEAKING_MODES) {
      if (wanted.has(mode) !== this.#given.has(mode)) {
        this.#out += `\u001b[?${mode}${wanted.has(mode) ? 'h' : 'l'}`;
        if (wanted.has(mode)) {
          this.#given.add(mode);
        } else {
          this.#given.delete(mode);
        }
      }
    }
  }

  #take(): string {
    const out = this.#out;
    this.#out = '';
    return out;
  }
}
