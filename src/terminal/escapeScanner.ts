/** A complete control sequence: `ESC [`, a prefix of `<=>?` or none, parameters, intermediates, a final character. */
export interface ControlSequence {
  readonly raw: string;
  readonly prefix: string;
  readonly params: string;
  readonly intermediates: string;
  readonly final: string;
}

/** What opens a string that ends with ST: OSC, DCS, APC; `other` are SOS and PM, which no emulator reads. */
export type StringKind = 'osc' | 'dcs' | 'apc' | 'other';

/** Receives what an {@link EscapeScanner} finds, in order. Everything written arrives in exactly one of the calls. */
export interface EscapeSink {
  /** Characters and control characters, also those that are carried out in the middle of a sequence. */
  text(text: string): void;
  /** `body` is the raw sequence without its introducer. */
  escape(raw: string, body: string): void;
  sequence(sequence: ControlSequence): void;
  /** A sequence without effect; `open` if it is only broken off by the beginning of another one. */
  fragment(raw: string, open: boolean): void;
  /** `head`: the number of an OSC, the parameters and the final of a DCS, the first character of an APC. */
  stringStart(kind: StringKind, raw: string, head: string): void;
  stringData(text: string): void;
  /** `raw` is empty if an ESC ends it: that begins the next sequence, which is `ESC \` if all is well. */
  stringEnd(raw: string): void;
}

/** Longer ones are no sequence that anybody means; what is held back has to be bounded. */
const MAX_HELD = 1024;

/** What opens a sequence. */
const SPECIAL = /[\u001b\u0090\u0098\u009b\u009d-\u009f]/g;
/** What can end a string: BEL, CAN, SUB, ESC and every C1 control. */
const STRING_END = /[\u0007\u0018\u001a\u001b\u0080-\u009f]/g;

type State =
  'ground' | 'escape' | 'escapeIntermediate' | 'csi' | 'csiIntermediate' | 'csiIgnore' | 'head' | 'string';

/**
 * Splits a terminal's output into text and escape sequences, whatever the cuts between the pieces are. It follows the
 * states of xterm.js, which are those of https://vt100.net/emu/dec_ansi_parser with Unicode: an ESC or a C1 control
 * begins anew everywhere, a control character inside a control sequence is carried out at once.
 *
 * A sequence is held back until it is complete; of a string only the head is.
 */
export class EscapeScanner {
  readonly #sink: EscapeSink;
  #state: State = 'ground';
  #held = '';
  #bodyStart = 0;
  #kind: StringKind = 'other';

  constructor(sink: EscapeSink) {
    this.#sink = sink;
  }

  /** Whether the last character of all that was written belongs to text, not to a sequence. */
  get atGround(): boolean {
    return this.#state === 'ground';
  }

  write(text: string): void {
    let index = 0;
    while (index < text.length) {
      if (this.#state === 'ground') {
        index = this.#scanText(text, index);
      } else if (this.#state === 'string') {
        index = this.#scanString(text, index);
      } else {
        const code = text.codePointAt(index) ?? 0;
        const char = String.fromCodePoint(code);
        this.#step(char, code);
        index += char.length;
      }
    }
  }

  /** Forgets a sequence that is not complete; the next character begins anew. */
  reset(): void {
    this.#state = 'ground';
    this.#held = '';
  }

  #scanText(text: string, from: number): number {
    SPECIAL.lastIndex = from;
    const end = SPECIAL.exec(text)?.index ?? text.length;
    if (end > from) {
      this.#sink.text(text.slice(from, end));
    }
    if (end < text.length) {
      this.#introduce(text.charAt(end), text.charCodeAt(end));
    }
    return end + 1;
  }

  #scanString(text: string, from: number): number {
    STRING_END.lastIndex = from;
    let end = STRING_END.exec(text)?.index ?? text.length;
    if (text.charCodeAt(end) === 0x07 && this.#kind !== 'osc') {
      end += 1;
      this.#sink.stringData(text.slice(from, end));
      return end;
    }
    if (end > from) {
      this.#sink.stringData(text.slice(from, end));
    }
    if (end < text.length) {
      const char = text.charAt(end);
      if (char === '\u001b' || opensSequence(text.charCodeAt(end))) {
        this.#sink.stringEnd('');
        this.#introduce(char, text.charCodeAt(end));
      } else {
        this.#state = 'ground';
        this.#sink.stringEnd(char);
      }
    }
    return end + 1;
  }

  /** One character of a sequence. */
  #step(char: string, code: number): void {
    if (code === 0x1b || opensSequence(code)) {
      this.#sink.fragment(this.#take(), true);
      this.#introduce(char, code);
    } else if (code === 0x18 || code === 0x1a || isC1(code)) {
      this.#held += char;
      this.#breakOff();
    } else if (this.#state === 'head') {
      this.#stepHead(char, code);
    } else if (code < 0x20) {
      this.#sink.text(char);
    } else if (code >= 0xa0 && this.#state !== 'csiIgnore') {
      // The emulator takes this for an error: the character ends the sequence and vanishes with it.
      this.#held += char;
      this.#breakOff();
    } else {
      this.#hold(char);
      if (code !== 0x7f && code < 0xa0) {
        this.#stepSequence(char, code);
      }
    }
  }

  #stepSequence(char: string, code: number): void {
    if (this.#state === 'escape' || this.#state === 'escapeIntermediate') {
      this.#stepEscape(char, code);
    } else if (code >= 0x40) {
      this.#endControl(char);
    } else if (code < 0x30) {
      this.#state = this.#state === 'csiIgnore' ? 'csiIgnore' : 'csiIntermediate';
    } else if (this.#state === 'csiIntermediate' || (code >= 0x3c && this.#body() !== char)) {
      this.#state = 'csiIgnore';
    }
  }

  #stepEscape(char: string, code: number): void {
    if (code < 0x30) {
      this.#state = 'escapeIntermediate';
      return;
    }
    const opened = this.#state === 'escape' ? STRING_KINDS[char] : undefined;
    if (opened !== undefined) {
      this.#enter(opened);
    } else {
      const raw = this.#take();
      this.#sink.escape(raw, clean(raw.slice(1)));
    }
  }

  #endControl(final: string): void {
    if (this.#state === 'csiIgnore') {
      this.#breakOff();
      return;
    }
    const body = this.#body();
    const raw = this.#take();
    const [, prefix = '', params = '', intermediates = ''] = CONTROL.exec(body) ?? [];
    this.#sink.sequence({ raw, prefix, params, intermediates, final });
  }

  /** The beginning of a string, up to where it is clear what it is. */
  #stepHead(char: string, code: number): void {
    if (code === 0x07 && this.#kind === 'osc') {
      this.#startString(this.#body());
      this.#state = 'ground';
      this.#sink.stringEnd(char);
      return;
    }
    if (code >= 0xa0 && this.#kind !== 'osc') {
      this.#held += char;
      this.#breakOff();
      return;
    }
    this.#hold(char);
    if (code < 0x20 || code === 0x7f) {
      return;
    }
    if (endsHead(this.#kind, code)) {
      this.#startString(this.#body());
    }
  }

  #startString(head: string): void {
    const raw = this.#take();
    this.#state = 'string';
    this.#sink.stringStart(this.#kind, raw, head);
  }

  /** An ESC or a C1 control begins a sequence. */
  #introduce(char: string, code: number): void {
    this.#held = char;
    this.#bodyStart = 1;
    if (code === 0x1b) {
      this.#state = 'escape';
    } else {
      this.#enter(STRING_KINDS[String.fromCharCode(code - 0x40)] ?? 'other');
    }
  }

  #enter(kind: StringKind | 'csi'): void {
    this.#bodyStart = this.#held.length;
    if (kind === 'csi') {
      this.#state = 'csi';
    } else {
      this.#kind = kind;
      this.#state = 'head';
    }
  }

  /** What is held back, without its introducer and without characters that the emulator skips. */
  #body(): string {
    return clean(this.#held.slice(this.#bodyStart));
  }

  #hold(char: string): void {
    this.#held += char;
    if (this.#held.length > MAX_HELD) {
      // Handed on so far and cancelled: the rest is text then, which answers nothing.
      this.#held += '\u0018';
      this.#breakOff();
    }
  }

  #breakOff(): void {
    this.#sink.fragment(this.#take(), false);
  }

  #take(): string {
    const raw = this.#held;
    this.#held = '';
    this.#state = 'ground';
    return raw;
  }
}

const CONTROL = /^([<=>?]?)([0-9:;]*)([ -/]*)/;

const STRING_KINDS: Readonly<Record<string, StringKind | 'csi'>> = {
  '[': 'csi',
  ']': 'osc',
  'P': 'dcs',
  '_': 'apc',
  'X': 'other',
  '^': 'other',
};

/** Whether this character settles what the string is. */
function endsHead(kind: StringKind, code: number): boolean {
  switch (kind) {
    case 'osc':
      return code < 0x30 || code > 0x39;
    case 'dcs':
      return code >= 0x40;
    case 'apc':
      return code >= 0x30;
    case 'other':
      return true;
  }
}

/** The C1 controls that stand for ESC and a character: DCS, SOS, CSI, OSC, PM, APC. */
function opensSequence(code: number): boolean {
  return code === 0x90 || code === 0x98 || code === 0x9b || (code >= 0x9d && code <= 0x9f);
}

function isC1(code: number): boolean {
  return code >= 0x80 && code < 0xa0;
}

function clean(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]/g, '');
}
