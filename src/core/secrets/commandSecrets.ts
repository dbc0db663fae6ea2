import { isFlag, isSecret, isSureName } from './names.js';
import { NO_RULES, type ProgramRules, rulesOf, WORDS_OF_LAST } from './programs.js';
import { ARGUMENT, insideAt, isLiteral, isPlain, OpenQuotes, type Span, spanOf, wordAt } from './values.js';

/** Blanks, ends of arguments, quotes, operators, and the rest: words without quotes. */
const TOKEN =
  /(?:[^\S\n]|\\\r?\n)+|\n|\0|\\*["']|[()`;]|&&|&(?![^\s\0"'])|\|[|&]?|<<<|[<>]+[&|]?|\\+|[^\s\0"'&|;()<>`\\]+/g;
const GAP = /(?:\\?["'],?)?(?:[^\S\n]|\\\r?\n)+|\\?["'],(?=\\?["'])|\0/y;
const BARE = /[^\s\0]+/y;
const FILE = /(?:[^\S\n]+|\0)?[^-\s\0"'`&|;()<>][^\s\0"'`&|;()<>]*/y;
const OPTION = /^(?:--?[A-Za-z_][\w.-]*|\/[A-Za-z]+)$/;
/** An option with which any program reads a secret from its input. */
const READS =
  /^--(?:(?:[\w-]+-)?(?:pass(?:word|phrase|wd)?|token|secret|key)-(?:on-)?stdin|with-token|passphrase-fd)/;
/** A variable that is printed, maybe after the form of `printf`. */
const STAND_IN = /^(?:["']?%[-\w\\%]*["']?[\s\0]+)?"?\$[\w{(]/;
const HEAD = 60;
/** The most characters before the separator that a secret follows. */
const LONGEST_USER = 200;
/** Programs that run another one, so that this one is still the first word of its command. */
const RUNNERS = new Set(['sudo', 'doas']);
/** Quotes and parentheses inside each other beyond this are not told apart. */
const DEEPEST = 8;

/** A command, as far as it has been read. */
interface Command {
  program: string;
  rules: ProgramRules | undefined;
  words: number;
  /** Whether the next word is the secret of the rule `first`. */
  wantsFirst: boolean;
  /** The last word that is no option, for the rule `last`. */
  lastStart: number;
  inLast: boolean;
  lastEnd: number;
  /** The words that `echo` or `printf` prints. */
  printed: Span | undefined;
  printsFrom: number | undefined;
  /** The text that comes in, and whether the program reads a secret from there. */
  input: Span | undefined;
  reads: boolean;
}

interface Level {
  readonly closing: string;
  readonly outer: Command;
  /** Whether a command has ended on this level: then the outer one does not go on from here. */
  ended: boolean;
}

/** The secrets that programs are given as arguments, as input, or after options whose names tell them. */
export function commandSecrets(text: string): CommandSecrets {
  return new CommandReader(text).read();
}

interface CommandSecrets {
  readonly secrets: readonly Span[];
  /** The places of values that are not secret, although the name of their option says so. */
  readonly plain: ReadonlySet<number>;
}

/** Reads a text as commands, in quotes as well: there they are arguments of a shell, of ssh or of a log. */
class CommandReader {
  readonly #text: string;
  readonly #spans: Span[] = [];
  readonly #plain = new Set<number>();
  readonly #levels: Level[] = [];
  readonly #quotes: OpenQuotes;
  #command = newCommand();
  /** Everything before this place has been read. */
  #done = 0;
  /** Whether a word can begin here. */
  #boundary = true;

  constructor(text: string) {
    this.#text = text;
    this.#quotes = new OpenQuotes(text);
  }

  read(): CommandSecrets {
    for (const { 0: token, index } of this.#text.matchAll(TOKEN)) {
      if (index >= this.#done) {
        this.#take(token, index);
      }
    }
    this.#endArgument();
    this.#endCommand();
    return { secrets: this.#spans, plain: this.#plain };
  }

  #take(token: string, at: number): void {
    const last = token.at(-1) ?? '';
    if (token === ARGUMENT) {
      this.#endArgument();
      this.#boundary = true;
      if (/\s/.test(this.#text[spanOf(BARE, this.#text, at + 1)?.end ?? at + 1] ?? '')) {
        // An argument with several words is a text of its own, maybe with commands.
        this.#begin(at + 1);
        this.#open(ARGUMENT);
      }
    } else if (/["'`()]/.test(last)) {
      this.#quote(token, at);
    } else if (/\s/.test(last)) {
      if (token === '\n') this.#endCommand();
      this.#boundary = true;
    } else if (/^[;&|]/.test(token)) {
      const { printed } = this.#command;
      this.#endCommand();
      this.#command.input = /^\|&?$/.test(token) ? printed : undefined;
      this.#boundary = true;
    } else if (token === '<<<') {
      this.#takeInput(at + token.length);
    } else if (/^[<>]/.test(token)) {
      this.#done = spanOf(FILE, this.#text, at + token.length)?.end ?? this.#done;
    } else {
      // A path of Windows ends with its program.
      if (this.#boundary || token.endsWith('.exe')) this.#word(token, at);
      this.#boundary = false;
      this.#reach(at + token.length);
    }
  }

  /** Quotes and parentheses: a command in them is an argument of the one outside. */
  #quote(token: string, at: number): void {
    if (this.#levels.some(({ closing }) => closing === token)) {
      if (/[)`]/.test(token)) this.#endCommand();
      this.#close(token);
      this.#boundary = false;
      this.#reach(at + token.length);
    } else if (token !== ')' && !/\w/.test(this.#text[at - 1] ?? '')) {
      if (this.#boundary) this.#begin(at);
      this.#open(token === '(' ? ')' : token);
    }
  }

  #open(closing: string): void {
    if (this.#levels.length < DEEPEST) {
      this.#levels.push({ closing, outer: this.#command, ended: false });
      this.#command = { ...this.#command, program: '' };
    }
    this.#boundary = true;
  }

  #close(closing: string): void {
    const place = this.#levels.findLastIndex((level) => level.closing === closing);
    for (const { ended, outer } of place < 0 ? [] : this.#levels.splice(place).reverse()) {
      if (ended) this.#maskLast();
      const { program, lastStart, inLast, words } = outer;
      const inner = this.#command;
      this.#command = ended
        ? outer
        : { ...inner, program: program || inner.program, lastStart, inLast, words: words + 1 };
    }
  }

  #endArgument(): void {
    const [outermost] = this.#levels;
    if (outermost !== undefined) this.#close(outermost.closing);
  }

  #endCommand(): void {
    this.#maskLast();
    this.#command = newCommand();
    const level = this.#levels.at(-1);
    if (level !== undefined) level.ended = true;
  }

  #maskLast(): void {
    const { rules, words, lastStart, lastEnd } = this.#command;
    const isLast = rules?.last === true && words >= WORDS_OF_LAST && lastEnd > lastStart;
    if (isLast && !isPlain(this.#text, lastStart, isLiteral(this.#text, lastStart, ''))) {
      this.#mask({ start: lastStart, end: lastEnd });
    }
  }

  #begin(at: number): void {
    const command = this.#command;
    command.inLast = !/[-/\\]/.test(this.#text[at] ?? '');
    if (command.inLast) command.lastStart = at;
    command.printsFrom ??= isPrinter(command.program) && this.#text[at] !== '-' ? at : undefined;
  }

  /** The command reaches up to here. */
  #reach(end: number): void {
    const command = this.#command;
    if (command.inLast) command.lastEnd = end;
    if (command.printsFrom !== undefined) {
      command.printed = { start: command.printsFrom, end };
    }
  }

  #word(word: string, at: number): void {
    const command = this.#command;
    const program = word
      .replace(/^.*[/\\]/, '')
      .toLowerCase()
      .replace(/\.exe$/, '');
    const isFirst = !word.startsWith('-') && (command.program === '' || RUNNERS.has(command.program));
    if (!/^[-/\\]/.test(word)) command.words += 1;
    // `http-basic.example.com` is a subcommand with its own word.
    const sub = rulesOf(command.program, word.replace(/(?<=\w)\..*/, ''));
    const known = sub ?? rulesOf(program);
    // A word such as `set` is a subcommand of many programs.
    const rules = known?.names === true && sub === undefined && hasRules(command) ? undefined : known;
    this.#begin(at);
    if (READS.test(word) || (command.program === 'sudo' && /^(?:-[A-Za-z]*S|--stdin$)/.test(word))) {
      this.#reads();
    }
    const end = at + word.length;
    if (rules !== undefined) {
      command.rules = rules;
      command.words = 0;
      if (sub === undefined) command.program = program;
      command.wantsFirst = rules.first !== undefined;
      if (rules.reads && (isFirst || sub !== undefined)) this.#reads();
      return;
    }
    if (isFirst) command.program = program;
    if (command.wantsFirst && !/^(?:-|[a-z_]+=.)/.test(word)) {
      command.wantsFirst = false;
      this.#maskWord(at, command.rules?.first ?? '');
    } else if (command.rules?.pairs === true && /^\w[\w.-]*=/.test(word)) {
      this.#maskWord(at + word.indexOf('=') + 1, '');
    } else if (!this.#option(word, at, end)) {
      this.#named(word, end);
    }
  }

  /** Masks the value of an option of this program. */
  #option(word: string, at: number, end: number): boolean {
    const options = this.#command.rules?.options;
    const [, name = word, glue = ''] = /^(--[\w-]+|\/\w+)([=:])/.exec(word) ?? [];
    const whole = options?.get(name);
    if (this.#command.rules?.plain.has(name) === true) this.#plain.add(at + name.length + 1);
    if (whole !== undefined) {
      if (glue !== '') this.#maskWord(at + name.length + 1, whole.separator, at);
      else if (whole.apart || /["']/.test(this.#text[end] ?? '')) this.#maskNext(end, whole.separator);
      else return false;
      return true;
    }
    for (const length of [2, 3]) {
      const glued = options?.get(word.slice(0, length));
      // `-password` is a name of its own, and `-ppassword` is not.
      const isName = isSureName(word) && !isSureName(word.slice(length));
      if (glued?.glued === true && !isName) {
        this.#maskWord(at + length, glued.separator, at);
        return true;
      }
    }
    // `-su bob:secret`
    const separator = options?.get(word.replace(/^-[A-Za-z]+(?=[A-Za-z]$)/, '-'))?.separator ?? '';
    if (separator !== '') this.#maskNext(end, separator);
    return separator !== '';
  }

  /** Masks what follows a name that tells a secret: `--password …`, `set API_TOKEN …`. */
  #named(word: string, end: number): void {
    const { rules } = this.#command;
    const isOption = OPTION.test(word);
    const isName = !isOption && rules?.names === true;
    if (!(isOption && !isFlag(word) && rules?.plain.has(word) !== true) && !isName) return;
    const start = this.#next(end);
    if (isSecret(word, this.#text, start, this.#quotes.at(start))) this.#maskNext(end, '');
  }

  #next(end: number): number {
    return spanOf(GAP, this.#text, end)?.end ?? end;
  }

  #maskNext(end: number, separator: string): void {
    const start = this.#next(end);
    // A secret may begin with a dash as well as the next option.
    if (!/^["']?-(?:-|[A-Za-z]?(?:[\s\0"']|$))/.test(this.#text.slice(start, start + 4))) {
      this.#maskWord(start, separator);
    }
  }

  /** Masks the word here, or its part after the separator. */
  #maskWord(start: number, separator: string, wordStart = start): void {
    const text = this.#text;
    const place = text.slice(start, start + LONGEST_USER).indexOf(separator);
    const from = start + place + separator.length;
    const open = this.#quotes.at(start);
    // No word that stays is read to its end: that keeps the work linear.
    if (place < 0 || isPlain(text, from, isLiteral(text, start, open))) return;
    const opening = text[wordStart - 1] ?? '';
    const isWhole = opening === ARGUMENT || (wordStart < start && /["']/.test(opening));
    const span = isWhole ? insideAt(text, start, opening) : wordAt(text, start, open);
    if (span !== undefined && from < span.end) {
      const quote = separator === '' ? '' : (/^["']/.exec(text.slice(start, start + 1))?.[0] ?? '');
      this.#mask({
        start: from,
        end: quote !== '' && text[span.end - 1] === quote ? span.end - 1 : span.end,
      });
      this.#done = span.end;
      this.#boundary = false;
      this.#reach(span.end);
    }
  }

  #mask(span: Span): void {
    this.#spans.push(span);
  }

  #takeInput(at: number): void {
    const start = spanOf(/[^\S\n]+/y, this.#text, at)?.end ?? at;
    this.#command.input = wordAt(this.#text, start, this.#quotes.at(start));
    this.#done = this.#command.input?.end ?? this.#done;
    this.#maskInput();
  }

  #reads(): void {
    this.#command.reads = true;
    this.#maskInput();
  }

  #maskInput(): void {
    const { reads, input } = this.#command;
    if (reads && input !== undefined && !STAND_IN.test(this.#text.slice(input.start, input.start + HEAD))) {
      this.#mask(input);
    }
  }
}

function newCommand(): Command {
  return {
    program: '',
    rules: undefined,
    words: 0,
    wantsFirst: false,
    lastStart: 0,
    inLast: false,
    lastEnd: 0,
    printed: undefined,
    printsFrom: undefined,
    input: undefined,
    reads: false,
  };
}

function hasRules({ rules }: Command): boolean {
  return rules !== undefined && rules !== NO_RULES;
}

function isPrinter(program: string): boolean {
  return program === 'echo' || program === 'printf';
}
