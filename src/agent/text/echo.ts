import { comparable, promptForm, typedLines, withoutCarets } from './typedLines.js';

/** How many typed lines ahead an echo is looked for: an earlier one may have come out of sight. */
const LINES_AHEAD = 50;
/** In a longer line that is still being written, no beginning of an echo is looked for. */
const LONGEST_BEGINNING = 1_000;
/** The end of the prompts of shells and the like, among them those for further lines of one command. */
const LOOKS_LIKE_PROMPT = /(?:[$#%>❯➜»]|\.\.\.:?)\s*$/u;
/** The prompts of Python, Node and many others that read a line themselves, without saying so. */
const OF_REPL = /^[^\s<]*> $/;

/** What is known of a line that may be an echo. */
export interface EchoedLine {
  /** Whether it comes later than an echo does. Then only what stands behind a known prompt counts as one. */
  readonly late: boolean;
  /** Whether it is still being written: then the beginning of an echo counts as one. */
  readonly growing: boolean;
  /** Whether a line editor was reading a line: then it stands behind a prompt, whatever that looks like. */
  readonly atEditor: boolean;
}

/** A typed line. */
interface TypedLine {
  /** The forms in which it may be shown: alone, and with what was typed before it. */
  readonly forms: readonly string[];
  /** Whether keys have changed it, such as one that brings an earlier command: then it may be shown as any text. */
  readonly edited: boolean;
}

/**
 * Recognises the echo of what was typed into a terminal, line by line. Nothing marks it: a line counts as echo if it is
 * the next typed line, alone, behind a known prompt or one that ends like it, or at first behind what looks like one.
 * After other text a line that stands alone does not count, unless the program has been seen to echo: it may be what the
 * program prints.
 */
export class Echo {
  readonly #typed: TypedLine[];
  #prompts: ReadonlySet<string>;
  /** The first typed line whose echo has not come. */
  #next = 0;
  /** The first typed line that may be echoed again: what was typed ahead is, by a shell that reads it at its prompt. */
  #again = 0;
  /** The last typed line, if nothing has ended it. */
  #unended = '';
  /** Whether keys have changed it. */
  #unendedEdited = false;
  /** Whether the newest input has been echoed in part. */
  #echoes = false;
  /** Whether other text has come since the last echo, or since the input. */
  #other = false;
  /** Whether the last line was echo behind a prompt. */
  #atPrompt = false;

  constructor(from?: Echo) {
    this.#typed = from === undefined ? [] : from.#typed;
    this.#prompts = from === undefined ? new Set() : from.#prompts;
    if (from !== undefined) {
      this.#next = from.#next;
      this.#unended = from.#unended;
      this.#unendedEdited = from.#unendedEdited;
      this.#again = from.#again;
      this.#echoes = from.#echoes;
      this.#other = from.#other;
      this.#atPrompt = from.#atPrompt;
    }
  }

  /**
   * Takes note of an input.
   *
   * @param prompt The unfinished line behind which it was typed; may be empty.
   * @param goesOn Whether the echo of the input before it may still come.
   */
  type(text: string, { prompt, goesOn }: { readonly prompt: string; readonly goesOn: boolean }): void {
    if (!goesOn) {
      this.#next = this.#typed.length;
    }
    this.#echoes = false;
    this.#other = false;
    this.#atPrompt = false;
    const lines = typedLines(text);
    const [begun, begunEdited] = [this.#unended, this.#unendedEdited];
    const last = lines.at(-1);
    const ended = lines.length > 1;
    const keys = lines.some(({ edited }) => edited);
    this.#unended = keys ? '' : ended ? (last?.text ?? '') : begun + (last?.text ?? '');
    this.#unendedEdited = last?.edited === true || (!ended && begunEdited);
    if (begun !== '' && ended) {
      this.#forgetUnended(begun);
    }
    for (const [index, line] of lines.entries()) {
      const forms = index === 0 && begun !== '' ? [begun + line.text, line.text] : [line.text];
      const shown = forms.map(comparable).filter((form) => form.trim() !== '');
      // A line without an end may still be changed, and what there is of it now is seen when it gets one.
      const edited = index < lines.length - 1 && (line.edited || (index === 0 && begunEdited));
      if (shown.length > 0 || edited) {
        this.#typed.push({ forms: shown, edited });
      }
    }
    const before = comparable(prompt);
    const typed = comparable(begun);
    const place = before.endsWith(typed) ? before.slice(0, before.length - typed.length) : before;
    if (place.trim() !== '') {
      this.#learn(place);
    }
  }

  /** A copy that takes lines without an effect on this one. Only the original may be typed into. */
  copy(): Echo {
    return new Echo(this);
  }

  /** Takes the next line of the output. Returns whether it is echo. */
  take(text: string, about: EchoedLine): boolean {
    const nothingLeft = this.#next === this.#typed.length && this.#again === this.#typed.length;
    const line = nothingLeft ? '' : comparable(text);
    if (line === '') {
      return false;
    }
    const first = this.#find(line, this.#next, (prompt) => this.#mayBeFirst(prompt, about));
    if (first !== undefined) {
      this.#next = first.index + 1;
      this.#echoes = true;
      this.#other = false;
      if (first.prompt !== '') {
        // It was typed at a prompt, and not ahead.
        this.#again = Math.max(this.#again, this.#next);
      }
      return this.#echoAt(first.prompt);
    }
    const again = this.#find(line, this.#again, (prompt, index) => this.#mayBeShown(prompt, index, about));
    if (again !== undefined) {
      this.#again = again.index + 1;
      this.#other = false;
      return this.#echoAt(again.prompt);
    }
    if (about.growing) {
      return this.#begins(line, about);
    }
    this.#other = true;
    this.#atPrompt = false;
    return false;
  }

  /** The line without an end is about to be typed as a whole: keys come one by one from a person. */
  #forgetUnended(begun: string): void {
    if (this.#typed.at(-1)?.forms.includes(comparable(begun)) === true) {
      this.#typed.pop();
      this.#next = Math.min(this.#next, this.#typed.length);
      this.#again = Math.min(this.#again, this.#typed.length);
    }
  }

  /** Takes note of where an echo stands. Returns true. */
  #echoAt(prompt: string): true {
    this.#atPrompt = prompt !== '';
    this.#learn(prompt);
    return true;
  }

  /** Takes note of the prompt before an echo, if there is one. */
  #learn(prompt: string): void {
    const form = promptForm(prompt);
    if (form !== '' && !this.#prompts.has(form)) {
      this.#prompts = new Set([...this.#prompts, form]);
    }
  }

  #mayBeFirst(prompt: string, about: EchoedLine): boolean {
    return prompt === '' ? !about.late && (!this.#other || this.#echoes) : this.#mayBeAgain(prompt, about);
  }

  #mayBeAgain(prompt: string, { late, atEditor }: EchoedLine): boolean {
    const form = promptForm(prompt);
    if ((atEditor && form !== '') || this.#prompts.has(form)) {
      return true;
    }
    const soon = !late && !this.#other;
    return LOOKS_LIKE_PROMPT.test(form) && (soon || this.#atPrompt || this.#endsLikePrompt(form));
  }

  /**
   * Whether a line behind this prompt may show what was typed ahead: the terminal has shown it already, and a program
   * that takes long to come to its prompt shows it there once more.
   */
  #mayBeShown(prompt: string, index: number, about: EchoedLine): boolean {
    return (index < this.#next && OF_REPL.test(prompt)) || this.#mayBeAgain(prompt, about);
  }

  /** Whether it ends as a known prompt does: a shell's may name its directory, which changes. */
  #endsLikePrompt(form: string): boolean {
    const mark = form.slice(-1);
    return [...this.#prompts].some((known) => known.endsWith(mark));
  }

  /** The known prompt that a line with more text begins with. */
  #promptOf(line: string): string | undefined {
    const form = promptForm(line);
    return [...this.#prompts].find((known) => form.startsWith(known) && form.length > known.length);
  }

  /** The typed line from an index on that this line is, behind a prompt that may stand there. */
  #find(
    line: string,
    from: number,
    mayBe: (prompt: string, index: number) => boolean,
  ): { readonly index: number; readonly prompt: string } | undefined {
    const to = Math.min(this.#typed.length, from + LINES_AHEAD);
    for (let index = from; index < to; index++) {
      for (const typed of this.#typed[index]?.forms ?? []) {
        const prompt = withoutCarets(line.slice(0, line.length - typed.length));
        if (line.endsWith(typed) && mayBe(prompt, index)) {
          return { index, prompt };
        }
      }
    }
    const edited = this.#typed.findIndex((typed, index) => index >= from && index < to && typed.edited);
    const prompt = edited < 0 ? undefined : this.#promptOf(line);
    return prompt === undefined ? undefined : { index: edited, prompt };
  }

  /** The forms of the first typed line from an index on that has any. */
  #formsFrom(from: number): readonly string[] {
    return this.#typed.slice(from, from + LINES_AHEAD).find(({ forms }) => forms.length > 0)?.forms ?? [];
  }

  /** Whether a line that is still being written may become the echo of the next typed line. */
  #begins(line: string, about: EchoedLine): boolean {
    if (line.length > LONGEST_BEGINNING) {
      return false;
    }
    const [first, again] = [this.#formsFrom(this.#next), this.#formsFrom(this.#again)];
    for (let at = 0; at < line.length; at++) {
      const [prompt, rest] = [withoutCarets(line.slice(0, at)), line.slice(at)];
      if (
        (first.some((typed) => typed.startsWith(rest)) && this.#mayBeFirst(prompt, about)) ||
        (again.some((typed) => typed.startsWith(rest)) && this.#mayBeShown(prompt, this.#again, about))
      ) {
        return true;
      }
    }
    return false;
  }
}
