import type { Cursor } from './cursor.js';
import type { TextGap } from './sizedGap.js';

/** A line with its repetitions, or a gap. It is shown or left out as a whole. */
export interface Item {
  /** The text to show, line ends included. */
  readonly text: string;
  /** The length of `text` in UTF-8. */
  readonly bytes: number;
  /** The line once, without its line end; the note, if this is one. */
  readonly line: string;
  /** The number of lines that the item stands for; 0 for a note, and for a part of a line that no line end follows. */
  readonly lines: number;
  /**
   * The cursor from which reading gives exactly this item and all that follow; undefined if reading cannot begin here.
   */
  readonly start: Cursor | undefined;
  readonly gap: TextGap | undefined;
}
