import { Echo } from './echo.js';
import type { SeenLine } from './streamRenderer.js';

/** Something that was typed into a terminal. */
export interface TypedText {
  /** Counts the inputs of a session. */
  readonly number: number;
  /** The last number of the output before it. */
  readonly afterSeq: number;
  readonly text: string;
  /** Whether the echo of the input before it could still come when it was sent. */
  readonly goesOn: boolean;
  /** The last number of the output that can be its echo; undefined as long as that may still come. */
  readonly echoThrough: number | undefined;
}

/**
 * The kind of a terminal's line for a caller that looks for one. An old line was there before the input that counts; an
 * echo is typed text.
 */
export type LineKind = 'new' | 'old' | 'echo';

/**
 * Tells new lines of a terminal from older ones and from echo, while the output is rendered from its beginning. The
 * text that a program writes depends on what it wrote in that line or on the screen before.
 */
export class SinceInput {
  readonly #since: number | undefined;
  readonly #inputs: () => readonly TypedText[];
  /** Whether lines that come now count. */
  #started: boolean;
  #lastInput: TypedText | undefined;
  /** Whether the echo of the last input can be over. */
  #late = false;
  #echo = new Echo();
  /** The number of present lines that do not count, by their text. */
  #ignored = new Map<string, number>();
  /** Lines that begin here or later are not among them. */
  #ignoredUpTo = 0;

  /**
   * @param since Lines count if they are new after this number of the output; undefined if all of them count.
   * @param inputs Gives the inputs, oldest first; there may be more each time.
   */
  constructor(since: number | undefined, inputs: () => readonly TypedText[]) {
    this.#since = since;
    this.#inputs = inputs;
    this.#started = since === undefined;
  }

  /** Called before the output with the number `seq` is rendered. @param lines Gives the lines that may still change. */
  before(seq: number, lines: () => readonly SeenLine[]): void {
    if (!this.#started && this.#since !== undefined && this.#since < seq) {
      this.#settle(lines(), this.#since);
      this.#started = true;
    }
    for (const input of this.#inputs()) {
      if (input.number > (this.#lastInput?.number ?? 0) && input.afterSeq < seq) {
        const present = lines();
        this.#settle(present, seq - 1);
        const last = present.at(-1);
        this.#echo.type(input.text, {
          prompt: last?.growing === true ? last.text : '',
          goesOn: input.goesOn,
        });
        this.#lastInput = input;
        this.#late = false;
      }
    }
    const echoThrough = this.#lastInput?.echoThrough;
    if (!this.#late && echoThrough !== undefined && echoThrough < seq) {
      this.#settle(lines(), seq - 1);
      this.#late = true;
    }
  }

  /** Keeps lines that may still change from counting: as they are, they have been shown up to the number `upTo`. */
  ignore(lines: readonly SeenLine[], upTo: number): void {
    this.#settle(lines, upTo, () => true);
  }

  /** The kind of the next line that can change no more. */
  emitted(line: SeenLine): LineKind {
    return this.#kindOf(line, this.#ignored, this.#echo);
  }

  /** The kinds of the lines that may still change. */
  unfinished(lines: readonly SeenLine[]): readonly LineKind[] {
    const ignored = new Map(this.#ignored);
    const echo = this.#echo.copy();
    return lines.map((line) => this.#kindOf(line, ignored, echo));
  }

  /** Keeps the lines that do not count from counting later, when the reason for that is past. */
  #settle(
    lines: readonly SeenLine[],
    upTo: number,
    isOver = (kind: LineKind): boolean => kind !== 'new',
  ): void {
    const ignored = new Map<string, number>();
    const echo = this.#echo.copy();
    for (const line of lines) {
      if (isOver(this.#kindOf(line, this.#ignored, echo))) {
        const text = line.text.trimEnd();
        ignored.set(text, (ignored.get(text) ?? 0) + 1);
      }
    }
    this.#ignored = ignored;
    this.#ignoredUpTo = upTo;
    this.#echo = echo;
  }

  #kindOf({ text, start, growing, atEditor }: SeenLine, ignored: Map<string, number>, echo: Echo): LineKind {
    if ((start === undefined || start.afterSeq < this.#ignoredUpTo) && takeOne(ignored, text.trimEnd())) {
      return 'old';
    }
    const isEcho = echo.take(text, {
      late: this.#late,
      growing: growing === true,
      atEditor: atEditor === true,
    });
    return !this.#started ? 'old' : isEcho ? 'echo' : 'new';
  }
}

/** Takes one of this text from a multiset. Returns whether there was one. */
function takeOne(texts: Map<string, number>, text: string): boolean {
  const count = texts.get(text);
  if (count === undefined) {
    return false;
  }
  if (count > 1) {
    texts.set(text, count - 1);
  } else {
    texts.delete(text);
  }
  return true;
}
