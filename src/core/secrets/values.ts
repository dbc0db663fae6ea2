/** A part of a text: from `start` up to, but not including, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Stands before each argument in a text of arguments, which cannot contain it. */
export const ARGUMENT = '\0';

/** One word of a shell, with quotes anywhere in it; a quote that was cut off reaches to the end. */
const WORD = /(?:"(?:[^"\\\0]|\\[^\0])*(?:"|\\?)|'[^'\0]*'?|\\\r?\n|\\(?=\0|$)|[^\s\0"'&;|<>()`])+/y;
/** A word inside quotes: these end it. */
const WORD_IN: Readonly<Record<string, RegExp>> = {
  '"': /(?:'[^'"\0]*'|\\[^\0"'\n]|[^\s\0"'\\&;|<>()`])+/y,
  "'": /(?:"[^'"\0]*"|\\[^\0"'\n]|[^\s\0"'\\&;|<>()`])+/y,
};
/** A whole text in quotes. */
const QUOTED = /"(?:[^"\\\0]|\\[^\0])*"|'[^'\0]*'|\\"(?:[^"\\\0]|\\(?!")[^\0])*\\"/y;
/** The text up to the same quote again, by that quote. */
const INSIDE: Readonly<Record<string, RegExp>> = {
  '"': /(?:[^"\\\0]|\\[^\0])+/y,
  "'": /(?:[^'\\\0]|\\[^\0])+/y,
  '\\"': /(?:[^"\\\0]|\\(?!")[^\0])+/y,
  "\\'": /(?:[^'\\\0]|\\(?!')[^\0])+/y,
  [ARGUMENT]: /[^\0]+/y,
};

/** Tells the quotes that are open at places of a text, which are asked in their order. */
export class OpenQuotes {
  readonly #quotes: RegExpStringIterator<RegExpExecArray>;
  #next: IteratorResult<RegExpExecArray>;
  #open = '';

  constructor(text: string) {
    this.#quotes = text.matchAll(/(?<![a-z])'(?![a-z]{1,2}\b)|\\?["']|\0/gi);
    this.#next = this.#quotes.next();
  }

  at(place: number): string {
    while (this.#next.done !== true && this.#next.value.index < place) {
      const quote = this.#next.value[0];
      if (quote === ARGUMENT) this.#open = '';
      else if (this.#open === '' && !quote.startsWith('\\')) this.#open = quote;
      else if (quote === this.#open || (quote === "\\'" && this.#open === "'")) this.#open = '';
      this.#next = this.#quotes.next();
    }
    return this.#open;
  }
}

/** The word at this place, inside an open quote or none. */
export function wordAt(text: string, start: number, open: string): Span | undefined {
  const first = /^\\?["']/.exec(text.slice(start, start + 2))?.[0];
  const inside = WORD_IN[open];
  if (first !== undefined && first !== open && text[start + first.length] === open) {
    // `"token='"`: the outer quote ends at once.
    return undefined;
  }
  if (first !== undefined && first === open) {
    // The quote ends here, unless it is one that is written inside itself.
    return text.startsWith(`'\\''`, start) ? spanOf(WORD, text, start) : undefined;
  }
  if (first !== undefined && (inside !== undefined || first.length > 1)) {
    return spanOf(QUOTED, text, start) ?? spanOf(WORD, text, start);
  }
  if (inside !== undefined) {
    return spanOf(inside, text, start);
  }
  const whole = first === undefined ? undefined : spanOf(QUOTED, text, start);
  return whole !== undefined && /[,\]}]/.test(text[whole.end] ?? '') ? whole : spanOf(WORD, text, start);
}

/** The text from here up to the quote or the end of the argument that ends it. */
export function insideAt(text: string, start: number, quote: string): Span | undefined {
  const inside = INSIDE[quote];
  return inside && spanOf(inside, text, start);
}

export function spanOf(sticky: RegExp, text: string, start: number): Span | undefined {
  sticky.lastIndex = start;
  return sticky.test(text) ? { start, end: sticky.lastIndex } : undefined;
}

/** The characters that suffice to tell that a value is not a secret. */
const HEAD = 200;
const END = String.raw`(?=["'\\\s\0,;:)&|}\]]|$)`;
const VARIABLE = String.raw`\$(?:\w+|\{[^}]*\}|env:\w+)`;
const WORDS =
  'true|false|yes|no|on|off|none|null|nil|undefined|auto|always|never|required?|optional|value|string|number|boolean|bool|any|unknown|any|int|text|redacted|\\.{3}';
const DIRECTORY =
  'home|root|etc|var|run|tmp|opt|usr|srv|mnt|media|data|dev|proc|users|private|volumes|workspaces?|apps?|secrets|keys|certs|work|build|path';
const EXTENSION =
  'pem|key|crt|cer|pub|json|ya?ml|txt|env|p12|pfx|jks|gpg|asc|ppk|kdbx|conf|cfg|ini|toml|xml|[cm]?[jt]sx?|py|go|rs|rb|md|sh|html?|css|sql|csv|log|lock|png|jpe?g|pdf|zip|gz|tar';
/** Variables, places, flags and stand-ins: values that only say where a secret is, or that there is one. */
const PLAIN = new RegExp(
  String.raw`^(?:""|''|\\"\\")${END}|^["'\\]{0,4}(?!["'\\])(?:` +
    [
      String.raw`\*{3}`,
      String.raw`${VARIABLE}(?:${END}|[/@])|\$[({]|\x60|%\w*%|%[sqv]|\{\{|\{|<|\[`,
      String.raw`(?:~|\.{1,2}|[A-Za-z]:)[\\/]|/(?:${DIRECTORY})\b|file:|env:|fd:|@|\.\w|(?:process\.)?env\.|os\.environ|(?:secrets|vars|config)\.`,
      String.raw`[\w./\\~:-]+\.(?:${EXTENSION})${END}`,
      String.raw`(?:id|type|src|source|name|target)=|[\w-]+:latest${END}|latest${END}`,
      String.raw`[^\w\s"'\0]{1,3}${END}`,
      // A pattern of a search, and a call in code.
      String.raw`[.swd][*+]|x{3,}(?:${END}|/)|[a-z]\w*(?:\.\w+)+\(|https?://`,
      String.raw`(?:${WORDS})${END}`,
    ].join('|') +
    ')',
  'i',
);
/** The same in single quotes, where a shell puts in nothing: only a whole text is a stand-in. */
const PLAIN_LITERAL = new RegExp(
  String.raw`^(?:''|'?(?:` +
    [
      String.raw`\*{3}|\$[A-Z_][A-Z\d_]*|\$?\{+[^}']*\}+|\$\([^)']*\)|<[^>']*>|\[[^\]']*\]|%\w*%|%[sqv]`,
      String.raw`(?:~|\.{1,2}|[A-Za-z]:)?[\\/][^']*|[\w./\\~:-]+\.(?:${EXTENSION})|[^\w\s"'\0]{1,3}|${WORDS}|x{3,}`,
    ].join('|') +
    String.raw`))(?=['\s\0]|$)`,
);
const NUMBER = /^["'\\]{0,4}\d{1,3}(?:[.,]\d{1,3})*[a-z]?(?=["'\\\s\0)}\]]|[,;:&|](?!\w)|$)/i;
const PLAIN_WORDS = new RegExp(String.raw`^["']?(?:[a-z]+(?:[-_./][a-z]+)*(?!:\w)|[\d.,]+)${END}`);

/** Whether the value at this place, maybe in single quotes, is evidently not a secret. */
export function isPlain(text: string, at: number, isLiteral: boolean): boolean {
  return (isLiteral ? PLAIN_LITERAL : PLAIN).test(text.slice(at, at + HEAD));
}

/** Whether single quotes open at this place, inside an open quote or none. */
export function isLiteral(text: string, at: number, open: string): boolean {
  return open === '' && text[at] === "'";
}

/** Whether it is a small number, which no name makes a secret. */
export function isNumber(text: string, at: number): boolean {
  return NUMBER.test(text.slice(at, at + HEAD));
}

/** Whether it is a number or plain words, which are a secret only if its name says so. */
export function isPlainWords(text: string, at: number): boolean {
  return PLAIN_WORDS.test(text.slice(at, at + HEAD));
}
