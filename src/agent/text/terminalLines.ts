import type { OutputStream } from '../../core/index.js';

import { START, type Cursor } from './cursor.js';
import { Emulator } from './emulator.js';
import { LineBuilder } from './lineBuilder.js';
import { FULL_SCREEN_END, FULL_SCREEN_LAST, FULL_SCREEN_NOW, SCREEN_CLEARED } from './notes.js';
import { ScreenBlock, type ScreenLine } from './screenBlock.js';
import { RESET, type Sequence } from './sequence.js';
import type { Steps } from './steps.js';
import type { LineSink, SeenLine, StreamRenderer } from './streamRenderer.js';
import { Tokenizer, type TokenSink } from './tokenizer.js';

/** The rows of the screen if the options do not say how many there are. */
const DEFAULT_ROWS = 24;
/** Narrower terminals would only cost time. */
const MIN_COLUMNS = 20;
const MAX_COLUMNS = 500;
const MAX_ROWS = 200;
/** The most line ends that are held back. Programs write fewer when they leave. */
const MAX_LINE_ENDS = 16;

type Mode =
  /** Line after line. */
  | 'lines'
  /** The program moves between lines: the emulator has the screen. */
  | 'block'
  | 'alternate';

/**
 * The lines of a terminal. A line is final when it can have left the screen: until then the program may move up and
 * change it. On such a move, the lines of the screen go into the emulator. They become one block with all that follows,
 * until the changed lines have left the screen.
 */
export class TerminalLines implements StreamRenderer, TokenSink {
  readonly #sink: LineSink;
  readonly #tokenizer = new Tokenizer(this);
  readonly #size: { readonly columns: number; readonly rows: number };
  readonly #line: LineBuilder;
  #emulator: Emulator | undefined;
  #mode: Mode = 'lines';
  #block: ScreenBlock | undefined;
  /** Ended lines that are still on the screen, oldest first. */
  #recent: ScreenLine[] = [];
  /**
   * Line ends that a full-screen program wrote last, held back from the emulator. Programs leave with one, and the last
   * screen is to show the row that it would push off the screen.
   */
  #lineEnds = '';
  /** Whether the full-screen program has written anything: else there is no screen to look at. */
  #drawn = false;
  /** The cursor at which the current line or block begins. */
  #start = START;
  /** Whether a full-screen program had the terminal before this output. Only the changes of its screen are rendered. */
  #inside = false;
  #pieces = false;
  /** Whether a line editor reads a line. */
  #editing = false;

  constructor(
    sink: LineSink,
    options: {
      readonly columns: number;
      readonly rows?: number | undefined;
      readonly fullScreen?: boolean | undefined;
      readonly maxUnits: number;
    },
  ) {
    this.#sink = sink;
    this.#size = {
      columns: terminalColumns(options.columns),
      rows: clamp(options.rows ?? DEFAULT_ROWS, 2, MAX_ROWS),
    };
    this.#line = new LineBuilder(() => this.#terminal(), options.maxUnits);
    if (options.fullScreen === true) {
      this.#beginInside();
    }
  }

  get fullScreen(): boolean {
    return this.#mode === 'alternate';
  }

  get pieces(): boolean {
    return this.#pieces;
  }

  begin(cursor: Cursor): void {
    this.#start = cursor;
  }

  write(_stream: OutputStream, seq: number, bytes: Uint8Array, skip: number): Steps {
    return this.#tokenizer.write(seq, bytes, skip);
  }

  incompleteFrom(): Cursor | undefined {
    return this.#tokenizer.incompleteFrom;
  }

  unfinished(): SeenLine[] {
    const start = this.#start;
    const changing =
      this.#mode === 'alternate'
        ? this.#terminal().screen()
        : (this.#block?.text() ?? (this.#line.empty ? [] : [this.#line.text]));
    return [
      ...this.#recent,
      ...changing.map((text, index) => {
        const growing = index === changing.length - 1;
        return { text, start, growing, atEditor: growing && this.#editing };
      }),
    ];
  }

  cut(except: OutputStream | undefined): void {
    if (except === undefined) {
      this.#tokenizer.cut();
    }
  }

  flush(): void {
    const { position } = this.#tokenizer;
    if (this.#mode === 'alternate') {
      this.#putScreen(FULL_SCREEN_NOW);
      this.#beginAnew(position);
      this.#beginInside();
    } else {
      this.#flushLines(true);
      this.#beginAnew(position);
    }
  }

  dispose(): void {
    this.#emulator?.dispose();
  }

  text(run: string, from: number): void {
    for (let at = 0; at < run.length;) {
      if (this.#block?.full === true) {
        this.#cutBlock(this.#tokenizer.cursorAt(from + at));
      }
      if (this.#mode === 'lines') {
        if (this.#line.full) {
          this.#endLine(true, this.#tokenizer.cursorAt(from + at));
        }
        at = this.#line.add(run, at);
      } else if (this.#block !== undefined) {
        at = this.#block.add(run, at);
      } else {
        this.#writeAlternate(run.slice(at));
        at = run.length;
      }
    }
  }

  control(character: string): void {
    if (character === '\u0000') {
      // Terminals once needed it to take their time.
      return;
    }
    if (this.#mode === 'alternate') {
      const isLineEnd = character === '\r' || character === '\n';
      if (isLineEnd && this.#lineEnds.length < MAX_LINE_ENDS) {
        this.#lineEnds += character;
      } else {
        this.#writeAlternate(character);
      }
    } else if (this.#block !== undefined) {
      this.#blockControl(this.#block, character);
    } else if (character === '\n' || character === '\v' || character === '\f') {
      this.#endLine(false, this.#tokenizer.position);
    } else if (character === '\u000e' || character === '\u000f') {
      this.#enterBlock().control(character, this.#tokenizer.position);
    } else {
      this.#line.control(character);
    }
  }

  sequence(sequence: Sequence): void {
    if (sequence.effect === 'editorOn' || sequence.effect === 'editorOff') {
      this.#editing = sequence.effect === 'editorOn';
    } else if (this.#mode === 'alternate') {
      this.#alternateSequence(sequence);
    } else if (sequence.effect === 'alternateOn') {
      this.#flushLines(false);
      this.#beginAnew(this.#tokenizer.sequenceStart);
      this.#beginAlternate(sequence.raw);
    } else if (sequence.effect === 'alternateOff') {
      // A full-screen program was there before the output that is rendered here begins.
      if (this.#block !== undefined) {
        this.#put([FULL_SCREEN_LAST, ...trimBlank(this.#block.text()), FULL_SCREEN_END]);
        this.#beginAnew(this.#tokenizer.position);
      }
    } else if (sequence.effect === 'clear' || this.#block?.erasesAll(sequence) === true) {
      this.#flushLines(false);
      this.#beginAnew(this.#tokenizer.sequenceStart);
      this.#put([SCREEN_CLEARED]);
      this.#beginAnew(this.#tokenizer.position);
    } else {
      this.#lineSequence(sequence);
    }
  }

  #alternateSequence(sequence: Sequence): void {
    if (sequence.effect === 'alternateOff' || sequence.raw === RESET) {
      this.#putScreen(FULL_SCREEN_LAST);
      this.#inside = false;
      this.#beginAnew(this.#tokenizer.position);
    } else {
      this.#writeAlternate(sequence.raw);
    }
  }

  /** Emits the screen of the full-screen program; of one that was there before, the rows that it has changed. */
  #putScreen(note: string): void {
    const rows = this.#drawn ? this.#terminal().screen() : [];
    const changed = this.#inside ? rows.filter(isNotBlank) : [note, ...trimBlank(rows), FULL_SCREEN_END];
    this.#pieces ||= this.#inside && changed.length > 0;
    this.#put(changed);
  }

  #beginAlternate(sequence: string): void {
    this.#terminal().reset();
    this.#terminal().write(sequence);
    this.#drawn = false;
    this.#mode = 'alternate';
  }

  #beginInside(): void {
    this.#inside = true;
    this.#beginAlternate(ALTERNATE_ON);
  }

  #writeAlternate(data: string): void {
    this.#terminal().write(this.#lineEnds + data);
    this.#lineEnds = '';
    this.#drawn = true;
  }

  #lineSequence(sequence: Sequence): void {
    if (this.#block !== undefined) {
      this.#block.sequence(sequence);
      this.#cutIfOverfull(this.#block);
    } else if (sequence.effect === 'line' || sequence.erasesRight) {
      // Below the last line there is nothing to erase.
      this.#line.sequence(sequence);
    } else if (!DESIGNATES_ASCII.test(sequence.raw)) {
      this.#enterBlock().sequence(sequence);
    }
  }

  #blockControl(block: ScreenBlock, character: string): void {
    block.control(character, this.#tokenizer.position);
    const after = character === '\n' ? block.close() : undefined;
    if (after === undefined) {
      this.#cutIfOverfull(block);
      return;
    }
    this.#put(after.changed);
    this.#beginAnew(after.start);
    for (const { text, start } of after.recent) {
      this.#keep({ text: withoutBlanks(text), start, open: false });
    }
  }

  #cutIfOverfull(block: ScreenBlock): void {
    if (block.overfull) {
      this.#cutBlock(this.#tokenizer.position);
    }
  }

  /** Cuts a block that grows without end: the output after the cut begins on a new screen. */
  #cutBlock(next: Cursor): void {
    this.#flushLines(true);
    this.#beginAnew(next);
  }

  /** Gives the emulator the lines that are on the screen, because the program moves to other lines than its last. */
  #enterBlock(): ScreenBlock {
    const text = this.#line.empty ? '' : this.#line.takeForEmulator();
    const block = new ScreenBlock(this.#terminal(), this.#recent, { text, start: this.#start });
    for (const above of this.#recent.slice(0, block.aboveCount)) {
      this.#sink.line(above);
    }
    this.#recent = [];
    this.#start = block.start;
    this.#block = block;
    this.#mode = 'block';
    return block;
  }

  #endLine(open: boolean, next: Cursor): void {
    const text = this.#line.take();
    const atEditor = this.#editing;
    this.#keep({ text: open ? text : withoutBlanks(text), start: this.#start, open, atEditor });
    this.#start = next;
  }

  #keep(line: ScreenLine): void {
    this.#recent.push(line);
    if (this.#recent.length > this.#size.rows * 2) {
      // One splice in bulk: a shift() for every line would move the array each time.
      for (const old of this.#recent.splice(0, this.#size.rows)) {
        this.#sink.line(old);
      }
    }
  }

  /** Emits all lines. @param goesOn Whether an unfinished last line may continue. */
  #flushLines(goesOn: boolean): void {
    if (this.#block !== undefined) {
      const { changed, recent, open: unfinishedLast } = this.#block.end();
      const open = unfinishedLast && goesOn;
      this.#put(changed, open && recent.length === 0);
      for (const [index, { text, start }] of recent.entries()) {
        const unfinished = open && index === recent.length - 1;
        this.#sink.line({ text: unfinished ? text : withoutBlanks(text), start, open: unfinished });
      }
      return;
    }
    for (const line of this.#recent) {
      this.#sink.line(line);
    }
    if (!this.#line.empty) {
      this.#sink.line({ text: this.#line.take(), start: this.#start, open: goesOn });
    }
  }

  /** Emits the lines of one block. Reading can begin only at the first of them. */
  #put(lines: readonly string[], open = false): void {
    for (const [index, text] of lines.entries()) {
      const unfinished = open && index === lines.length - 1;
      this.#sink.line({
        text: unfinished ? text : withoutBlanks(text),
        start: index === 0 ? this.#start : undefined,
        open: unfinished,
      });
    }
  }

  /** Output from this cursor on is on a new screen. */
  #beginAnew(cursor: Cursor): void {
    this.#mode = 'lines';
    this.#block = undefined;
    this.#recent = [];
    this.#lineEnds = '';
    this.#start = cursor;
  }

  #terminal(): Emulator {
    return (this.#emulator ??= new Emulator(this.#size));
  }
}

const ALTERNATE_ON = '\u001b[?1049h';
/** Sequences for the character set that is in force anyway as long as only lines are written. */
const DESIGNATES_ASCII = /^\u001b[()*+]B$/;

function trimBlank(lines: readonly string[]): readonly string[] {
  const from = lines.findIndex(isNotBlank);
  return from < 0 ? [] : lines.slice(from, lines.findLastIndex(isNotBlank) + 1);
}

function isNotBlank(line: string): boolean {
  return line.trim() !== '';
}

/** Takes off blanks at the end: a terminal does not show them, and programs fill lines with them. Line ends stay. */
function withoutBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t')) {
    end -= 1;
  }
  return end === text.length ? text : text.slice(0, end);
}

/** The width in which a terminal's output is rendered. */
export function terminalColumns(columns: number): number {
  return clamp(columns, MIN_COLUMNS, MAX_COLUMNS);
}

function clamp(value: number, lowest: number, highest: number): number {
  return Math.min(Math.max(Math.floor(value) || lowest, lowest), highest);
}
