import type { GapEvent, OutputStream } from '../../core/index.js';

import type { Cursor } from './cursor.js';
import type { Steps } from './steps.js';

/** A line as it is now. */
export interface SeenLine {
  readonly text: string;
  readonly start: Cursor | undefined;
}

/**
 * A line of text that can change no more. Its `start` is a place where reading can begin and goes on exactly like this; a
 * line without one belongs to what was written together with the line before.
 */
export interface TextLine extends SeenLine {
  /** No line end follows: the line is not finished, or too long and goes on in the next. */
  readonly open: boolean;
}

/** Receives what a renderer makes, line by line, each once it can change no more. */
export interface LineSink {
  line(line: TextLine): void;
  /** Output is missing here. A place to begin, too. */
  gap(gap: GapEvent): void;
}

/** Makes lines of the output of one process. */
export interface StreamRenderer {
  /** Says where what is written next begins. Only before the first write, and after a flush. */
  begin(cursor: Cursor): void;
  /** In steps, to be done before anything else. @param skip How many bytes at the beginning of the chunk are none of ours. */
  write(stream: OutputStream, seq: number, bytes: Uint8Array, skip: number): Steps;
  /** Where an incomplete character or sequence of a stream begins; undefined if there is none. */
  incompleteFrom(stream: OutputStream): Cursor | undefined;
  /** The lines that may still change. One that has ended is the same object each time, and when it is given out. */
  unfinished(): SeenLine[];
  /** Gives up what is incomplete, its rest will not come; but not in the stream `except`. */
  cut(except: OutputStream | undefined): void;
  /** Gives out all that is there, finished or not. */
  flush(): void;
  dispose(): void;
}
