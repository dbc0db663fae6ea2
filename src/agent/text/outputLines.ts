import type { OutputEvent, OutputStream } from '../../core/index.js';

import { binaryType, type ChunkPart, chunkParts } from './binary.js';
import type { Cursor } from './cursor.js';
import { PipeLines } from './pipeLines.js';
import { runAll, type Steps } from './steps.js';
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
 * budget. The parts of a terminal's line end where a row does, so that each of them begins a row. This holds if all
 * characters take one cell.
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
  /** The text after it, as long as it may be a part of it. */
  #after: TextPart | undefined;

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
    const { seq, bytes } = event;
    const skip = seq === this.#from.afterSeq + 1 ? this.#from.skipBytes : 0;
    if (seq <= this.#end.afterSeq || skip >= bytes.length) {
      return;
    }
    this.#bytes += bytes.length - skip;
    for (const part of this.#partsOf(event)) {
      if (part.end > skip) {
        yield* this.#part(event, part, skip);
      }
    }
  }

  /**
   * Emits all lines, the unfinished ones as well.
   *
   * @param final Whether the output is over, so that nothing can complete a split character or sequence.
   * @returns The cursor to continue from: before an incomplete character or escape sequence at the end, if there is
   *   one.
   */
  finish(final: boolean): Cursor {
    runAll(this.#endBinary());
    const held =
      final || this.#lastStream === undefined ? undefined : this.#renderer.incompleteFrom(this.#lastStream);
    // Only the stream that wrote last may hold something back. An incomplete character of the other one cannot be read
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
    runAll(this.#endBinary());
    this.#endLines();
    this.#sink.gap(gap);
    this.#end = { afterSeq: gap.throughSeq, skipBytes: 0 };
    this.#from = this.#end;
    this.#renderer.begin(this.#end);
  }

  #partsOf({ stream, bytes }: OutputEvent): readonly ChunkPart[] {
    return this.#sink.binary === undefined
      ? [{ from: 0, end: bytes.length, kind: 'text' }]
      : chunkParts(bytes, this.#binary?.stream === stream);
  }

  /** @param skip Bytes at the beginning of the chunk to ignore. */
  *#part(event: OutputEvent, { from, end, kind }: ChunkPart, skip: number): Steps {
    const text = { event, from: Math.max(from, skip), end };
    if (kind === 'binary') {
      yield* this.#addBinary(text, skip <= from);
    } else if (kind === 'after' && this.#binary !== undefined) {
      this.#after = text;
    } else {
      yield* this.#endBinary();
      yield* this.#write(text);
    }
  }

  *#write({ event: { stream, seq, bytes }, from, end }: TextPart): Steps {
    this.#lastStream = stream;
    yield* this.#renderer.write(stream, seq, bytes.subarray(0, end), from);
    this.#end = cursorAt(seq, bytes, end);
  }

  /** @param whole Whether it is there from its beginning on. */
  *#addBinary({ event: { seq, stream, bytes }, from, end }: TextPart, whole: boolean): Steps {
    const text = this.#after;
    if (this.#binary?.stream !== stream) {
      yield* this.#endBinary();
      this.#endLines();
      const type = whole ? binaryType(bytes.subarray(from)) : undefined;
      this.#binary = { stream, start: { afterSeq: seq - 1, skipBytes: from }, bytes: 0, type };
    } else if (text !== undefined) {
      this.#binary = { ...this.#binary, bytes: this.#binary.bytes + text.end - text.from };
    }
    this.#after = undefined;
    this.#binary = { ...this.#binary, bytes: this.#binary.bytes + end - from };
    this.#end = cursorAt(seq, bytes, end);
  }

  *#endBinary(): Steps {
    if (this.#binary === undefined) {
      return;
    }
    this.#sink.binary?.(this.#binary);
    this.#binary = undefined;
    this.#lastStream = undefined;
    this.#renderer.begin(this.#end);
    const text = this.#after;
    this.#after = undefined;
    if (text !== undefined) {
      yield* this.#write(text);
    }
  }

  /** Ends the unfinished lines: the output that follows has nothing to do with them. */
  #endLines(): void {
    this.#renderer.cut(undefined);
    this.#renderer.flush();
  }
}

/** A part of a chunk, without the bytes that are to be ignored. */
interface TextPart {
  readonly event: OutputEvent;
  readonly from: number;
  readonly end: number;
}

function cursorAt(seq: number, bytes: Uint8Array, at: number): Cursor {
  return at < bytes.length ? { afterSeq: seq - 1, skipBytes: at } : { afterSeq: seq, skipBytes: 0 };
}

function partUnits({ tty, columns }: TextOptions): number {
  return tty ? Math.ceil(PART_UNITS / terminalColumns(columns)) * terminalColumns(columns) : PART_UNITS;
}
