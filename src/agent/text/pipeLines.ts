import type { OutputStream } from '../../core/index.js';

import { START, type Cursor } from './cursor.js';
import { Emulator } from './emulator.js';
import { LineBlock } from './lineBlock.js';
import { LineBuilder } from './lineBuilder.js';
import type { Sequence } from './sequence.js';
import type { Steps } from './steps.js';
import { Tokenizer, type TokenSink } from './tokenizer.js';
import type { LineSink, SeenLine, StreamRenderer } from './streamRenderer.js';

/** A pipe has no width. This is wide enough for every progress bar. */
const PIPE_SIZE = { columns: 1_000, rows: 2 };
/**
 * The unfinished lines of all pipes are ended after this many lines, if the pipes are never between two lines at the
 * same time.
 */
const MAX_BLOCK_LINES = 200;
/** Fewer plain lines are not worth a block. */
const MIN_PLAIN_LINES = 4;
/** How much is rendered line by line before plain lines are looked for again, in bytes. */
const RENDERED_BYTES = 256;
const LINE_END = 0x0a;
const TAB = 0x09;
const FIRST_PRINTABLE = 0x20;
const DELETE = 0x7f;
/** Stands for a NUL, which separates names or fields in a pipe (`find -print0`). A terminal shows nothing for it. */
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

  *write(stream: OutputStream, seq: number, bytes: Uint8Array, skip: number): Steps {
    const pipe = this.#pipe(stream);
    if (this.#sink.block === undefined) {
      yield* pipe.tokenizer.write(seq, bytes, skip);
      return;
    }
    for (let at = skip; at < bytes.length;) {
      const between = this.#isBetween(pipe);
      const behind = between ? this.#block(seq, bytes, at) : at;
      if (behind === at) {
        const end = bytes.indexOf(LINE_END, between ? at + RENDERED_BYTES : at) + 1 || bytes.length;
        yield* pipe.tokenizer.write(seq, bytes, at, end);
        at = end;
      } else {
        at = behind;
        yield;
      }
    }
  }

  incompleteFrom(stream: OutputStream): Cursor | undefined {
    return this.#pipes.get(stream)?.tokenizer.incompleteFrom;
  }

  unfinished(): SeenLine[] {
    return [...this.#pipes.values()].flatMap(({ line }) =>
      line.empty ? [] : [{ text: line.text, start: this.#start, growing: true }],
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
    // A line that has been emitted in part comes first, so that its rest follows that part.
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

  /** Whether no line of any pipe is unfinished, so that lines of this one stand for themselves. */
  #isBetween(pipe: Pipe): boolean {
    return (
      pipe.tokenizer.between &&
      this.#start !== undefined &&
      (this.#open ?? pipe) === pipe &&
      this.#allBetween(pipe)
    );
  }

  /** Emits the plain lines at a place of a chunk, if there are some, and returns the place after them. */
  #block(seq: number, bytes: Uint8Array, at: number): number {
    const { lines, end } = plainLines(bytes, at, this.#maxUnits);
    if (lines < MIN_PLAIN_LINES) {
      return at;
    }
    const text = ASCII.decode(bytes.subarray(at, end));
    this.#sink.block?.(new LineBlock(seq, text, { offset: at, from: 0, to: end - at, lines }));
    this.#open = undefined;
    this.#blockLines = 0;
    this.#start =
      end < bytes.length ? { afterSeq: seq - 1, skipBytes: end } : { afterSeq: seq, skipBytes: 0 };
    return end;
  }

  /** A line of a pipe has ended at this cursor. Reading can begin there if all pipes are between two lines. */
  #beginAt(pipe: Pipe, cursor: Cursor): void {
    if (this.#allBetween(pipe)) {
      this.#start = cursor;
      this.#blockLines = 0;
    }
  }

  #allBetween(pipe: Pipe): boolean {
    for (const other of this.#pipes.values()) {
      if (!other.line.empty || (other !== pipe && other.tokenizer.incompleteFrom !== undefined)) {
        return false;
      }
    }
    return true;
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

/** Decodes bytes that are known to be ASCII. */
const ASCII = new TextDecoder();

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

/** Whole lines of a chunk, from a place in it on. */
interface PlainLines {
  readonly lines: number;
  /** The place after them, in bytes. */
  readonly end: number;
}

/**
 * The longest run of lines from a place on that need no rendering. They are ASCII without control characters other than
 * tabs, not too long, and each differs from the one before.
 *
 * @param maxUnits How long a line may be.
 */
function plainLines(bytes: Uint8Array, from: number, maxUnits: number): PlainLines {
  let lines = 0;
  let start = from;
  let lengthBefore = -1;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte >= FIRST_PRINTABLE && byte < DELETE) {
      continue;
    }
    if (byte === LINE_END) {
      const length = at - start;
      // Lines in a row mostly differ at their ends.
      const isAlike = length === lengthBefore && (length === 0 || bytes[at - 1] === bytes[start - 2]);
      if (length > maxUnits || (isAlike && isRepeated(bytes, start, length))) {
        break;
      }
      lines += 1;
      lengthBefore = length;
      start = at + 1;
    } else if (byte !== TAB) {
      break;
    }
  }
  return { lines, end: start };
}

/** Whether a line equals the one of the same length before it. */
function isRepeated(bytes: Uint8Array, start: number, length: number): boolean {
  for (let at = start; at < start + length; at++) {
    if (bytes[at] !== bytes[at - length - 1]) {
      return false;
    }
  }
  return true;
}
