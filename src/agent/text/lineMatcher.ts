import type { GapEvent, OutputEvent } from '../../core/index.js';

import type { Cursor } from './cursor.js';
import { OutputLines, type TextOptions } from './outputLines.js';
import { lineTest, type LineTest } from './pattern.js';
import type { SeenLine } from './streamRenderer.js';
import { runAll } from './steps.js';
import { SEARCHED_UNITS, type LineMatch } from './searchOutput.js';

export interface LineMatcherOptions extends TextOptions {
  /** A regular expression in the syntax of RE2. */
  readonly pattern: string;
  readonly ignoreCase: boolean;
  /** Where to begin; events before it are ignored. */
  readonly from: Cursor;
}

/** Looks for the first line that matches while output comes. */
export class LineMatcher {
  readonly #test: LineTest;
  readonly #lines: OutputLines;
  /** Lines that have been looked at already. */
  readonly #seen = new WeakSet<SeenLine>();
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

  /** The first match, which may be in a line that is not finished; the same one ever after. */
  push(event: OutputEvent | GapEvent): LineMatch | undefined {
    if (this.#match === undefined) {
      runAll(this.#lines.push(event));
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
