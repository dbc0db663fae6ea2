import { isSecret, isSureName } from './names.js';
import { ARGUMENT, insideAt, OpenQuotes, type Span, spanOf, wordAt } from './values.js';

/** A name, the quote after it, and what leads to its value. No place inside a name is tried: the search is linear. */
const NAMED = /(?<![\w.-])([\w.-]+)(\\?["'])?([^\S\n]{0,4}(?:=>|:=|[=:](?![=:~]))[^\S\n]{0,4})/g;
const BEFORE = 40;
/** The end of the text before a name that begins a line of YAML, or a member without quotes. */
const BEGINS_LINE = /(?:^|[\n"'{,\0]|\\n)[^\S\n]*(?:-[^\S\n]+)?$/;
/** A value that ends its line, its quotes or its braces: otherwise it is the begin of a sentence. */
const LINE_VALUE =
  /(?:"[^"\n\0]{1,4096}"|'[^'\n\0]{1,4096}'|[^\s\0"',{}\\]{1,4096})(?=[^\S\n]{0,40}(?:$|[\n\0"',}]|\\[n"']))/y;
const BARE_MEMBER = /[^\s\0,}\]"']+/y;
const HEADER_NAME = /^[A-Za-z]+-[A-Za-z-]+$/;
const HEADER_VALUE = /[^\s\0"']+/y;

/** The values of names that announce a secret: `TOKEN=…`, `--password:…`, `"apiKey": "…"`, `X-Api-Key: …`. */
export function namedSecrets(text: string): readonly Span[] {
  const spans: Span[] = [];
  const quotes = new OpenQuotes(text);
  let done = 0;
  for (const { 0: whole, 1: name = '', 2: quote, 3: leads = '', index } of text.matchAll(NAMED)) {
    const start = index + whole.length;
    if (index >= done && isSecret(name, text, start)) {
      const named = { name, quote, leads, index, start, open: quotes.at(start) };
      const span =
        leads.trim().startsWith(':') && leads.trim() !== ':='
          ? afterColon(text, named)
          : afterEquals(text, named);
      if (span !== undefined) {
        spans.push(span);
        done = span.end;
      }
    }
  }
  return spans;
}

interface Named {
  readonly name: string;
  /** The quote after the name. */
  readonly quote: string | undefined;
  readonly leads: string;
  readonly index: number;
  /** The place of the value, and the quote that is open there. */
  readonly start: number;
  readonly open: string;
}

function afterEquals(text: string, { name, quote, leads, index, start, open }: Named): Span | undefined {
  const before = text[index - 1] ?? '';
  if (/\s/.test(leads)) {
    // With blanks it is an assignment of a program, or a comparison.
    return isSureName(name) && !/["[(]\s?\$$/.test(text.slice(Math.max(0, index - 3), index))
      ? quoted(text, start)
      : undefined;
  }
  if (quote === undefined && /["'\0]/.test(before) && !/^\\?["']/.test(text.slice(start, start + 2))) {
    // A quote before the name ends the value: `'TOKEN=two words'`.
    const opening = before !== ARGUMENT && text[index - 2] === '\\' ? `\\${before}` : before;
    return insideAt(text, start, opening);
  }
  const word = wordAt(text, start, open);
  const comma = before === ',' && word !== undefined ? text.slice(start, word.end).indexOf(',') : -1;
  return comma < 0 ? word : { start, end: start + comma };
}

function afterColon(text: string, { name, quote, leads, index, start, open }: Named): Span | undefined {
  if (quote !== undefined) {
    return quoted(text, start) ?? spanOf(BARE_MEMBER, text, start);
  }
  const before = text.slice(Math.max(0, index - BEFORE), index);
  if (leads === ':' && (name.startsWith('-') || /(?:^|[\s\0"'])\/$/.test(before))) {
    return wordAt(text, start, open);
  }
  if (HEADER_NAME.test(name) && !before.endsWith('/')) {
    return spanOf(HEADER_VALUE, text, start);
  }
  const isSpaced = /\s/.test(leads) || /["']/.test(text[start] ?? '');
  const begins =
    isSpaced && BEGINS_LINE.test(before) && (index <= BEFORE || !/^[^\S\n]*(?:-[^\S\n]+)?$/.test(before));
  return begins && isSureName(name) ? spanOf(LINE_VALUE, text, start) : undefined;
}

/** The text in the quotes at this place. */
function quoted(text: string, start: number): Span | undefined {
  const quote = /^\\?["']/.exec(text.slice(start, start + 2))?.[0];
  return quote === undefined ? undefined : insideAt(text, start + quote.length, quote);
}
