/**
 * The introducer of a string that ends with ST: OSC, DCS or APC. The kind `other` is SOS or PM, which emulators ignore.
 */
export type StringKind = 'osc' | 'dcs' | 'apc' | 'other';

/** A complete control sequence: `ESC [`, an optional prefix of `<=>?`, parameters, intermediates, a final character. */
export interface ControlSequence {
  readonly type: 'control';
  readonly raw: string;
  readonly prefix: string;
  readonly params: string;
  readonly intermediates: string;
  readonly final: string;
}

/** One piece of a terminal's output. */
export type EscapeToken =
  /** Characters and control characters, including controls that take effect in the middle of a sequence. */
  | { readonly type: 'text'; readonly text: string }
  /** The `body` is the raw sequence without its ESC. */
  | { readonly type: 'escape'; readonly raw: string; readonly body: string }
  | ControlSequence
  /** A sequence without effect; `open` if it was only broken off by the beginning of another one. */
  | { readonly type: 'fragment'; readonly raw: string; readonly open: boolean }
  /** `head`: the number of an OSC, the parameters and the final of a DCS, the first character of an APC. */
  | { readonly type: 'stringStart'; readonly kind: StringKind; readonly raw: string; readonly head: string }
  | { readonly type: 'stringData'; readonly text: string }
  /**
   * The end of a string. Its `raw` is empty if the beginning of another sequence ends it: an ESC, normally the one of
   * `ESC \`, or a C1 control.
   */
  | { readonly type: 'stringEnd'; readonly raw: string };

/** The most characters of a sequence that are held back. The limit is needed, and no real sequence is longer. */
const MAX_HELD = 1024;

/**
 * The kind of a string stands for its incomplete head; `oscData` and `data` stand for the rest, in an OSC and in other
 * strings.
 */
type State = 'ground' | 'escape' | 'control' | StringKind | 'oscData' | 'data';

/** For each state, the characters that must be looked at one by one. The text between them is taken as a whole. */
const RUN_ENDS: Readonly<Record<State, RegExp>> = {
  ground: /[\u001b\u0090\u0098\u009b\u009d-\u009f]/g,
  escape: /[^ -/\u007f]/g,
  control: /[^ -?\u007f]/g,
  osc: /[^0-9\u0000-\u0006\u0008-\u0017\u0019\u001c-\u001f\u007f]/g,
  dcs: /[^ -?\u0000-\u0017\u0019\u001c-\u001f\u007f]/g,
  apc: /[^ -/\u0000-\u0017\u0019\u001c-\u001f\u007f]/g,
  other: /[^\u0000-\u0017\u0019\u001c-\u001f\u007f]/g,
  oscData: /[\u0007\u0018\u001a\u001b\u0080-\u009f]/g,
  data: /[\u0018\u001a\u001b\u0080-\u009f]/g,
};

/** A whole control sequence, in its most frequent form. It is taken at once, because stepping through it is slower. */
const WHOLE = /(?:\u001b\[|\u009b)([<=>?]?)([0-9:;]*)([ -/]*)([@-~])/y;
const CONTROL_BODY = /^([<=>?]?)([0-9:;]*)([ -/]*)$/;

/** The C1 controls, and the characters after an ESC, that open a control sequence or a string. */
const OPENERS: Readonly<Record<string, 'control' | StringKind>> = {
  '[': 'control',
  ']': 'osc',
  'P': 'dcs',
  '_': 'apc',
  'X': 'other',
  '^': 'other',
  '\u009b': 'control',
  '\u009d': 'osc',
  '\u0090': 'dcs',
  '\u009f': 'apc',
  '\u0098': 'other',
  '\u009e': 'other',
};

const CANCEL = '\u0018';

/**
 * Splits a terminal's output into text and escape sequences, independently of the cuts between its pieces. It has the
 * states of xterm.js: those of https://vt100.net/emu/dec_ansi_parser with Unicode. An ESC or a C1 control begins a new
 * sequence everywhere. A control character inside a control sequence takes effect at once.
 *
 * A sequence is held back until it is complete; only the head of a string is held back.
 */
export class EscapeScanner {
  #state: State = 'ground';
  #held = '';
  #bodyStart = 0;
  /** The place in the scanned text where the rest begins. */
  #position = 0;

  /**
   * Yields all text in order, each character in exactly one token, except for the rest of a sequence that is too long.
   *
   * @param text Whole characters: a surrogate pair is not cut in two.
   */
  *scan(text: string): Generator<EscapeToken, void> {
    this.#position = 0;
    while (this.#position < text.length) {
      const from = this.#position;
      const at = searchFrom(RUN_ENDS[this.#state], text, from);
      this.#position = at;
      if (at > from) {
        const run = text.slice(from, at);
        if (this.#state === 'ground') {
          yield { type: 'text', text: run };
        } else if (this.#state === 'oscData' || this.#state === 'data') {
          yield { type: 'stringData', text: run };
        } else {
          this.#hold(run);
        }
      }
      const token = at < text.length ? this.#take(text, at) : undefined;
      if (token !== undefined) {
        yield token;
      }
    }
  }

  /** Forgets an incomplete sequence; the next character begins a new one. */
  reset(): void {
    this.#state = 'ground';
    this.#held = '';
  }

  /** Takes a character that has a meaning in this state. */
  #take(text: string, at: number): EscapeToken | undefined {
    const state = this.#state;
    if (state === 'ground') {
      return this.#open(text, at);
    }
    const code = text.codePointAt(at) ?? 0;
    const character = String.fromCodePoint(code);
    const inString = state === 'oscData' || state === 'data';
    if (code === 0x1b || (code >= 0x80 && character in OPENERS)) {
      // The character is not taken yet: it begins a new sequence in the ground state.
      return inString ? this.#endString('') : this.#breakOff('', true);
    }
    this.#position = at + character.length;
    if (inString) {
      return this.#endString(character);
    }
    if (code === 0x18 || code === 0x1a || (code >= 0x80 && code < 0xa0)) {
      return this.#breakOff(character);
    }
    if (code < 0x20 && (state === 'escape' || state === 'control')) {
      return { type: 'text', text: character };
    }
    if (state === 'escape') {
      return this.#takeInEscape(character, code);
    }
    return state === 'control'
      ? this.#takeInControl(character, code)
      : this.#takeInHead(state, character, code);
  }

  /** An ESC or a C1 control begins a sequence. */
  #open(text: string, at: number): EscapeToken | undefined {
    WHOLE.lastIndex = at;
    const whole = WHOLE.exec(text);
    if (whole !== null && whole[0].length <= MAX_HELD) {
      this.#position = WHOLE.lastIndex;
      const [raw, prefix = '', params = '', intermediates = '', final = ''] = whole;
      return { type: 'control', raw, prefix, params, intermediates, final };
    }
    this.#position = at + 1;
    this.#held = text.charAt(at);
    this.#enter(OPENERS[this.#held] ?? 'escape');
    return undefined;
  }

  #takeInEscape(character: string, code: number): EscapeToken | undefined {
    if (code >= 0xa0) {
      // An error for the emulator: the character ends the sequence and vanishes with it.
      return this.#breakOff(character);
    }
    const body = this.#body() + character;
    this.#hold(character);
    const opened = OPENERS[body];
    if (opened !== undefined) {
      this.#enter(opened);
      return undefined;
    }
    return this.#end({ type: 'escape', raw: this.#held, body });
  }

  #takeInControl(character: string, code: number): EscapeToken | undefined {
    const body = CONTROL_BODY.exec(this.#body());
    if (code >= 0xa0 && body !== null) {
      return this.#breakOff(character);
    }
    this.#hold(character);
    if (code >= 0xa0) {
      // A malformed sequence continues up to its final character.
      return undefined;
    }
    if (body === null) {
      return this.#end({ type: 'fragment', raw: this.#held, open: false });
    }
    const [, prefix = '', params = '', intermediates = ''] = body;
    return this.#end({ type: 'control', raw: this.#held, prefix, params, intermediates, final: character });
  }

  /** Takes the character that ends the head of a string. */
  #takeInHead(kind: StringKind, character: string, code: number): EscapeToken | undefined {
    if (code >= 0xa0 && kind !== 'osc') {
      return this.#breakOff(character);
    }
    if (character === '\u0007') {
      // BEL also ends a string that has only a head. It stays in place so that the next step takes it as the end.
      this.#position -= 1;
    } else {
      this.#hold(character);
    }
    const start: EscapeToken = { type: 'stringStart', kind, raw: this.#held, head: this.#body() };
    return this.#end(start, kind === 'osc' ? 'oscData' : 'data');
  }

  #enter(state: State): void {
    this.#state = state;
    this.#bodyStart = this.#held.length;
  }

  #hold(text: string): void {
    this.#held += text.slice(0, MAX_HELD + 1 - this.#held.length);
  }

  /** The held sequence without its introducer and without characters that the emulator skips. */
  #body(): string {
    return this.#held.slice(this.#bodyStart).replace(/[\u0000-\u001f\u007f]/g, '');
  }

  /** Ends the held sequence: as `token`, or cancelled if it is too long. */
  #end(token: EscapeToken, next: State = 'ground'): EscapeToken {
    if (this.#held.length > MAX_HELD) {
      return this.#breakOff(CANCEL);
    }
    this.#held = '';
    this.#state = next;
    return token;
  }

  /** @param by The character that breaks the sequence off, if it is a part of it. */
  #breakOff(by = '', open = false): EscapeToken {
    const raw = this.#held + by;
    this.reset();
    return { type: 'fragment', raw, open };
  }

  #endString(raw: string): EscapeToken {
    this.#state = 'ground';
    return { type: 'stringEnd', raw };
  }
}

function searchFrom(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}
