import type { GapEvent } from '../../core/index.js';

import type { Cursor } from './cursor.js';

/**
 * A line of text. Its `start` is a place where reading can begin and goes on exactly like this; a line without one
 * belongs to what was written together with the line before.
 */
export interface TextLine {
  readonly text: string;
  readonly start: Cursor | undefined;
  /** No line end follows: the line is not finished, or too long and goes on in the next. */
  readonly open: boolean;
}

/** Receives what output says, line by line, each once it can change no more. */
export interface LineSink {
  line(line: TextLine): void;
  /** Output is missing here. A place to begin, too. */
  gap(gap: GapEvent): void;
}
