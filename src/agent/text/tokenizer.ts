import type { Cursor } from './cursor.js';
import { decodeUtf8, incompleteTail, type Decoded } from './decodeUtf8.js';
import { controlSequence, escapeSequence, type Sequence } from './sequence.js';
import { runAll, type Steps } from './steps.js';
import { utf8Length } from './tokens.js';

/** Receives the tokens that a {@link Tokenizer} finds, in order. Output that has no effect on text is left out. */
export interface TokenSink {
  /** Printable characters. @param from The place of the first, for {@link Tokenizer.cursorAt}. */
  text(run: string, from: number): void;
  /** One of `\b \t \n \v \f \r`, NUL, shift out or shift in. */
  control(character: string): void;
  sequence(sequence: Sequence): void;
}

const SPECIAL = /[\u0000-\u001f\u007f-\u009f]/g;
/** The most frequent sequence: a colour, which has no effect here. */
const COLOUR = /\u001b\[[0-9;:]*m/y;
const USED_CONTROLS = '\u0000\b\t\n\v\f\r\u000e\u000f';
/** The characters that can end a string: BEL, CAN, SUB, ESC, every C1 control; and a line end, which no title has. */
const STRING_END = /[\u0007\n\u0018\u001a\u001b\u0080-\u009f]/g;
/** The most characters of a sequence that are kept. No program sends a longer sequence on purpose. */
const MAX_HELD = 256;
/** The longest string whose end is waited for, in UTF-16 units: the end of a longer one may never come. */
const MAX_STRING_UNITS = 65_536;
/**
 * The number of line ends and other controls that make a step. A sequence alone is a step: it can take the emulator a
 * millisecond.
 */
const STEP_CONTROLS = 16;
const EMPTY: Decoded = { text: '', offsets: undefined, ascii: true };
const NO_BYTES = new Uint8Array(0);

type State = 'ground' | 'escape' | 'control' | 'title' | 'string';

/**
 * Splits one stream of output into text, control characters and escape sequences, wherever its chunks are cut. It knows
 * the byte at which each of them is. It follows the states of xterm.js. A title or another string vanishes, from its
 * introducer to its end.
 */
export class Tokenizer {
  readonly #sink: TokenSink;
  #state: State = 'ground';
  /** The sequence so far, without its introducer. */
  #held = '';
  #heldStart: Cursor | undefined;
  /** The length so far of the string that is being read, in UTF-16 units. */
  #stringUnits = 0;
  /** The controls since the last step. */
  #controls = 0;
  /** The bytes of an incomplete character at the end of the last chunk. */
  #carry = NO_BYTES;
  #carryStart: Cursor | undefined;
  #seq = 0;
  #chunkLength = 0;
  /** The place in the chunk where the text begins; negative if its first character began in an earlier chunk. */
  #base = 0;
  #decoded = EMPTY;
  #index = 0;
  /** A place whose offset is known, from which counting continues. */
  #known = { index: 0, bytes: 0 };

  constructor(sink: TokenSink) {
    this.#sink = sink;
  }

  /** The place after everything that has been delivered or is being delivered. */
  get position(): Cursor {
    return this.cursorAt(this.#index);
  }

  /** The place where the sequence began that is being delivered. */
  get sequenceStart(): Cursor {
    return this.#heldStart ?? this.position;
  }

  /**
   * The place of an incomplete character or sequence that is held back. It is undefined without one, or if the
   * sequence is so long that it may never end.
   */
  get incompleteFrom(): Cursor | undefined {
    if (this.#state === 'ground') {
      return this.#carryStart;
    }
    return this.#stringUnits > MAX_STRING_UNITS ? undefined : this.#heldStart;
  }

  /** Whether what has come so far ends with no incomplete character or sequence. */
  get between(): boolean {
    return this.#state === 'ground' && this.#carry.length === 0;
  }

  /**
   * Takes a chunk, or a part of it. A part that others follow must end with a line end.
   *
   * @param skip The number of bytes at the beginning of the chunk to leave out.
   * @param end The end of the part; that of the chunk by default.
   */
  *write(seq: number, bytes: Uint8Array, skip = 0, end = bytes.length): Steps {
    let own = bytes.subarray(skip, end);
    const carried = this.#carry.length;
    if (carried > 0) {
      own = concat(this.#carry, own);
    }
    const tail = incompleteTail(own);
    const carryStart = carried > 0 && own.length === tail ? this.#carryStart : undefined;
    this.#load(seq, bytes.length, skip - carried, own.subarray(0, own.length - tail));
    this.#carry = tail > 0 ? own.slice(own.length - tail) : NO_BYTES;
    yield* this.#scan();
    this.#carryStart = tail === 0 ? undefined : (carryStart ?? { afterSeq: seq - 1, skipBytes: end - tail });
  }

  /**
   * Ends incomplete parts because no output follows, or some is missing: a split character counts as broken, and a
   * sequence has no effect.
   */
  cut(): void {
    this.#end();
    if (this.#carry.length > 0) {
      const bytes = this.#carry;
      this.#carry = NO_BYTES;
      this.#load(this.#seq, this.#chunkLength, this.#chunkLength - bytes.length, bytes);
      runAll(this.#scan());
      this.#carryStart = undefined;
    }
  }

  /** The place of a UTF-16 unit of the text that is being delivered. */
  cursorAt(index: number): Cursor {
    const offset = this.#offset(index);
    if (offset < 0) {
      return this.#carryStart ?? { afterSeq: this.#seq - 1, skipBytes: 0 };
    }
    return offset >= this.#chunkLength
      ? { afterSeq: this.#seq, skipBytes: 0 }
      : { afterSeq: this.#seq - 1, skipBytes: offset };
  }

  #load(seq: number, chunkLength: number, base: number, bytes: Uint8Array): void {
    this.#seq = seq;
    this.#chunkLength = chunkLength;
    this.#base = base;
    this.#decoded = decodeUtf8(bytes);
    this.#index = 0;
    this.#known = { index: 0, bytes: 0 };
  }

  #offset(index: number): number {
    const { text, offsets, ascii } = this.#decoded;
    if (ascii) {
      return this.#base + index;
    }
    if (offsets !== undefined) {
      return this.#base + (offsets[index] ?? 0);
    }
    if (index < this.#known.index) {
      this.#known = { index: 0, bytes: 0 };
    }
    const bytes = this.#known.bytes + utf8Length(text.slice(this.#known.index, index));
    this.#known = { index, bytes };
    return this.#base + bytes;
  }

  *#scan(): Steps {
    const { text } = this.#decoded;
    while (this.#index < text.length) {
      if (this.#controls >= STEP_CONTROLS) {
        this.#controls = 0;
        yield;
      }
      if (this.#state === 'ground') {
        this.#scanText(text);
      } else if (this.#state === 'title' || this.#state === 'string') {
        this.#scanString(text);
      } else {
        this.#step(text);
      }
    }
  }

  #scanText(text: string): void {
    const from = this.#index;
    SPECIAL.lastIndex = from;
    const end = SPECIAL.exec(text)?.index ?? text.length;
    if (end > from) {
      this.#index = end;
      this.#sink.text(from === 0 && end === text.length ? text : text.slice(from, end), from);
    }
    if (end < text.length) {
      this.#special(text, end);
    }
  }

  /** Takes a control character outside of a sequence, or one that begins a sequence. */
  #special(text: string, at: number): void {
    const character = text.charAt(at);
    COLOUR.lastIndex = at;
    if (COLOUR.test(text)) {
      this.#index = COLOUR.lastIndex;
      this.#end();
      return;
    }
    const opened = opens(character);
    if (opened !== undefined) {
      this.#heldStart = this.cursorAt(at);
      this.#index = at + 1;
      this.#state = opened;
      this.#held = '';
      this.#stringUnits = 0;
      return;
    }
    this.#index = at + 1;
    const short = C1_SHORT[character];
    if (short !== undefined) {
      this.#heldStart = this.cursorAt(at);
      this.#deliver(escapeSequence(short));
    } else {
      this.#control(character);
    }
    this.#end();
  }

  #control(character: string): void {
    if (USED_CONTROLS.includes(character)) {
      this.#controls += 1;
      this.#sink.control(character);
    }
  }

  #scanString(text: string): void {
    STRING_END.lastIndex = this.#index;
    const at = STRING_END.exec(text)?.index ?? text.length;
    const character = text.charAt(at);
    const isTitle = this.#state === 'title';
    this.#stringUnits += at - this.#index;
    this.#index = Math.min(at + 1, text.length);
    if (character === '' || (!isTitle && (character === '\u0007' || character === '\n'))) {
      return;
    }
    this.#end();
    if (opens(character) !== undefined || character === '\n') {
      this.#special(text, at);
    }
  }

  /** Takes one character of a sequence. */
  #step(text: string): void {
    const at = this.#index;
    const code = text.codePointAt(at) ?? 0;
    const character = String.fromCodePoint(code);
    this.#index = at + character.length;
    if (opens(character) !== undefined) {
      this.#special(text, at);
    } else if (code === 0x18 || code === 0x1a || code >= 0x80) {
      this.#end();
    } else if (code < 0x20) {
      // A control character takes effect at once, in the middle of the sequence.
      this.#control(character);
    } else if (code !== 0x7f) {
      this.#stepSequence(character, code);
    }
  }

  #stepSequence(character: string, code: number): void {
    if (this.#state === 'control') {
      if (code >= 0x40) {
        this.#deliver(controlSequence(this.#held, character));
        return;
      }
    } else if (code >= 0x30) {
      const opened = this.#held === '' ? ESCAPE_OPENS[character] : undefined;
      if (opened === undefined) {
        this.#deliver(escapeSequence(this.#held + character));
      } else {
        this.#state = opened;
      }
      return;
    }
    if (this.#held.length < MAX_HELD) {
      this.#held += character;
    }
  }

  #deliver(sequence: Sequence): void {
    if (sequence.effect !== 'none') {
      this.#controls += STEP_CONTROLS;
      this.#sink.sequence(sequence);
    }
    this.#end();
  }

  #end(): void {
    this.#state = 'ground';
    this.#held = '';
    this.#heldStart = undefined;
    this.#stringUnits = 0;
  }
}

const ESCAPE_OPENS: Readonly<Record<string, State>> = {
  '[': 'control',
  ']': 'title',
  'P': 'string',
  'X': 'string',
  '^': 'string',
  '_': 'string',
};
const C1_SHORT: Readonly<Record<string, string>> = { '\u0084': 'D', '\u0085': 'E', '\u008d': 'M' };
const C1_OPENS: Readonly<Record<string, State>> = {
  '\u001b': 'escape',
  '\u0090': 'string',
  '\u0098': 'string',
  '\u009b': 'control',
  '\u009d': 'title',
  '\u009e': 'string',
  '\u009f': 'string',
};

function opens(character: string): State | undefined {
  return C1_OPENS[character];
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}
