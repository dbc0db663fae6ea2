import type { OutputEvent } from '../../core/index.js';

import type { Cursor } from './cursor.js';
import { OutputLines, type TextOptions } from './outputLines.js';
import { Pattern } from './pattern.js';
import type { SeenLine } from './streamRenderer.js';
import { type Steps, Turns } from './steps.js';
import { SEARCHED_UNITS, type LineMatch } from './searchOutput.js';
import type { TextGap } from './sizedGap.js';

export interface LineMatcherOptions extends TextOptions {
  /** A regular expression in the syntax of RE2. */
  readonly pattern: string;
  readonly ignoreCase: boolean;
  /** The cursor at which the search begins. Events before it are ignored. */
  readonly from: Cursor;
}

/** A line and the cursor to read it again. */
interface Placed {
  readonly line: SeenLine;
  readonly cursor: Cursor;
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
  #place: Cursor;
  #match: LineMatch | undefined;
  #disposed = false;

  /** @throws Error whose message says what is wrong with the pattern. */
  constructor(options: LineMatcherOptions) {
    this.#pattern = new Pattern(options.pattern, options.ignoreCase);
    this.#place = options.from;
    this.#lines = new OutputLines(
      {
        line: (line) => {
          this.#place = line.start ?? this.#place;
          this.#ended.push({ line, cursor: this.#place });
        },
        gap: () => undefined,
      },
      { ...options, maxUnits: SEARCHED_UNITS },
    );
  }

  /** Takes output in the order of its numbers. Searches it later, a little in each turn of the event loop. */
  push(event: OutputEvent | TextGap): void {
    this.#later(() => this.#push(event));
  }

  /**
   * Resolves when all pushed output has been searched, with the first match; later calls resolve with the same one. A
   * match may be in an unfinished line. Those are tested only here: to test them at each push would take seconds if the
   * pushes are small and many.
   */
  async drained(): Promise<LineMatch | undefined> {
    this.#later(() =>
      this.#lookAt(this.#lines.unfinished.map((line) => ({ line, cursor: line.start ?? this.#place }))),
    );
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
    yield* this.#lines.push(event);
    const ended = this.#ended;
    this.#ended = [];
    yield* this.#lookAt(ended);
  }

  *#lookAt(lines: readonly Placed[]): Steps {
    for (const { line, cursor } of lines) {
      if (!this.#seen.has(line)) {
        this.#seen.add(line);
        if (yield* this.#pattern.matches(line.text)) {
          this.#match = { line: line.text, cursor };
          return;
        }
      }
      yield;
    }
  }
}
