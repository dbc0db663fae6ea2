import { MAX_DEPTH, MAX_VALUES } from '../limits.js';

/** What is wrong with a message, in the words of the real server. */
export class MessageFault extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'MessageFault';
  }
}

/**
 * Looks through a client's message before it is parsed, once and without building anything. It finds what `JSON.parse`
 * does not mind and the wire does: too much nesting, too many values, a name twice in one object, half a surrogate pair.
 * What passes is JSON, but for control characters in strings, which are looked for only if asked.
 *
 * @returns The `id` as it is written, if the message is an object that has one: parsing could lose its last digits.
 * @throws MessageFault
 */
export function scanMessage(text: string, { controlCharacters = false } = {}): string | undefined {
  return new Scanner(text, controlCharacters).scan();
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const LOWER_U = 0x75;

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
/** What may not follow a number: a point or an exponent without digits, or a digit after a zero. */
const UNFINISHED = /[.eE][-+]?|(?=[0-9])/y;
const KEYWORDS = ['true', 'false', 'null'];

class Scanner {
  readonly #text: string;
  readonly #controlCharacters: boolean;
  /** The character that is looked at. */
  #at = 0;
  #depth = 0;
  #values = 0;
  #id: string | undefined;
  /** The next of each from where was last asked; they are found by native searches, and each but once. */
  #quote = -1;
  #backslash = -1;

  constructor(text: string, controlCharacters: boolean) {
    this.#text = text;
    this.#controlCharacters = controlCharacters;
  }

  scan(): string | undefined {
    this.#value();
    if (!Number.isNaN(this.#next())) {
      this.#fail('trailing characters', this.#at + 1);
    }
    return this.#id;
  }

  /** The character that comes next, after white space; NaN at the end. */
  #next(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) {
        return code;
      }
      this.#at += 1;
    }
  }

  #value(): void {
    const code = this.#next();
    this.#values += 1;
    if (this.#values > MAX_VALUES) {
      this.#fail(`JSON-RPC message exceeds the limit of ${MAX_VALUES} JSON values`, this.#at);
    }
    if (code === QUOTE) {
      this.#string();
    } else if (code === OPEN_OBJECT) {
      this.#nested(() => this.#object());
    } else if (code === OPEN_ARRAY) {
      this.#nested(() => this.#array());
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      this.#number();
    } else {
      this.#keyword();
    }
  }

  #nested(scan: () => void): void {
    this.#at += 1;
    if (this.#depth === MAX_DEPTH) {
      this.#fail('recursion limit exceeded', this.#at);
    }
    this.#depth += 1;
    scan();
    this.#depth -= 1;
    this.#at += 1;
  }

  #object(): void {
    let code = this.#next();
    if (code === CLOSE_OBJECT) {
      return;
    }
    const names = new Set<string>();
    for (;;) {
      if (code !== QUOTE) {
        const inside = names.size === 0 ? 'an object' : 'a value';
        this.#failAt(code, code === CLOSE_OBJECT ? 'trailing comma' : 'key must be a string', inside);
      }
      const name = this.#name();
      if (names.has(name)) {
        this.#fail(`duplicate JSON object key \`${name}\``, this.#at);
      }
      names.add(name);
      code = this.#next();
      if (code !== COLON) {
        this.#failAt(code, 'expected `:`', 'an object');
      }
      this.#at += 1;
      this.#member(name);
      code = this.#next();
      if (code === CLOSE_OBJECT) {
        return;
      }
      if (code !== COMMA) {
        this.#failAt(code, 'expected `,` or `}`', 'an object');
      }
      this.#at += 1;
      code = this.#next();
    }
  }

  #member(name: string): void {
    if (this.#depth !== 1 || name !== 'id') {
      this.#value();
      return;
    }
    this.#next();
    const start = this.#at;
    this.#value();
    this.#id = this.#text.slice(start, this.#at);
  }

  #array(): void {
    const first = this.#next();
    if (first === CLOSE_ARRAY) {
      return;
    }
    if (Number.isNaN(first)) {
      this.#failAtEnd('a list');
    }
    for (;;) {
      this.#value();
      let code = this.#next();
      if (code === CLOSE_ARRAY) {
        return;
      }
      if (code !== COMMA) {
        this.#failAt(code, 'expected `,` or `]`', 'a list');
      }
      this.#at += 1;
      code = this.#next();
      if (code === CLOSE_ARRAY) {
        this.#fail('trailing comma', this.#at + 1);
      }
    }
  }

  /** @returns What a name says, whose quotes and escapes do not count. */
  #name(): string {
    const start = this.#at;
    const escaped = this.#string();
    if (!escaped) {
      return this.#text.slice(start + 1, this.#at - 1);
    }
    const literal = this.#text.slice(start, this.#at);
    try {
      return String(JSON.parse(literal));
    } catch {
      // A control character, which the parser will find as well.
      return literal;
    }
  }

  /** @returns Whether there are escapes in it. */
  #string(): boolean {
    const start = this.#at + 1;
    let from = start;
    for (;;) {
      this.#quote = this.#find('"', this.#quote, from);
      this.#backslash = this.#find('\\', this.#backslash, from);
      if (this.#backslash > this.#quote || this.#backslash === this.#text.length) {
        break;
      }
      from = this.#escape(this.#backslash);
    }
    this.#at = this.#quote + 1;
    if (this.#controlCharacters) {
      this.#findControl(start);
    }
    if (this.#quote === this.#text.length) {
      this.#failAtEnd('a string');
    }
    return from > start;
  }

  #findControl(start: number): void {
    const found = CONTROL.exec(this.#text.slice(start, this.#quote));
    if (found !== null) {
      this.#fail(CONTROL_FOUND, start + found.index + 1);
    }
  }

  #find(what: string, known: number, from: number): number {
    if (known >= from) {
      return known;
    }
    const found = this.#text.indexOf(what, from);
    return found === -1 ? this.#text.length : found;
  }

  /** @returns Where the string goes on. */
  #escape(at: number): number {
    const kind = this.#text.charCodeAt(at + 1);
    if (kind !== LOWER_U) {
      if (Number.isNaN(kind)) {
        this.#failAtEnd('a string');
      }
      if (!'"\\/bfnrt'.includes(String.fromCharCode(kind))) {
        this.#fail('invalid escape', at + 2);
      }
      return at + 2;
    }
    const unit = this.#hexEscape(at);
    if (unit >= 0xdc00 && unit <= 0xdfff) {
      this.#fail('lone leading surrogate in hex escape', at + 6);
    }
    if (unit < 0xd800 || unit > 0xdbff) {
      return at + 6;
    }
    if (this.#text.length < at + 8) {
      this.#failAtEnd('a string');
    }
    if (!this.#text.startsWith('\\u', at + 6)) {
      this.#fail('unexpected end of hex escape', at + 7);
    }
    const second = this.#hexEscape(at + 6);
    if (second < 0xdc00 || second > 0xdfff) {
      this.#fail('lone leading surrogate in hex escape', at + 12);
    }
    return at + 12;
  }

  #hexEscape(at: number): number {
    const digits = this.#text.slice(at + 2, at + 6);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) {
      if (digits.length < 4) {
        this.#failAtEnd('a string');
      }
      this.#fail('invalid escape', at + 6);
    }
    return Number.parseInt(digits, 16);
  }

  #number(): void {
    NUMBER.lastIndex = this.#at;
    if (!NUMBER.test(this.#text)) {
      this.#failAt(this.#text.charCodeAt(this.#at + 1), 'invalid number', 'a value', this.#at + 1);
    }
    const end = NUMBER.lastIndex;
    UNFINISHED.lastIndex = end;
    if (UNFINISHED.test(this.#text)) {
      const wrong = UNFINISHED.lastIndex;
      this.#failAt(this.#text.charCodeAt(wrong), 'invalid number', 'a value', wrong);
    }
    this.#at = end;
  }

  #keyword(): void {
    const rest = this.#text.slice(this.#at, this.#at + 5);
    const first = rest.charAt(0);
    const keyword = KEYWORDS.find((word) => word.startsWith(first));
    if (first === '' || keyword === undefined) {
      this.#failAt(first === '' ? NaN : 0, 'expected value', 'a value');
    }
    for (let index = 1; index < keyword.length; index++) {
      const found = rest.charAt(index);
      if (found !== keyword.charAt(index)) {
        this.#failAt(found === '' ? NaN : 0, 'expected ident', 'a value', this.#at + index);
      }
    }
    this.#at += keyword.length;
  }

  /** @param code The character that is not what it should be, NaN if the text ends before it. */
  #failAt(code: number, reason: string, inside: string, at = this.#at): never {
    if (Number.isNaN(code)) {
      this.#failAtEnd(inside);
    }
    this.#fail(reason, at + 1);
  }

  #failAtEnd(inside: string): never {
    throw new MessageFault(`EOF while parsing ${inside} at ${place(this.#text, '')}`);
  }

  /** @param consumed How many characters had been read, the last of which is the one that is wrong. */
  #fail(reason: string, consumed: number): never {
    const wrong = this.#text.charAt(consumed - 1);
    const before = this.#text.slice(0, consumed - 1);
    throw new MessageFault(`${reason} at ${place(before, wrong === '\n' ? wrong : '.')}`);
  }
}

/** A place as the real server gives it: in bytes, of which the character that is wrong counts as one. */
function place(before: string, wrong: string): string {
  const read = before + wrong;
  let line = 1;
  let start = 0;
  // The text may be nothing but newlines, and long: nothing is made of each.
  for (let found = read.indexOf('\n'); found !== -1; found = read.indexOf('\n', start)) {
    line += 1;
    start = found + 1;
  }
  return `line ${line} column ${Buffer.byteLength(read.slice(start))}`;
}

// The characters that a string may contain only in escapes.
const CONTROL = /[\u0000-\u001f]/;
const CONTROL_FOUND = 'control character (\\u0000-\\u001F) found while parsing a string';
