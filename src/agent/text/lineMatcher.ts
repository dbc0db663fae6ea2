import type { OutputEvent } from '../../core/index.js';

import type { Cursor } from './cursor.js';
import { OutputLines, type TextOptions } from './outputLines.js';
import { lineTest, type LineTest } from './pattern.js';
import type { SeenLine } from './streamRenderer.js';
import { Turns } from './steps.js';
import { SEARCHED_UNITS, type LineMatch } from './searchOutput.js';
import type { TextGap } from './sizedGap.js';

export interface LineMatcherOptions extends TextOptions {
  /** A regular expression in the syntax of RE2. */
  readonly pattern: string;
  readonly ignoreCase: boolean;
  /** The cursor at which the search begins. Events before it are ignored. */
  readonly from: Cursor;
}

/** Finds the first line that matches a pattern, while output comes in. */
export class LineMatcher {
  readonly #test: LineTest;
  readonly #lines: OutputLines;
  /** Lines that have been tested already. */
  readonly #seen = new WeakSet<SeenLine>();
  readonly #turns = new Turns();
  /** Resolves when all pushed output has been parsed. */
  #parsed: Promise<unknown> = Promise.resolve();
  #place: Cursor;
  #match: LineMatch | undefined;

  /** @throws Error whose message says what is wrong with the pattern. */
  constructor(options: LineMatcherOptions) {
    this.#test = lineTest(options.pattern, options.ignoreCase);
    this.#place = options.from;
    this.#lines = new OutputLines(
      {
        line: (line) => {
          this.#place = line.start ?? this.#place;
          this.#look(line);
        },
        gap: () => undefined,
      },
      { ...options, maxUnits: SEARCHED_UNITS },
    );
  }

  /** Takes output in the order of its numbers. Parses it later, a little in each turn of the event loop. */
  push(event: OutputEvent | TextGap): void {
    const found = () => this.#match !== undefined;
    this.#parsed = this.#parsed.then(() => found() || this.#turns.run(this.#lines.push(event), found));
  }

  /**
   * Resolves when all pushed output has been searched, with the first match; later calls resolve with the same one. A
   * match may be in an unfinished line. Those are tested only here: to test them at each push would take seconds if the
   * pushes are small and many.
   */
  async drained(): Promise<LineMatch | undefined> {
    await this.#parsed;
    if (this.#match === undefined) {
      for (const line of this.#lines.unfinished) {
        this.#look(line);
      }
    }
    return this.#match;
  }

  dispose(): void {
    this.#lines.dispose();
  }

  #look(line: SeenLine): void {
    if (this.#match === undefined && !this.#seen.has(line)) {
      this.#seen.add(line);
      if (this.#test(line.text)) {
        this.#match = { line: line.text, cursor: line.start ?? this.#place };
      }
    }
  }
}
