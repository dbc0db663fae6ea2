/** The end of the prompts of shells and the like, among them those for further lines of one command. */
const LOOKS_LIKE_PROMPT = /(?:[$#%>❯➜»]|\.\.\.:?)\s*$/u;
/** The prompts of Python, Node and many others that read lines themselves, without a sequence that says so. */
const OF_REPL = /^(?:[^\s<]*> |\.\.\.:? ?)$/;
/** How a terminal shows control characters that were typed, such as `^C`. */
const CARETS = /^(?:\^[@-_?])+/;
/** No beginning of an echo is looked for in a longer line that is still being written. */
const LONGEST_BEGINNING = 1_000;
/** A longer text before a typed line is no prompt, in UTF-16 units. */
const LONGEST_PROMPT = 1_000;
/** An echo is one of so many of the next typed lines: earlier ones may have come out of sight. */
const LINES_AHEAD = 50;

/** The facts about a line that may be an echo. */
interface EchoedLine {
  /** Whether it comes later than an echo does. Then only text after a known prompt counts as one. */
  readonly late: boolean;
  /** Whether it is still being written: then the beginning of an echo counts as one. */
  readonly growing: boolean;
  /** Whether a line editor was reading a line: then it stands after a prompt, whatever that looks like. */
  readonly atEditor: boolean;
}

interface TypedLine {
  readonly text: string;
  /**
   * Whether keys have changed it, such as one that brings back a command. Then any text after a known prompt is its
   * echo.
   */
  readonly edited: boolean;
  readonly ended: boolean;
}

/**
 * Recognises the echo of text typed into a terminal, line by line. Nothing marks an echo: a line counts as one if it is
 * a typed line that has not come yet, alone or after a prompt. A line that stands alone may also be output of the
 * program, so it counts only before all other text.
 */
export class Echo {
  #typed: readonly TypedLine[] = [];
  #prompts: ReadonlySet<string> = new Set();
  /** The first typed line that has not come alone. */
  #alone = 0;
  /** The first typed line that has not come after a prompt. A shell shows there again what was typed ahead. */
  #atPrompt = 0;
  /** The typed part of a line that has not ended. */
  #unended = '';
  /** Whether other text has come since the last echo, or since the input. */
  #other = false;

  /**
   * Takes note of an input.
   *
   * @param prompt The unfinished line at whose end it was typed; may be empty.
   * @param goesOn Whether the echo of the input before it may still come.
   */
  type(text: string, { prompt, goesOn }: { readonly prompt: string; readonly goesOn: boolean }): void {
    const before = comparable(prompt);
    const last = this.#typed.at(-1);
    const begun = last?.ended === false ? last.text : '';
    this.#learn(before.endsWith(begun) ? before.slice(0, before.length - begun.length) : before);
    const ended = last?.ended === false ? this.#typed.slice(0, -1) : this.#typed;
    const whole = this.#unended + text;
    this.#unended = partsOf(whole).at(-1) ?? '';
    this.#typed = [...ended, ...typedLines(whole)];
    this.#alone = goesOn ? Math.min(this.#alone, ended.length) : ended.length;
    this.#atPrompt = Math.min(this.#atPrompt, ended.length);
    this.#other = false;
  }

  /** A copy that takes lines without an effect on this one. */
  copy(): Echo {
    const copy = new Echo();
    copy.#typed = this.#typed;
    copy.#prompts = this.#prompts;
    copy.#alone = this.#alone;
    copy.#atPrompt = this.#atPrompt;
    copy.#unended = this.#unended;
    copy.#other = this.#other;
    return copy;
  }

  /** Takes the next line of the output. Returns whether it is echo. */
  take(text: string, about: EchoedLine): boolean {
    const nothingLeft = Math.min(this.#alone, this.#atPrompt) === this.#typed.length;
    const line = nothingLeft ? '' : comparable(text).replace(CARETS, '');
    if (line === '') {
      return false;
    }
    const found = this.#find(line, about) ?? this.#findEdited(line);
    if (found !== undefined) {
      this.#alone = Math.max(this.#alone, found.index + 1);
      if (found.prompt !== '') {
        this.#atPrompt = found.index + 1;
      }
      this.#learn(found.prompt);
      this.#other = false;
      return true;
    }
    if (about.growing) {
      return this.#begins(line, about);
    }
    this.#other = true;
    return false;
  }

  #find(line: string, about: EchoedLine): { readonly index: number; readonly prompt: string } | undefined {
    for (const index of this.#next()) {
      const { text = '' } = this.#typed[index] ?? {};
      if (text !== '' && line.endsWith(text)) {
        const prompt = line.slice(0, line.length - text.length);
        if (prompt.length <= LONGEST_PROMPT && this.#mayStand(index, prompt, about)) {
          return { index, prompt };
        }
      }
    }
    return undefined;
  }

  /** The indexes of the typed lines that may come next, alone or after a prompt. */
  #next(): readonly number[] {
    const from = [this.#alone, this.#atPrompt].sort((one, other) => one - other);
    const near = from.flatMap((start) => Array.from({ length: LINES_AHEAD }, (_, ahead) => start + ahead));
    return [...new Set(near)].filter((index) => index < this.#typed.length);
  }

  #findEdited(line: string): { readonly index: number; readonly prompt: string } | undefined {
    const index = this.#typed.findIndex(({ edited }, at) => edited && at >= this.#atPrompt);
    const form = promptForm(line);
    const prompt = [...this.#prompts].find((known) => form.startsWith(known) && form.length > known.length);
    return index < 0 || prompt === undefined ? undefined : { index, prompt };
  }

  /** Whether a line that is still being written may become the echo of the next typed line. */
  #begins(line: string, about: EchoedLine): boolean {
    if (line.length > LONGEST_BEGINNING) {
      return false;
    }
    return [this.#alone, this.#atPrompt].some((from) => {
      const index = this.#typed.findIndex(({ text }, at) => text !== '' && at >= from);
      const typed = this.#typed[index]?.text ?? '';
      return Array.from({ length: line.length }, (_, at) => at).some(
        (at) => typed.startsWith(line.slice(at)) && this.#mayStand(index, line.slice(0, at), about),
      );
    });
  }

  /** Whether a typed line may stand in the output now, with this before it. */
  #mayStand(index: number, prompt: string, { late, atEditor }: EchoedLine): boolean {
    const soon = !late && !this.#other;
    if (prompt === '' || index < this.#atPrompt) {
      return prompt === '' && index >= this.#alone && soon;
    }
    const form = promptForm(prompt);
    const known = this.#prompts.has(form) || (atEditor && form !== '');
    // A program that is slow to show its prompt repeats there what the terminal has already shown.
    const again = index < this.#alone && OF_REPL.test(prompt);
    return known || again || (LOOKS_LIKE_PROMPT.test(form) && (soon || this.#endsLikePrompt(form)));
  }

  /** Whether a line ends as a known prompt does: a shell's prompt may name its directory, which changes. */
  #endsLikePrompt(form: string): boolean {
    return [...this.#prompts].some((known) => known.endsWith(form.slice(-1)));
  }

  #learn(prompt: string): void {
    const form = promptForm(prompt);
    if (form !== '' && !this.#prompts.has(form)) {
      this.#prompts = new Set([...this.#prompts, form]);
    }
  }
}

const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|O.|.)?/gs;
const CONTROLS = /[\u0000-\u0008\u000e-\u001f\u007f]/g;
/** A key that is no character, and Tab, which may complete a word. */
const EDITS = /[\u0000-\u0009\u000e-\u001f\u007f]/;

/** The parts of an input between the ends of lines; the last one has not ended. Ctrl-C ends the line that it is in. */
function partsOf(text: string): readonly string[] {
  return text.split(/[\r\n\v\f]+|(?<=\u0003)/);
}

/** The lines that the echo of an input shows. Keys show nothing, but may have changed what was typed before them. */
function typedLines(input: string): readonly TypedLine[] {
  const parts = partsOf(input);
  return parts
    .map((part, index) => ({
      text: comparable(part.replace(SEQUENCES, '').replace(CONTROLS, '')),
      edited: EDITS.test(part),
      ended: index < parts.length - 1,
    }))
    .filter(({ text, edited, ended }) => (ended ? text !== '' || edited : text !== '' && !edited));
}

/**
 * A line in a form that ignores tabs, blanks at its end, and blanks before wide characters. Readline fills a row with a
 * blank when a wide character does not fit.
 */
function comparable(line: string): string {
  return line
    .replace(/\s+/g, ' ')
    .replace(/ (?=[\u1100-\u{3fffd}])/gu, '')
    .trimEnd();
}

/** A prompt in a form that ignores its numbers: many prompts count. */
function promptForm(prompt: string): string {
  return comparable(prompt).replace(/\d+/g, '0');
}
