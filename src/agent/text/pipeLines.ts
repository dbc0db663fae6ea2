import type { OutputStream } from '../../core/index.js';

import { START, type Cursor } from './cursor.js';
import { Emulator } from './emulator.js';
import { LineBuilder } from './lineBuilder.js';
import type { Sequence } from './sequence.js';
import type { Steps } from './steps.js';
import { Tokenizer, type TokenSink } from './tokenizer.js';
import type { LineSink, SeenLine, StreamRenderer } from './streamRenderer.js';

/** A pipe has no width. This is wide enough for every progress bar. */
const PIPE_SIZE = { columns: 1_000, rows: 2 };
/**
 * The number of lines after which the unfinished lines of all pipes are ended, if the pipes are never all between two
 * lines at the same time.
 */
const MAX_BLOCK_LINES = 200;
/** Stands for a NUL, which parts names or fields in a pipe (`find -print0`). A terminal shows nothing of it. */
const NUL_PICTURE = '\u2400';

/**
 * The lines of two pipes, in the order in which they end. A pipe has no screen: a sequence that moves between lines
 * ends the line.
 */
export class PipeLines implements StreamRenderer {
  readonly fullScreen = false;
  readonly pieces = false;
  readonly #sink: LineSink;
  readonly #maxUnits: number;
  readonly #pipes = new Map<OutputStream, Pipe>();
  /**
   * The start of the next line, if reading can begin there; otherwise undefined, until all pipes are between two lines.
   */
  #start: Cursor | undefined = START;
  #blockLines = 0;
  /** The pipe whose line was too long and has been emitted only in part. */
  #open: Pipe | undefined;

  constructor(sink: LineSink, options: { readonly maxUnits: number }) {
    this.#sink = sink;
    this.#maxUnits = options.maxUnits;
  }

  begin(cursor: Cursor): void {
    this.#start = cursor;
  }

  write(stream: OutputStream, seq: number, bytes: Uint8Array, skip: number): Steps {
    return this.#pipe(stream).tokenizer.write(seq, bytes, skip);
  }

  incompleteFrom(stream: OutputStream): Cursor | undefined {
    return this.#pipes.get(stream)?.tokenizer.incompleteFrom;
  }

  unfinished(): SeenLine[] {
    return [...this.#pipes.values()].flatMap(({ line }) =>
      line.empty ? [] : [{ text: line.text, start: this.#start }],
    );
  }

  cut(except: OutputStream | undefined): void {
    for (const [stream, { tokenizer }] of this.#pipes) {
      if (stream !== except) {
        tokenizer.cut();
      }
    }
  }

  flush(): void {
    // A line of which a part has been emitted comes first, so that its rest follows that part.
    const pipes = [...this.#pipes.values()].sort(
      (one, other) => Number(other === this.#open) - Number(one === this.#open),
    );
    const unfinished = pipes.filter(({ line }) => !line.empty);
    for (const [index, pipe] of unfinished.entries()) {
      this.#put(pipe, pipe.line.take(), index === unfinished.length - 1);
    }
    this.#start = undefined;
  }

  dispose(): void {
    for (const { emulator } of this.#pipes.values()) {
      emulator?.dispose();
    }
  }

  lineEnd(pipe: Pipe): void {
    this.#put(pipe, pipe.line.take(), false);
    if (this.#blockLines >= MAX_BLOCK_LINES) {
      for (const other of this.#pipes.values()) {
        if (!other.line.empty) {
          this.#put(other, other.line.take(), false);
        }
      }
    }
    this.#beginAt(pipe, pipe.tokenizer.position);
  }

  /** A line is too long. @param end The cursor at which it continues. */
  lineFull(pipe: Pipe, end: Cursor): void {
    this.#put(pipe, pipe.line.take(), true);
    this.#beginAt(pipe, end);
  }

  /** A line of a pipe has ended at this cursor. Reading can begin there if all pipes are between two lines. */
  #beginAt(pipe: Pipe, cursor: Cursor): void {
    const between = [...this.#pipes.values()].every(
      (other) => other.line.empty && (other === pipe || other.tokenizer.incompleteFrom === undefined),
    );
    if (between) {
      this.#start = cursor;
      this.#blockLines = 0;
    }
  }

  #put(pipe: Pipe, text: string, open: boolean): void {
    if (this.#open !== undefined && this.#open !== pipe) {
      this.#sink.line({ text: '', start: undefined, open: false });
    }
    this.#open = open ? pipe : undefined;
    this.#sink.line({ text, start: this.#start, open });
    this.#start = undefined;
    this.#blockLines += 1;
  }

  #pipe(stream: OutputStream): Pipe {
    let pipe = this.#pipes.get(stream);
    if (pipe === undefined) {
      pipe = new Pipe(this, this.#maxUnits);
      this.#pipes.set(stream, pipe);
    }
    return pipe;
  }
}

/** One of the streams, with its unfinished line. */
class Pipe implements TokenSink {
  readonly #owner: PipeLines;
  readonly tokenizer = new Tokenizer(this);
  readonly line: LineBuilder;
  emulator: Emulator | undefined;

  constructor(owner: PipeLines, maxUnits: number) {
    this.#owner = owner;
    this.line = new LineBuilder(() => (this.emulator ??= new Emulator(PIPE_SIZE)), maxUnits);
  }

  text(run: string, from: number): void {
    for (let at = 0; at < run.length;) {
      if (this.line.full) {
        this.#owner.lineFull(this, this.tokenizer.cursorAt(from + at));
      }
      at = this.line.add(run, at);
    }
  }

  control(character: string): void {
    if (character === '\n' || character === '\v' || character === '\f') {
      this.#owner.lineEnd(this);
    } else if (character === '\u0000') {
      this.line.add(NUL_PICTURE, 0);
      this.#endIfFull();
    } else if (character !== '\u000e' && character !== '\u000f') {
      this.line.control(character);
      this.#endIfFull();
    }
  }

  sequence(sequence: Sequence): void {
    if (sequence.effect === 'line' || sequence.erasesRight) {
      this.line.sequence(sequence);
    } else if (!this.line.empty && MOVES.test(sequence.raw)) {
      this.#owner.lineEnd(this);
    }
  }

  #endIfFull(): void {
    if (this.line.full) {
      this.#owner.lineFull(this, this.tokenizer.position);
    }
  }
}

/** Sequences that move to another line or wipe all lines. */
const MOVES = /[ABEFHfdeJcDEM]$/;
