import type { OutputStream, TerminalSize } from '../core/index.js';

import type { EmulatorText } from './pacedWriter.js';
import { SgrState } from './sgrState.js';
import { type FilterOptions, TerminalFilter, type TextStyle } from './terminalFilter.js';
import type { TerminalModes } from './terminalModes.js';

const ERROR_COLOR = '\u001b[31m';
const PLAIN = '\u001b[0m';

/** Turns the bytes of a process into the text that one terminal writes. */
export interface TerminalText {
  /** The last title that the program has set; empty if it has set none. */
  readonly title: string;
  /** How often the emulator was asked where the cursor is and may answer. */
  readonly cursorQueries: number;
  /** Whether the program draws on the whole screen. */
  readonly fullScreen: boolean;
  /** The sequence that sets the colours and styles of the text that follows, for a program with a terminal. */
  readonly pen: string;
  /** Whether the emulator waits for the rest of a sequence or string. */
  readonly open: boolean;
  /** @param answering Whether the emulator may answer queries in this output. */
  write(stream: OutputStream, bytes: Uint8Array, answering: boolean): EmulatorText;
  /**
   * Sets whether the emulator may speak by itself, if the program wants it to. Returns the sequences that bring this
   * about.
   */
  report(reporting: boolean): string;
  /** Puts text of our own between two pieces of output. */
  insert(text: string): string;
  /**
   * Puts a line of our own in the place of output that is missing. Incomplete characters and sequences end there.
   *
   * @param modes The sequences that give a fresh terminal the modes after the missing output, if known.
   */
  skip(line: string, modes: string | undefined): string;
  /** Ends the output. Returns what makes the emulator fit for plain lines. */
  finish(): string;
}

/** @param size Returns the size of the emulator's screen, which may change. */
export function terminalText(
  tty: boolean,
  size: () => TerminalSize,
  options: FilterOptions = {},
): TerminalText {
  return tty ? new ScreenText(size, undefined, options) : new PipeText(size, options);
}

/** The output of a program with a terminal; it is already meant for a terminal. */
export class ScreenText implements TerminalText {
  readonly #filter: TerminalFilter;
  readonly #size: () => TerminalSize;
  #replaySize: (() => TerminalSize) | undefined;
  #decoder = utf8Decoder();

  constructor(size: () => TerminalSize, style?: TextStyle, options: FilterOptions = {}) {
    this.#size = size;
    this.#filter = new TerminalFilter(() => (this.#replaySize ?? size)(), style, options);
  }

  get pen(): string {
    return this.modes.pen;
  }

  /** The modes that the program has set so far. */
  get modes(): TerminalModes {
    return this.#filter.modes;
  }

  /**
   * The text is for an emulator of our own, until {@link endReplay}.
   *
   * @param size Returns the size of that emulator.
   */
  beginReplay(size: () => TerminalSize, imageMark: string): void {
    this.#replaySize = size;
    this.#filter.markImages(imageMark);
  }

  endReplay(): void {
    this.#replaySize = undefined;
    this.#filter.markImages(undefined);
  }

  /** Returns what gives the terminal to another program for a while. */
  pause(): string {
    return this.#filter.interrupt() + this.#filter.report(false) + this.modes.back(this.#size());
  }

  /** Returns what gives the terminal the modes of the program again; its screen is empty. */
  resume(): string {
    return this.modes.again();
  }

  get title(): string {
    return this.#filter.title;
  }

  get cursorQueries(): number {
    return this.#filter.cursorQueries;
  }

  get fullScreen(): boolean {
    return this.#filter.fullScreen;
  }

  get open(): boolean {
    return this.#filter.open;
  }

  write(_stream: OutputStream, bytes: Uint8Array, answering: boolean): EmulatorText {
    const text = this.#filter.write(this.#decoder.decode(bytes, { stream: true }), answering);
    return { text, safePlace: this.#filter.safePlace };
  }

  report(reporting: boolean): string {
    return this.#filter.report(reporting);
  }

  insert(text: string): string {
    return this.#filter.interrupt() + text;
  }

  skip(line: string, modes: string | undefined): string {
    return (
      (modes === undefined ? this.#cut() : this.finish()) + line + this.#filter.write(modes ?? '', false)
    );
  }

  finish(): string {
    return this.#cut() + this.#filter.finish();
  }

  #cut(): string {
    const rest = this.#filter.write(this.#decoder.decode(), false);
    this.#decoder = utf8Decoder();
    return rest + this.#filter.cut();
  }
}

type Utf8Decoder = InstanceType<typeof TextDecoder>;

interface PipeStream {
  readonly name: OutputStream;
  readonly filter: TerminalFilter;
  readonly style: SgrState;
  decoder: Utf8Decoder;
}

/**
 * The output of two pipes on one screen. A line feed also returns the cursor. Text on stderr has a colour of its own if
 * its program sets no colour. Colours set on one pipe do not apply to the other. Queries in it are never answered: its
 * program has no terminal to ask, and the answer would appear in the line that a person types.
 */
class PipeText implements TerminalText {
  /** Its program has no screen. */
  readonly fullScreen = false;
  /** Each piece sets its own colours. */
  readonly pen = '';
  readonly #stdout: PipeStream;
  readonly #stderr: PipeStream;
  /** The stream whose output came last, so that its colours are set. */
  #last: PipeStream | undefined;
  #afterReturn = false;

  constructor(size: () => TerminalSize, options: FilterOptions = {}) {
    this.#stdout = this.#stream('stdout', size, options);
    this.#stderr = this.#stream('stderr', size, options);
  }

  get open(): boolean {
    return this.#last?.filter.open ?? false;
  }

  get title(): string {
    return this.#stdout.filter.title || this.#stderr.filter.title;
  }

  get cursorQueries(): number {
    return this.#stdout.filter.cursorQueries + this.#stderr.filter.cursorQueries;
  }

  write(name: OutputStream, bytes: Uint8Array): EmulatorText {
    const stream = name === 'stderr' ? this.#stderr : this.#stdout;
    const change = stream === this.#last ? '' : this.#changeTo(stream);
    const text = stream.filter.write(stream.decoder.decode(bytes, { stream: true }), false);
    const { safePlace } = stream.filter;
    return {
      text: change + text,
      safePlace: safePlace === undefined ? undefined : change.length + safePlace,
    };
  }

  report(reporting: boolean): string {
    return this.#stdout.filter.report(reporting) + this.#stderr.filter.report(reporting);
  }

  insert(text: string): string {
    const out = (this.#last?.filter.interrupt() ?? '') + PLAIN + text;
    this.#last = undefined;
    this.#afterReturn = false;
    return out;
  }

  skip(line: string): string {
    return this.#cut() + this.insert(line);
  }

  finish(): string {
    return this.#cut() + this.#streams.map((stream) => stream.filter.finish()).join('');
  }

  get #streams(): readonly PipeStream[] {
    return this.#last === this.#stderr ? [this.#stderr, this.#stdout] : [this.#stdout, this.#stderr];
  }

  #cut(): string {
    return this.#streams.map((stream) => this.#cutStream(stream)).join('');
  }

  #changeTo(stream: PipeStream): string {
    const interrupted = this.#last?.filter.interrupt() ?? '';
    // No colours are set before the very first piece.
    const plain = this.#last === undefined && stream.name === 'stdout' ? '' : PLAIN;
    this.#last = stream;
    return interrupted + plain + baseColor(stream) + stream.style.restore();
  }

  #cutStream(stream: PipeStream): string {
    const rest = stream.decoder.decode();
    stream.decoder = utf8Decoder();
    const change = rest === '' || stream === this.#last ? '' : this.#changeTo(stream);
    return change + stream.filter.write(rest, false) + stream.filter.cut();
  }

  #stream(name: OutputStream, size: () => TerminalSize, options: FilterOptions): PipeStream {
    const style = new SgrState();
    const textStyle: TextStyle = {
      text: (text) => this.#breakLines(text),
      colors: (params) => {
        style.apply(params);
        return baseColor(stream);
      },
    };
    const filter = new TerminalFilter(size, textStyle, options);
    const stream: PipeStream = { name, filter, style, decoder: utf8Decoder() };
    return stream;
  }

  #breakLines(text: string): string {
    const lines = text.replace(/\r?\n/g, '\r\n');
    // The chunks may have been cut between the carriage return and the line feed.
    const doubled = this.#afterReturn && text.startsWith('\n');
    this.#afterReturn = text.endsWith('\r');
    return doubled ? lines.slice(1) : lines;
  }
}

/** The colour of a stream while its program has set no colour. */
function baseColor({ name, style }: PipeStream): string {
  return name === 'stderr' && !style.hasForeground ? ERROR_COLOR : '';
}

/** A decoder that joins characters split between chunks, and keeps a byte order mark as an ordinary character. */
function utf8Decoder(): Utf8Decoder {
  return new TextDecoder('utf-8', { ignoreBOM: true });
}
