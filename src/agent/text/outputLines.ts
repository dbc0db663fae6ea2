import type { GapEvent, OutputEvent, OutputStream } from '../../core/index.js';

import type { Cursor } from './cursor.js';
import { PipeLines } from './pipeLines.js';
import type { Steps } from './steps.js';
import type { LineSink, SeenLine, StreamRenderer } from './streamRenderer.js';
import { terminalColumns, TerminalLines } from './terminalLines.js';

export interface TextOptions {
  /** Whether the output is a terminal's; otherwise it is that of pipes. */
  readonly tty: boolean;
  /** The width of the terminal. Pipes have none, and ignore it. */
  readonly columns: number;
  /** The height of the terminal, 24 by default: where full-screen programs put things depends on it. */
  readonly rows?: number | undefined;
}

/**
 * Longer lines come in parts of at least this many UTF-16 units, few enough that a part fits the smallest budget. Those
 * of a terminal end with a row, if all characters take one cell, so that each begins where a row does.
 */
const PART_UNITS = 256;

/** Makes lines of text out of the output of a process, from a cursor on. */
export class OutputLines {
  readonly #sink: LineSink;
  readonly #renderer: StreamRenderer;
  #from: Cursor;
  #end: Cursor;
  #lastStream: OutputStream | undefined;
  #bytes = 0;

  constructor(
    sink: LineSink,
    options: TextOptions & {
      readonly from: Cursor;
      /** How long the parts of long lines are, if not as usual. */
      readonly maxUnits?: number | undefined;
    },
  ) {
    const { tty, columns, rows, from, maxUnits = partUnits(options) } = options;
    this.#sink = sink;
    this.#from = from;
    this.#end = from;
    this.#renderer = tty
      ? new TerminalLines(sink, { columns, rows, maxUnits })
      : new PipeLines(sink, { maxUnits });
    this.#renderer.begin(from);
  }

  /** The bytes so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** As {@link StreamRenderer.unfinished}. */
  get unfinished(): SeenLine[] {
    return this.#renderer.unfinished();
  }

  /** In steps, to be done before anything else. */
  *push(event: OutputEvent | GapEvent): Steps {
    if (event.type === 'gap') {
      this.#gap(event);
      return;
    }
    const { seq, stream, bytes } = event;
    const skip = seq === this.#from.afterSeq + 1 ? this.#from.skipBytes : 0;
    if (seq <= this.#end.afterSeq || skip >= bytes.length) {
      return;
    }
    this.#lastStream = stream;
    this.#bytes += bytes.length - skip;
    yield* this.#renderer.write(stream, seq, bytes, skip);
    this.#end = { afterSeq: seq, skipBytes: 0 };
  }

  /**
   * Gives out all that is there.
   *
   * @param final Whether nothing follows that could complete what is incomplete.
   * @returns Where to go on: before a character or an escape sequence that is not complete.
   */
  finish(final: boolean): Cursor {
    const held =
      final || this.#lastStream === undefined ? undefined : this.#renderer.incompleteFrom(this.#lastStream);
    // What is incomplete and not the last that came cannot be read again without what came after it.
    this.#renderer.cut(held === undefined ? undefined : this.#lastStream);
    this.#renderer.flush();
    return held ?? this.#end;
  }

  dispose(): void {
    this.#renderer.dispose();
  }

  #gap(gap: GapEvent): void {
    if (gap.throughSeq <= this.#end.afterSeq) {
      return;
    }
    this.#renderer.cut(undefined);
    this.#renderer.flush();
    this.#sink.gap(gap);
    this.#end = { afterSeq: gap.throughSeq, skipBytes: 0 };
    this.#from = this.#end;
    this.#renderer.begin(this.#end);
  }
}

function partUnits({ tty, columns }: TextOptions): number {
  return tty ? Math.ceil(PART_UNITS / terminalColumns(columns)) * terminalColumns(columns) : PART_UNITS;
}
