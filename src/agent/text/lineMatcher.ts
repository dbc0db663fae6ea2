import type { OutputEvent } from '../../core/index.js';
import type { Pattern } from '../../terminal/pattern.js';

import { compareCursors, START, type Cursor } from './cursor.js';
import { OutputLines, type TextOptions } from './outputLines.js';
import type { CutLines } from './pattern.js';
import type { LineKind, SinceInput } from './sinceInput.js';
import type { SeenLine } from './streamRenderer.js';
import { type Steps, Turns } from './steps.js';
import { SEARCHED_UNITS, type LineMatch } from './searchOutput.js';
import type { TextGap } from './sizedGap.js';

export interface LineMatcherOptions extends TextOptions {
  readonly pattern: Pattern;
  /** The cursor at which the search begins. Events before it are ignored. */
  readonly from: Cursor;
  /** Tells which lines do not count. By default all of them do. */
  readonly since?: SinceInput | undefined;
  /**
   * The end of the output that the caller has been shown. Lines before it do not count, except the one at the cursor:
   * a prompt is still there.
   */
  readonly shownThrough?: Cursor | undefined;
}

/** The length to which a found line is cut around the match, in UTF-16 units. A model recognises it by that. */
const SHOWN_UNITS = 500;

/** A line and the cursor to read it again. */
interface Placed {
  readonly line: SeenLine;
  readonly cursor: Cursor;
  readonly kind: LineKind;
}

/** Finds the first line that matches a pattern, while output comes in. */
export class LineMatcher {
  readonly #pattern: Pattern;
  readonly #lines: OutputLines;
  /** Lines that have ended and have not been tested yet, with their places. */
  #ended: Placed[] = [];
  /** Lines that have been tested already. */
  readonly #seen = new WeakSet<SeenLine>();
  readonly #turns = new Turns();
  /** Resolves when all pushed output has been searched. */
  #searched: Promise<unknown> = Promise.resolve();
  readonly #since: SinceInput | undefined;
  readonly #shownThrough: Cursor;
  #place: Cursor;
  /** The number of the output that has been searched, or is being searched. */
  #seq = 0;
  /** The last line as the caller has been shown it, before it went on. */
  #shownPart: Placed | undefined;
  #match: LineMatch | undefined;
  #shown: LineMatch | undefined;
  #echo: LineMatch | undefined;
  #cut: CutLines | undefined;
  #disposed = false;

  constructor(options: LineMatcherOptions) {
    this.#pattern = options.pattern;
    this.#place = options.from;
    this.#since = options.since;
    this.#shownThrough = options.shownThrough ?? START;
    this.#lines = new OutputLines(
      {
        line: (line) => {
          this.#place = line.start ?? this.#place;
          this.#ended.push({
            line,
            cursor: this.#place,
            kind: this.#since?.emitted(line) ?? 'new',
          });
        },
        gap: () => undefined,
      },
      { ...options, maxUnits: SEARCHED_UNITS },
    );
  }

  /** The first line that matches and was taken for echo. */
  get echo(): LineMatch | undefined {
    return this.#echo;
  }

  /** The last line that matches and that the caller has been shown. */
  get shown(): LineMatch | undefined {
    return this.#shown;
  }

  get cut(): CutLines | undefined {
    return this.#cut;
  }

  /** Takes output in the order of its numbers. Searches it later, a little in each turn of the event loop. */
  push(event: OutputEvent | TextGap): void {
    this.#later(() => this.#push(event));
  }

  /**
   * Resolves when all pushed output has been searched, with the first match; later calls resolve with the same one. A
   * match may be in an unfinished line. Unfinished lines are tested only here: to test them at each push would take
   * seconds if the pushes are small and many.
   */
  async drained(): Promise<LineMatch | undefined> {
    this.#later(() => this.#lookAt(this.#unfinished()));
    await this.#searched;
    return this.#match;
  }

  /** Ends the search within a turn. */
  dispose(): void {
    this.#disposed = true;
    this.#lines.dispose();
  }

  #later(steps: () => Steps): void {
    const isOver = () => this.#match !== undefined || this.#disposed;
    this.#searched = this.#searched.then(() => isOver() || this.#turns.run(steps(), isOver));
  }

  *#push(event: OutputEvent | TextGap): Steps {
    const seq = event.type === 'gap' ? event.throughSeq : event.seq;
    if (this.#isShown && seq > lastSeqOf(this.#shownThrough)) {
      // The shown lines are tested as they were before this output.
      const shown = this.#unfinished();
      yield* this.#lookAt(shown);
      if (this.#match !== undefined) {
        return;
      }
      this.#shownPart = shown.at(-1);
      this.#since?.ignore(
        shown.flatMap(({ line }) => (line.growing === true ? [] : line)),
        this.#seq,
      );
    }
    this.#since?.before(seq, () => this.#lines.unfinished);
    this.#seq = seq;
    yield* this.#lines.push(event);
    const ended = this.#ended;
    this.#ended = [];
    yield* this.#lookAt(ended);
  }

  #unfinished(): readonly Placed[] {
    const lines = this.#lines.unfinished;
    const kinds = this.#since?.unfinished(lines);
    return lines.map((line, index) => ({
      line,
      cursor: line.start ?? this.#place,
      kind: kinds?.[index] ?? 'new',
    }));
  }

  *#lookAt(lines: readonly Placed[]): Steps {
    for (const { line, cursor, kind } of lines) {
      if (kind !== 'old' && !this.#seen.has(line)) {
        this.#seen.add(line);
        if (this.#matches(line.text, cursor)) {
          const found = { line: this.#pattern.around(line.text, SHOWN_UNITS), cursor };
          if (kind === 'echo') {
            this.#echo ??= found;
          } else if (line.growing !== true && this.#wasShown(cursor)) {
            this.#shown = found;
          } else {
            this.#match = found;
            return;
          }
        } else if (line.text.length > this.#pattern.reach) {
          this.#cut ??= { first: cursor, reach: this.#pattern.reach };
        }
      }
      yield;
    }
  }

  /**
   * Whether a line matches, or the part of it after the shown one, such as a prompt. An answer shows that part as a
   * line, so a model looks for a match at its beginning.
   */
  #matches(text: string, cursor: Cursor): boolean {
    if (this.#pattern.matches(text)) {
      return true;
    }
    const part = this.#shownPart;
    return (
      part !== undefined &&
      part.line.text !== '' &&
      compareCursors(cursor, part.cursor) === 0 &&
      text.length > part.line.text.length &&
      text.startsWith(part.line.text) &&
      this.#pattern.matches(text.slice(part.line.text.length))
    );
  }

  /** Whether all output so far was shown, but perhaps for a part of the last chunk. */
  get #isShown(): boolean {
    return this.#seq <= lastSeqOf(this.#shownThrough);
  }

  #wasShown(cursor: Cursor): boolean {
    return this.#isShown && compareCursors(cursor, this.#shownThrough) < 0;
  }
}

/** The number of the last chunk that begins before a cursor. */
function lastSeqOf({ afterSeq, skipBytes }: Cursor): number {
  return skipBytes > 0 ? afterSeq + 1 : afterSeq;
}
