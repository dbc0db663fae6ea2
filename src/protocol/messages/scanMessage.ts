import { MAX_DEPTH, MAX_VALUES } from '../limits.js';
import { excerpt } from './errors.js';

/** Why what a client sent is no message: a sentence. */
export class MessageFault extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'MessageFault';
  }
}

/**
 * Looks through a client's message before it is parsed, once and without building anything. It finds what `JSON.parse`
 * does not mind and the wire does: too much nesting, too many values, a name twice in one object, half a surrogate pair.
 * What passes is JSON, but for control characters and escapes in strings, which the parser looks at.
 *
 * @returns The `id` as it is written, if the message is an object that has one: parsing could lose its last digits.
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
  /** The character that is looked at. */
  #at = 0;
  #depth = 0;
  #values = 0;
  #id: string | undefined;
  /** The next of each from where was last asked; they are found by native searches, and each but once. */
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
      // The parser will find what is wrong with it as well.
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

  /** @returns Where the string goes on. */
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

  /** What `\u` and four digits stand for; NaN if that is not what is there. */
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

  /** The parser knows what is wrong and where. */
  #notJson(): never {
    parseJson(this.#text);
    throw new MessageFault('it is not JSON');
  }
}

/** @throws MessageFault with the words of the parser. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new MessageFault(`it is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
