import { messageOf } from '../../core/index.js';
import { MAX_DEPTH, MAX_VALUES } from '../limits.js';
import { excerpt } from './errors.js';

/** The fault of a text that is not a client's message, in a sentence. */
export class MessageFault extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'MessageFault';
  }
}

/**
 * Scans a client's message before it is parsed, once and without building anything. It finds the faults that only
 * `JSON.parse` tolerates. They are too much nesting, too many values, a name twice in one object, and half a surrogate
 * pair. A text without these faults is JSON, except that the parser still checks control characters and escapes in
 * strings.
 *
 * @returns the `id` as the client wrote it, if the message is an object that has one: parsing could lose its last
 *   digits.
 * @throws MessageFault
 */
export function scanMessage(text: string): string | undefined {
  return new Scanner(text).scan();
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const LOWER_U = 0x75;

const SCALAR = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;

class Scanner {
  readonly #text: string;
  /** The index of the current character. */
  #at = 0;
  #depth = 0;
  #values = 0;
  #id: string | undefined;
  /**
   * The index of the next quote and of the next backslash, as last searched for. Native searches find them, and each is
   * found only once.
   */
  #quote = -1;
  #backslash = -1;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): string | undefined {
    this.#value();
    if (!Number.isNaN(this.#next())) {
      this.#notJson();
    }
    return this.#id;
  }

  /** Skips white space and returns the next character; NaN at the end. */
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
      throw new MessageFault(`it has more than ${MAX_VALUES} values`);
    }
    if (code === QUOTE) {
      this.#string();
    } else if (code === OPEN_OBJECT) {
      this.#nested(() => this.#object());
    } else if (code === OPEN_ARRAY) {
      this.#nested(() => this.#array());
    } else {
      this.#scalar();
    }
  }

  #nested(scan: () => void): void {
    this.#at += 1;
    if (this.#depth === MAX_DEPTH) {
      throw new MessageFault(`its values are nested deeper than ${MAX_DEPTH} levels`);
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
        this.#notJson();
      }
      const name = this.#name();
      if (names.has(name)) {
        throw new MessageFault(`the member ${excerpt(name)} is twice in one object`);
      }
      names.add(name);
      if (this.#next() !== COLON) {
        this.#notJson();
      }
      this.#at += 1;
      this.#member(name);
      code = this.#next();
      if (code === CLOSE_OBJECT) {
        return;
      }
      if (code !== COMMA) {
        this.#notJson();
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
    if (this.#next() === CLOSE_ARRAY) {
      return;
    }
    for (;;) {
      this.#value();
      const code = this.#next();
      if (code === CLOSE_ARRAY) {
        return;
      }
      if (code !== COMMA) {
        this.#notJson();
      }
      this.#at += 1;
    }
  }

  /** @returns the name without its quotes, and with its escapes decoded. */
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
      // The parser will report the fault.
      return literal;
    }
  }

  /** @returns whether the string contains escapes. */
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
    if (this.#quote === this.#text.length) {
      this.#notJson();
    }
    return from > start;
  }

  #find(what: string, known: number, from: number): number {
    if (known >= from) {
      return known;
    }
    const found = this.#text.indexOf(what, from);
    return found === -1 ? this.#text.length : found;
  }

  /** @returns the index after the escape. */
  #escape(at: number): number {
    const unit = this.#unit(at);
    if (!(unit >= 0xd800 && unit <= 0xdfff)) {
      return at + 2;
    }
    const second = this.#unit(at + 6);
    if (unit > 0xdbff || !(second >= 0xdc00 && second <= 0xdfff)) {
      throw new MessageFault('a string has half a surrogate pair in it');
    }
    return at + 12;
  }

  /** The code unit of the escape `\u` with four digits; NaN if there is no such escape. */
  #unit(at: number): number {
    const digits = this.#text.charCodeAt(at + 1) === LOWER_U ? this.#text.slice(at + 2, at + 6) : '';
    return this.#text.startsWith('\\', at) && /^[0-9a-fA-F]{4}$/.test(digits)
      ? Number.parseInt(digits, 16)
      : NaN;
  }

  #scalar(): void {
    SCALAR.lastIndex = this.#at;
    if (!SCALAR.test(this.#text)) {
      this.#notJson();
    }
    this.#at = SCALAR.lastIndex;
  }

  /** Makes the parser throw, since it knows the fault and its place. */
  #notJson(): never {
    parseJson(this.#text);
    throw new MessageFault('it is not JSON');
  }
}

/**
 * Parses JSON.
 *
 * @throws MessageFault with the parser's message.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new MessageFault(`it is not JSON: ${messageOf(error)}`);
  }
}
