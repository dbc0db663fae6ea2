import {
  DEFAULT_TERMINAL_SIZE,
  type Disposable,
  type ExecEvent,
  type GapEvent,
  type OutputEvent,
  Queue,
  type Semaphore,
  type TerminalSize,
} from '../core/index.js';
import type { ScreenText } from './terminalText.js';
import type { Replay } from './replay/replay.js';

/** The characters that are parsed at once. Hostile ones take up to 35 ms, ordinary ones 0.01 ms. */
const PIECE_CHARACTERS = 256;
/** The longest time without a turn of the event loop, in milliseconds. */
const SLICE_MS = 20;
/** The processor time after which the replay is given up, in milliseconds. */
const BUDGET_MS = 1_000;

/** The most columns or rows of the emulator. */
const MOST_CELLS = 1_000;

/** The end of a replay. */
export interface ReplayEnd {
  /** The text that brings a fresh terminal to the state after the retained output. */
  readonly text: string;
  /** Whether the program should draw everything again, since output was missing or the replay was given up. */
  readonly incomplete: boolean;
}

interface RetainedScreenOptions {
  /** Replays take turns, so that many do not hold up the program together. */
  readonly turns: Semaphore;
  /** Makes the output fit for the terminal, in the replay and afterwards. */
  readonly text: ScreenText;
  /** The last number of the retained output. */
  readonly through: number;
  /** Returns the size of the terminal; undefined while it is not known. */
  readonly size: () => TerminalSize | undefined;
  /** Whether the marks around commands are kept; only VS Code reads them. */
  readonly marks: boolean;
  /** The table of cell widths that the terminal uses, if it is not the usual one. */
  readonly unicode?: '6' | '11' | undefined;
  /** A line for output that is missing. */
  readonly gapLine: (gap: GapEvent) => string;
  /** A line for a replay that was given up. */
  readonly tooSlowLine: () => string;
  /** The mark in place of an image. */
  readonly imageMark: string;
  readonly acknowledge: (seq: number) => void;
  readonly ended: (end: ReplayEnd) => void;
  /** Takes the events after the replay, in order. */
  readonly later: (event: ExecEvent) => void;
}

/**
 * Shows the retained output of a session as a state and not as a recording. An emulator gets the output at the sizes
 * that it was written for, and then writes out its own state. Nothing in the output acts a second time, and its lines
 * are broken for the terminal that shows them.
 */
export class RetainedScreen implements Disposable {
  readonly #options: RetainedScreenOptions;
  /** The events that were not taken yet. */
  readonly #events = new Queue<ExecEvent>();
  /** The exit, if it is a part of what is retained. */
  readonly #afterwards: ExecEvent[] = [];
  #replay: Replay | undefined;
  /** The size of the emulator. */
  #size: TerminalSize = DEFAULT_TERMINAL_SIZE;
  /** Text that the emulator parses, and the place that it has reached there. */
  #unparsed = '';
  #parsed = 0;
  /** The number of the output that the text was made from. */
  #seq = 0;
  #usedMs = 0;
  #incomplete = false;
  #running = false;
  #ended = false;
  /** Whether events that came during the replay are handed on. Later ones wait for their turn. */
  #handingOn = false;
  #disposed = false;

  constructor(options: RetainedScreenOptions) {
    this.#options = options;
    options.text.beginReplay(() => this.#size, options.imageMark);
  }

  /** Whether the replay goes on. */
  get active(): boolean {
    return !this.#ended;
  }

  /** Takes the next event. After the replay it is handed on at once. */
  take(event: ExecEvent): void {
    if (this.#ended && !this.#handingOn) {
      this.#options.later(event);
      return;
    }
    this.#events.push(event);
    if (!this.#running && !this.#ended) {
      this.#running = true;
      // Output that the emulator cannot take is passed on as it comes.
      void this.#options.turns.run(() => this.#run()).catch((error: unknown) => this.#failed(error));
    }
  }

  dispose(): void {
    this.#disposed = true;
    this.#replay?.dispose();
  }

  async #run(): Promise<void> {
    const { Replay: Emulator } = await import('./replay/replay.js');
    while (!this.#disposed && !this.#ended && this.#hasWork) {
      if (this.#replay === undefined) {
        this.#size = this.#firstSize();
        const { marks, unicode } = this.#options;
        this.#replay = new Emulator({ size: this.#size, marks, unicode });
      }
      this.#runSlice(this.#replay);
      await new Promise((resolve) => void setImmediate(resolve));
    }
    this.#running = false;
  }

  #failed(error: unknown): void {
    if (this.#ended) {
      throw error;
    }
    this.#end(this.#givenUp());
  }

  get #hasWork(): boolean {
    return this.#unparsed !== '' || this.#events.size > 0;
  }

  get #isTooSlow(): boolean {
    return this.#usedMs > BUDGET_MS;
  }

  #firstSize(): TerminalSize {
    const { first } = this.#events;
    const written = first?.type === 'output' ? first.size : undefined;
    return drawable(written ?? this.#options.size() ?? DEFAULT_TERMINAL_SIZE);
  }

  #runSlice(replay: Replay): void {
    const begun = process.cpuUsage();
    const end = performance.now() + SLICE_MS;
    while (!this.#ended && this.#hasWork && performance.now() < end) {
      if (this.#unparsed === '') {
        this.#next(replay);
      } else {
        this.#parse(replay);
      }
    }
    const { user, system } = process.cpuUsage(begun);
    this.#usedMs += (user + system) / 1_000;
  }

  #parse(replay: Replay): void {
    if (!this.#isTooSlow) {
      const end = this.#parsed + PIECE_CHARACTERS;
      replay.write(this.#unparsed.slice(this.#parsed, end));
      this.#parsed = end;
    }
    if (this.#isTooSlow || this.#parsed >= this.#unparsed.length) {
      this.#unparsed = '';
      this.#parsed = 0;
    }
    this.#endAfter(replay);
  }

  #next(replay: Replay): void {
    const event = this.#events.shift();
    const { text, gapLine } = this.#options;
    switch (event?.type) {
      case undefined:
        return;
      case 'output':
        this.#output(event, replay);
        this.#seq = event.seq;
        break;
      case 'gap':
        this.#incomplete = true;
        this.#unparsed = text.skip(gapLine(event), event.modes);
        this.#seq = event.throughSeq;
        break;
      case 'exited':
        this.#afterwards.push(event);
        this.#seq = event.seq;
        break;
      case 'closed':
      case 'failed':
        this.#afterwards.push(event);
        this.#seq = Number.POSITIVE_INFINITY;
        break;
    }
    this.#endAfter(replay);
  }

  #output({ seq, stream, bytes, size }: OutputEvent, replay: Replay): void {
    const { text } = this.#options;
    if (size !== undefined) {
      this.#resize(drawable(size), replay);
    }
    this.#unparsed = text.write(stream, bytes, false).text;
    this.#options.acknowledge(seq);
  }

  #resize(size: TerminalSize, replay: Replay): void {
    if (size.columns !== this.#size.columns || size.rows !== this.#size.rows) {
      this.#size = size;
      this.#options.text.modes.resized();
      replay.resize(size);
    }
  }

  /** Ends the replay if everything that is retained has been parsed. */
  #endAfter(replay: Replay): void {
    const { text, through, size } = this.#options;
    if (this.#unparsed !== '' || this.#seq < through) {
      return;
    }
    // The rest of a string that goes on in later output has no effect.
    replay.write(text.insert(''));
    this.#resize(size() ?? this.#size, replay);
    this.#end(
      this.#isTooSlow
        ? this.#givenUp()
        : { text: replay.text(undefined, text.modes.set()), incomplete: this.#incomplete },
    );
  }

  #givenUp(): ReplayEnd {
    const { text, tooSlowLine } = this.#options;
    const { alternate } = text.modes;
    const modes = text.modes.begin();
    return { text: alternate ? modes + tooSlowLine() : tooSlowLine() + modes, incomplete: true };
  }

  #end(end: ReplayEnd): void {
    const { text, ended, later } = this.#options;
    this.#ended = true;
    this.#handingOn = true;
    this.#replay?.dispose();
    text.endReplay();
    ended(end);
    this.#afterwards.forEach(later);
    for (let event = this.#events.shift(); event !== undefined; event = this.#events.shift()) {
      later(event);
    }
    this.#handingOn = false;
  }
}

/** The size that a server names, if it is no larger than any screen. */
function drawable({ columns, rows }: TerminalSize): TerminalSize {
  return { columns: Math.min(columns, MOST_CELLS), rows: Math.min(rows, MOST_CELLS) };
}
