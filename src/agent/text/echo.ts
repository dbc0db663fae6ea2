/** How many typed lines ahead an echo is looked for: an earlier one may have come out of sight. */
const LINES_AHEAD = 50;
/** In a longer line that is still being written, no beginning of an echo is looked for. */
const LONGEST_BEGINNING = 1_000;

/** What is known of a line that may be an echo. */
export interface EchoedLine {
  /** Whether it comes later than an echo does. Then only what stands behind a known prompt counts as one. */
  readonly late: boolean;
  /** Whether it is still being written: then the beginning of an echo counts as one. */
  readonly growing: boolean;
}

/**
 * Recognises the echo of what was typed into a terminal, line by line. Nothing marks it: a line counts as echo if it is
 * the next typed line, alone, behind a known prompt, or at first behind what looks like one. After other text a line
 * that stands alone does not count, unless the program has been seen to echo: it may be what the program prints.
 */
export class Echo {
  /** The typed lines, each in the forms in which it may be shown: alone, and with what was typed before it. */
  readonly #typed: (readonly string[])[];
  readonly #prompts: Set<string>;
  /** The first typed line whose echo has not come. */
  #next = 0;
  /** The first typed line that may be echoed again: what was typed ahead is, by a shell that reads it at its prompt. */
  #again = 0;
  /** The last typed line, if nothing has ended it. */
  #unended = '';
  /** Whether the newest input has been echoed in part. */
  #echoes = false;
  /** Whether other text has come since the last echo, or since the input. */
  #other = false;

  constructor(from?: Echo) {
    this.#typed = from === undefined ? [] : from.#typed;
    this.#prompts = from === undefined ? new Set() : from.#prompts;
    if (from !== undefined) {
      this.#next = from.#next;
      this.#unended = from.#unended;
      this.#again = from.#again;
      this.#echoes = from.#echoes;
      this.#other = from.#other;
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
    const { lines, keys } = typedLines(text);
    const begun = this.#unended;
    const ended = lines.length > 1;
    this.#unended = keys ? '' : ended ? (lines.at(-1) ?? '') : begun + (lines[0] ?? '');
    for (const [index, line] of lines.entries()) {
      const forms = index === 0 && begun !== '' ? [begun + line, line] : [line];
      const shown = forms.map(comparable).filter((form) => form.trim() !== '');
      if (shown.length > 0) {
        this.#typed.push(shown);
      }
    }
    const before = comparable(prompt);
    const typed = comparable(begun);
    const place = before.endsWith(typed) ? before.slice(0, before.length - typed.length) : before;
    if (place.trim() !== '') {
      this.#prompts.add(promptForm(place));
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
      return true;
    }
    const again = this.#find(line, this.#again, (prompt) => this.#mayBeAgain(prompt, about));
    if (again !== undefined) {
      this.#again = again.index + 1;
      this.#other = false;
      return true;
    }
    if (about.growing) {
      return this.#begins(line, about);
    }
    this.#other = true;
    return false;
  }

  #mayBeFirst(prompt: string, about: EchoedLine): boolean {
    return prompt === '' ? !about.late && (!this.#other || this.#echoes) : this.#mayBeAgain(prompt, about);
  }

  #mayBeAgain(prompt: string, { late }: EchoedLine): boolean {
    return this.#prompts.has(promptForm(prompt)) || (!late && !this.#other && LOOKS_LIKE_PROMPT.test(prompt));
  }

  /** The typed line from an index on that this line is, behind a prompt that may stand there. */
  #find(
    line: string,
    from: number,
    mayBe: (prompt: string) => boolean,
  ): { readonly index: number; readonly prompt: string } | undefined {
    const to = Math.min(this.#typed.length, from + LINES_AHEAD);
    for (let index = from; index < to; index++) {
      for (const typed of this.#typed[index] ?? []) {
        const prompt = line.slice(0, line.length - typed.length);
        if (line.endsWith(typed) && mayBe(prompt)) {
          return { index, prompt };
        }
      }
    }
    return undefined;
  }

  /** Whether a line that is still being written may become the echo of the next typed line. */
  #begins(line: string, about: EchoedLine): boolean {
    if (line.length > LONGEST_BEGINNING) {
      return false;
    }
    const [first = [], again = []] = [this.#typed[this.#next], this.#typed[this.#again]];
    for (let at = 0; at < line.length; at++) {
      const [prompt, rest] = [line.slice(0, at), line.slice(at)];
      if (
        (first.some((typed) => typed.startsWith(rest)) && this.#mayBeFirst(prompt, about)) ||
        (again.some((typed) => typed.startsWith(rest)) && this.#mayBeAgain(prompt, about))
      ) {
        return true;
      }
    }
    return false;
  }
}

/** The end of the prompts of shells and the like, among them those for further lines of one command. */
const LOOKS_LIKE_PROMPT = /(?:[$#%>❯➜»]|\.\.\.:?)\s*$/u;
const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|O.|.)?/gs;
const CONTROLS = /[\u0000-\u0008\u000e-\u001f\u007f]/g;

/**
 * The lines that the echo of a text shows; the last one is empty behind a line end. Keys that are no characters show
 * nothing, but what was typed before them may have been changed.
 */
function typedLines(text: string): { readonly lines: readonly string[]; readonly keys: boolean } {
  const characters = text.replace(SEQUENCES, '').replace(CONTROLS, '');
  return { lines: characters.split(/[\r\n\v\f]+/), keys: characters.length < text.length };
}

/** A line in a form in which tabs, and blanks at its end, make no difference. */
function comparable(line: string): string {
  return line.replace(/\s+/g, ' ').trimEnd();
}

/** A prompt in a form in which its numbers make no difference: many count. */
function promptForm(prompt: string): string {
  return comparable(prompt).replace(/\d+/g, '0');
}
