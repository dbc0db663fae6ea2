import { isSecret, isSureName } from './names.js';
import { ARGUMENT, insideAt, isPlainWords, OpenQuotes, type Span, spanOf, wordAt } from './values.js';

/** A name, the quote after it, and what leads to its value. No place inside a name is tried: the search is linear. */
const NAMED = /(?<![\w.-])([\w.-]+)(\\?["']\]?)?([^\S\n]{0,4}(?:=>|:=|[=:](?![=:~]))[^\S\n]{0,4})/g;
const BEFORE = 40;
const BEFORE_SCRIPT = 120;
/** The end of the text before a name that begins a line of YAML, or a member without quotes. */
const BEGINS_LINE = /(?:^|[\n"'{,\0]|\\n)[^\S\n]*(?:-[^\S\n]+)?$/;
/** A value that ends its line, its quotes or its braces: otherwise it is the begin of a sentence. */
const LINE_VALUE =
  /(?:"[^"\n\0]{1,4096}"|'[^'\n\0]{1,4096}'|[^\s\0"',{}\\]{1,4096})(?=[^\S\n]{0,40}(?:$|[\n\0"',}]|\\[n"']))/y;
const BARE_MEMBER = /[^\s\0,}\]"']+/y;
/** The end of the text before a script in quotes, or in an argument: `bash -c "`, `ssh host "`. */
const BEGINS_SCRIPT =
  /(?:^|[\s\0/"'(])(?:(?:eval|ssh|watch|tmux|screen|concurrently)[\s\0][^;&|\n]*|(?:--?[a-z]*c|--?command|--exec|\/c)[\s\0=])[\s\0]*\\?["']?$/i;
/** The end of the text before a column of a table, or a label. */
const BEGINS_COLUMN = /(?:\b(?:where|and|or|set)|[\s\0]-l|--(?:label|selector))[\s\0=]\\?["']?$/i;
const HEADER_NAME = /^[A-Za-z]+-[A-Za-z-]+$/;
const HEADER_VALUE = /[^\s\0"']+/y;

/** The values of names that announce a secret: `TOKEN=…`, `--password:…`, `"apiKey": "…"`, `X-Api-Key: …`. */
export function namedSecrets(text: string): readonly Span[] {
  const spans: Span[] = [];
  const quotes = new OpenQuotes(text);
  let done = 0;
  for (const { 0: whole, 1: name = '', 2: quote, 3: leads = '', index } of text.matchAll(NAMED)) {
    const start = index + whole.length;
    if (index < done) continue;
    const open = quotes.at(start);
    const isDefault = text.endsWith('${', index);
    if (!isDefault && isSecret(name, text, start, open)) {
      const named = { name, quote, leads, index, start, open };
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
      ? quoted(text, start, open)
      : undefined;
  }
  if (!isSureName(name) && BEGINS_COLUMN.test(text.slice(Math.max(0, index - BEFORE), index))) {
    return undefined;
  }
  if (
    quote === undefined &&
    /["'\0]/.test(before) &&
    !/^\\?["']/.test(text.slice(start, start + 2)) &&
    !isScript(text, index)
  ) {
    // A quote before the name ends the value: `'TOKEN=two words'`.
    const opening = before !== ARGUMENT && text[index - 2] === '\\' ? `\\${before}` : before;
    return insideAt(text, start, opening);
  }
  // Members are separated by commas: only this one is read.
  const comma = before === ',' && !/["'\\]/.test(text[start] ?? '') ? text.indexOf(',', start) : -1;
  return wordAt(comma < 0 ? text : text.slice(0, comma), start, open);
}

function afterColon(text: string, { name, quote, leads, index, start, open }: Named): Span | undefined {
  if (quote !== undefined) {
    return quoted(text, start, open) ?? spanOf(BARE_MEMBER, text, start);
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
  // A text in quotes may be a title: `"token: expired"`.
  const isTitle =
    /(?<!(?:-H|--header)[\s\0=]?)["']$/.test(before) && !/pass/i.test(name) && isPlainWords(text, start);
  return begins && !isTitle && isSureName(name) ? spanOf(LINE_VALUE, text, start) : undefined;
}

function isScript(text: string, index: number): boolean {
  return BEGINS_SCRIPT.test(text.slice(Math.max(0, index - BEFORE_SCRIPT), index));
}

/** The text in the quotes that open at this place. */
function quoted(text: string, start: number, open: string): Span | undefined {
  const quote = /^\\?["']/.exec(text.slice(start, start + 2))?.[0];
  return quote === undefined || quote === open ? undefined : insideAt(text, start + quote.length, quote);
}
