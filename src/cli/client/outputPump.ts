import {
  type ExecEvent,
  type ExecProcess,
  type GapEvent,
  type OutputEvent,
  Semaphore,
  type Subscription,
} from '../../core/index.js';
import { type ReplayEnd, RetainedScreen, ScreenText } from '../../terminal/index.js';
import { terminalSize } from './sizeAndFocus.js';
import { type Console, remark } from '../console.js';

/** The bytes that may be on their way to standard output before the session is held back. */
const WINDOW_BYTES = 256 * 1024;

/** The size that limits the counts in escape sequences of output where no terminal can say one. */
const ANY_SIZE = { columns: 300, rows: 100 };

interface OutputPumpOptions {
  /**
   * The last number of output that is a replay, whose questions are not answered; 0 if no terminal can have shown any.
   */
  readonly replayThrough: number;
  /** Called once, with everything written. */
  readonly onEnd: (last: Extract<ExecEvent, { readonly type: 'closed' | 'failed' }>) => void;
  /** Called when output of a session with a terminal is missing. */
  readonly onIncomplete: () => void;
  /** Called when the session has exited, with its output so far written. */
  readonly onExit: () => void;
  /** Called when output is written. */
  readonly onOutput: () => void;
}

/**
 * Writes the output of a session to standard output: the retained output, then new output. It writes as fast as the
 * reader reads; the session waits for that, as it would for a pipe.
 *
 * On a terminal, the output of a session with a terminal is made fit for it. A replay is never answered, and at the end
 * every mode that the program has left on is switched off. All other output is written as it is. Standard error of a
 * session without a terminal goes to standard error.
 */
export class OutputPump {
  readonly #console: Console;
  readonly #process: ExecProcess;
  readonly #options: OutputPumpOptions;
  readonly #text: ScreenText | undefined;
  /** Shows the earlier output of a session with a terminal. All events go through it. */
  readonly #retained: RetainedScreen | undefined;
  #subscription: Subscription | undefined;
  #answers = false;
  #ended = false;

  constructor(console: Console, process: ExecProcess, options: OutputPumpOptions) {
    this.#console = console;
    this.#process = process;
    this.#options = options;
    if (process.info().tty && console.onTerminal.output) {
      this.#text = new ScreenText(() => terminalSize(console) ?? ANY_SIZE, {
        // An emulator of our own gets the earlier output as it is.
        text: (text) => (this.#replays ? text : keepLineFeeds(text)),
        colors: () => '',
      });
      this.#text.report(false);
      this.#retained = options.replayThrough > 0 ? this.#retainedScreen(this.#text) : undefined;
    }
  }

  start(): void {
    this.#subscription = this.#process.subscribe(
      { windowBytes: WINDOW_BYTES, stallMs: Number.POSITIVE_INFINITY },
      (event) => (this.#retained === undefined ? this.#take(event) : this.#retained.take(event)),
    );
    this.#report();
  }

  /** Sets whether the emulator of this terminal answers the program. */
  setAnswering(answers: boolean): void {
    this.#answers = answers;
    this.#report();
  }

  /** Gives the terminal to the shell, without the modes of the program. */
  pause(): void {
    this.#write('stdout', this.#replays ? '' : (this.#text?.pause() ?? ''));
  }

  resume(): void {
    this.#write('stdout', this.#replays ? '' : (this.#text?.resume() ?? ''));
    this.#report();
  }

  /** Writes nothing more, and makes the terminal fit for plain lines. */
  end(): void {
    if (!this.#ended) {
      this.#ended = true;
      this.#subscription?.dispose();
      // Before the end of the replay, the terminal has got none of the modes.
      this.#write('stdout', this.#replays ? '' : (this.#text?.finish() ?? ''));
      this.#retained?.dispose();
    }
  }

  get #replays(): boolean {
    return this.#retained?.active === true;
  }

  #retainedScreen(text: ScreenText): RetainedScreen {
    return new RetainedScreen({
      text,
      turns: new Semaphore(1),
      through: this.#options.replayThrough,
      size: () => terminalSize(this.#console),
      marks: false,
      gapLine: (gap) => `${gapWords(gap)}\r\n`,
      tooSlowLine: () => '[earlier output takes too long to draw and is not shown here]\r\n',
      imageMark: '[image]',
      acknowledge: (seq) => this.#subscription?.acknowledge(seq),
      ended: (end) => this.#endReplay(end),
      later: (event) => this.#take(event),
    });
  }

  #endReplay({ text, incomplete }: ReplayEnd): void {
    // Below and beside the cursor there may be other text.
    this.#write('stdout', `\r\u001b[J${text}`);
    this.#report();
    if (incomplete) {
      this.#options.onIncomplete();
    }
  }

  #take(event: ExecEvent): void {
    switch (event.type) {
      case 'output':
        this.#output(event);
        break;
      case 'gap':
        this.#gap(event);
        break;
      case 'exited':
        this.#options.onExit();
        break;
      case 'closed':
      case 'failed':
        this.end();
        this.#options.onEnd(event);
        break;
    }
  }

  #output({ seq, stream, bytes }: OutputEvent): void {
    const answering = this.#answers && seq > this.#options.replayThrough;
    const shown = this.#text === undefined ? bytes : this.#text.write(stream, bytes, answering).text;
    this.#write(stream === 'stderr' ? 'stderr' : 'stdout', shown, () => this.#subscription?.acknowledge(seq));
    this.#options.onOutput();
  }

  #gap(event: GapEvent): void {
    if (this.#text === undefined) {
      remark(this.#console, gapWords(event));
    } else {
      this.#write('stdout', this.#text.skip(`${gapWords(event)}\r\n`, event.modes));
      this.#options.onIncomplete();
    }
  }

  #report(): void {
    this.#write('stdout', this.#text?.report(this.#answers && !this.#replays) ?? '');
  }

  #write(stream: 'stdout' | 'stderr', shown: string | Uint8Array, written?: () => void): void {
    if (shown.length > 0) {
      this.#console[stream].write(shown, written);
    } else {
      written?.();
    }
  }
}

function gapWords({ bytes }: GapEvent): string {
  return `[${bytes === undefined ? 'Some' : `${bytes} bytes of the`} output is no longer kept]`;
}

/** IND: the cursor goes down a line, and the screen up if need be, as with a line feed. */
const INDEX = '\u001bD';

/**
 * Keeps line feeds what they are. A terminal in Node's raw mode puts a carriage return before each of them, as it does
 * without raw mode. But the program has its own terminal, which has done so if the program wants it. A full-screen
 * program may mean a line feed that stays in its column.
 */
function keepLineFeeds(text: string): string {
  // After a carriage return, a second one changes nothing.
  return text.replace(
    /(^|[^\r])(\n+)/g,
    (_, before: string, feeds: string) => before + feeds.replaceAll('\n', INDEX),
  );
}
