import type { OutputStream } from '../../core/index.js';

import type { Cursor } from './cursor.js';
import type { LineBlock } from './lineBlock.js';
import type { Steps } from './steps.js';
import type { TextGap } from './sizedGap.js';

/** The present state of a line that may still change. */
export interface SeenLine {
  readonly text: string;
  readonly start: Cursor | undefined;
  /** Whether it is the last line of its stream, and has not ended. */
  readonly growing?: boolean;
  /** Whether a line editor was reading a line when it was written last, such as that of a shell at its prompt. */
  readonly atEditor?: boolean;
}

/**
 * A line that can change no more. Reading from its cursor `start` gives exactly this line and all that follow. The
 * cursor is undefined for a line that cannot be rendered without the lines before it.
 */
export interface TextLine extends SeenLine {
  /** Whether no line end follows: the line is unfinished, or too long and continues in the next one. */
  readonly open: boolean;
}

/** Binary output in a row, which is summed up in place of lines. */
export interface BinaryOutput {
  readonly stream: OutputStream;
  /** The cursor from which reading gives exactly this output and all that follows. */
  readonly start: Cursor;
  readonly bytes: number;
  /** The type, such as `png`; undefined if the beginning does not tell. */
  readonly type: string | undefined;
}

/** Receives the lines of a renderer, each once it can change no more. */
export interface LineSink {
  line(line: TextLine): void;
  /** Output is missing here. Reading can begin at a gap, too. */
  gap(gap: TextGap): void;
  /** Without it, binary output is rendered as if it were text. */
  binary?(output: BinaryOutput): void;
  /** Takes many lines at once, each as {@link line} would. Without it, they come one by one. */
  block?: ((block: LineBlock) => void) | undefined;
}

/** Makes lines out of the output of one process. */
export interface StreamRenderer {
  /** Sets the cursor at which the next output begins. Called only before the first write, and after a flush. */
  begin(cursor: Cursor): void;
  /**
   * Takes a chunk in steps, which have to be done before any other call. @param skip Bytes at its beginning to ignore.
   */
  write(stream: OutputStream, seq: number, bytes: Uint8Array, skip: number): Steps;
  /** The place where an incomplete character or sequence of a stream begins; undefined without one. */
  incompleteFrom(stream: OutputStream): Cursor | undefined;
  /** The lines that may still change. A line that has ended is the same object in each call, and when it is emitted. */
  unfinished(): SeenLine[];
  /** Gives up incomplete characters and sequences, whose rest will not come, in all streams but `except`. */
  cut(except: OutputStream | undefined): void;
  /** Emits all lines, finished or not. */
  flush(): void;
  /** Whether a full-screen program has the terminal now. */
  readonly fullScreen: boolean;
  /** Whether some of the text belongs to the screen of such a program that began before the output. */
  readonly pieces: boolean;
  dispose(): void;
}
