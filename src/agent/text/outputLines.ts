import type { OutputEvent, OutputStream } from '../../core/index.js';

import { binaryType, isBinary } from './binary.js';
import type { Cursor } from './cursor.js';
import { PipeLines } from './pipeLines.js';
import type { Steps } from './steps.js';
import type { BinaryOutput, LineSink, SeenLine, StreamRenderer } from './streamRenderer.js';
import { terminalColumns, TerminalLines } from './terminalLines.js';
import type { TextGap } from './sizedGap.js';

export interface TextOptions {
  /** Whether the output is that of a terminal, and not of pipes. */
  readonly tty: boolean;
  /** The width of the terminal. Pipes have none, and ignore it. */
  readonly columns: number;
  /** The height of the terminal, 24 by default: where full-screen programs put things depends on it. */
  readonly rows?: number | undefined;
  /** Whether a full-screen program has the terminal where the output begins. */
  readonly fullScreen?: boolean | undefined;
}

/**
 * Longer lines are emitted in parts of at least this many UTF-16 units, few enough that a part fits the smallest
 * budget. The parts of a terminal's line end where a row does, if all characters take one cell, so that each of them
 * begins a row.
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
  /** The binary output that has come last and may go on. */
  #binary: BinaryOutput | undefined;

  constructor(
    sink: LineSink,
    options: TextOptions & {
      readonly from: Cursor;
      /** The least length of the parts of long lines, in UTF-16 units, in place of the usual one. */
      readonly maxUnits?: number | undefined;
    },
  ) {
    const { tty, columns, rows, fullScreen, from, maxUnits = partUnits(options) } = options;
    this.#sink = sink;
    this.#from = from;
    this.#end = from;
    this.#renderer = tty
      ? new TerminalLines(sink, { columns, rows, fullScreen, maxUnits })
      : new PipeLines(sink, { maxUnits });
    this.#renderer.begin(from);
  }

  /** The number of bytes so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** As {@link StreamRenderer.fullScreen}. */
  get fullScreen(): boolean {
    return this.#renderer.fullScreen;
  }

  /** As {@link StreamRenderer.pieces}. */
  get pieces(): boolean {
    return this.#renderer.pieces;
  }

  /** As {@link StreamRenderer.unfinished}. */
  get unfinished(): SeenLine[] {
    return this.#renderer.unfinished();
  }

  /** Takes output in steps, which have to be done before any other call. */
  *push(event: OutputEvent | TextGap): Steps {
    if (event.type === 'gap') {
      this.#gap(event);
      return;
    }
    const { seq, stream, bytes } = event;
    const skip = seq === this.#from.afterSeq + 1 ? this.#from.skipBytes : 0;
    if (seq <= this.#end.afterSeq || skip >= bytes.length) {
      return;
    }
    this.#bytes += bytes.length - skip;
    if (this.#sink.binary !== undefined && isBinary(bytes, this.#binary?.stream === stream)) {
      this.#addBinary(event, skip);
      return;
    }
    this.#endBinary();
    this.#lastStream = stream;
    yield* this.#renderer.write(stream, seq, bytes, skip);
    this.#end = { afterSeq: seq, skipBytes: 0 };
  }

  /**
   * Emits all lines, the unfinished ones as well.
   *
   * @param final Whether the output is over, so that nothing can complete a split character or sequence.
   * @returns The cursor to continue from: before an incomplete character or escape sequence at the end, if there is
   *   one.
   */
  finish(final: boolean): Cursor {
    this.#endBinary();
    const held =
      final || this.#lastStream === undefined ? undefined : this.#renderer.incompleteFrom(this.#lastStream);
    // Only the stream that wrote last may hold something back: an incomplete character of the other one cannot be read
    // again without the output that came after it.
    this.#renderer.cut(held === undefined ? undefined : this.#lastStream);
    this.#renderer.flush();
    return held ?? this.#end;
  }

  dispose(): void {
    this.#renderer.dispose();
  }

  #gap(gap: TextGap): void {
    if (gap.throughSeq <= this.#end.afterSeq) {
      return;
    }
    this.#endLines();
    this.#endBinary();
    this.#sink.gap(gap);
    this.#end = { afterSeq: gap.throughSeq, skipBytes: 0 };
    this.#from = this.#end;
    this.#renderer.begin(this.#end);
  }

  #addBinary({ seq, stream, bytes }: OutputEvent, skip: number): void {
    if (this.#binary?.stream !== stream) {
      this.#endLines();
      this.#endBinary();
      const type = skip === 0 ? binaryType(bytes) : undefined;
      this.#binary = { stream, start: { afterSeq: seq - 1, skipBytes: skip }, bytes: 0, type };
    }
    this.#binary = { ...this.#binary, bytes: this.#binary.bytes + bytes.length - skip };
    this.#end = { afterSeq: seq, skipBytes: 0 };
  }

  #endBinary(): void {
    if (this.#binary !== undefined) {
      this.#sink.binary?.(this.#binary);
      this.#binary = undefined;
      this.#lastStream = undefined;
      this.#renderer.begin(this.#end);
    }
  }

  /** Ends the unfinished lines: what follows has nothing to do with them. */
  #endLines(): void {
    this.#renderer.cut(undefined);
    this.#renderer.flush();
  }
}

function partUnits({ tty, columns }: TextOptions): number {
  return tty ? Math.ceil(PART_UNITS / terminalColumns(columns)) * terminalColumns(columns) : PART_UNITS;
}
