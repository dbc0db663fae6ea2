import type { ExecEvent, ExecProcess, GapEvent, OutputEvent, Subscription } from '../../core/index.js';
import { type TerminalText, terminalText } from '../../terminal/index.js';
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
  /** Called when the replay is over, with whether output was missing in it. */
  readonly onReplayed: (missing: boolean) => void;
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
  readonly #text: TerminalText | undefined;
  readonly #replayThrough: number;
  readonly #lineFeeds = new LineFeeds();
  #subscription: Subscription | undefined;
  #answers = false;
  #replaying = true;
  #hadGap = false;
  #ended = false;

  constructor(console: Console, process: ExecProcess, options: OutputPumpOptions) {
    this.#console = console;
    this.#process = process;
    this.#options = options;
    const { tty } = process.info();
    const { stdout } = console;
    const size = () =>
      stdout.columns > 0 && stdout.rows > 0 ? { columns: stdout.columns, rows: stdout.rows } : ANY_SIZE;
    this.#text = tty && console.onTerminal.output ? terminalText(true, size) : undefined;
    this.#replayThrough = options.replayThrough;
    this.#text?.report(false);
  }

  start(): void {
    this.#subscription = this.#process.subscribe(
      { windowBytes: WINDOW_BYTES, stallMs: Number.POSITIVE_INFINITY },
      (event) => this.#take(event),
    );
    this.#replayed(0);
  }

  /** Sets whether the emulator of this terminal answers the program. */
  setAnswering(answers: boolean): void {
    this.#answers = answers;
    this.#report();
  }

  /** Keeps the emulator from speaking by itself, while the shell has the terminal. */
  pause(): void {
    this.#write('stdout', this.#text?.report(false) ?? '');
  }

  resume(): void {
    this.#report();
  }

  /** Writes nothing more, and makes the terminal fit for plain lines. */
  end(): void {
    if (!this.#ended) {
      this.#ended = true;
      this.#subscription?.dispose();
      this.#write('stdout', this.#text?.finish() ?? '');
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
        this.#replayed(event.seq);
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
    const answering = this.#answers && seq > this.#replayThrough;
    const shown =
      this.#text === undefined
        ? bytes
        : this.#lineFeeds.write(this.#text.write(stream, bytes, answering).text);
    this.#write(stream === 'stderr' ? 'stderr' : 'stdout', shown, () => this.#subscription?.acknowledge(seq));
    this.#options.onOutput();
    this.#replayed(seq);
  }

  #gap(event: GapEvent): void {
    this.#hadGap = true;
    const size = event.bytes === undefined ? 'Some' : `${event.bytes} bytes of the`;
    this.#write('stdout', this.#text?.cut() ?? '');
    remark(this.#console, `[${size} output is no longer kept]`);
    this.#replayed(event.throughSeq);
  }

  #replayed(seq: number): void {
    if (this.#replaying && seq >= this.#replayThrough) {
      this.#replaying = false;
      this.#report();
      this.#options.onReplayed(this.#hadGap);
    }
  }

  #report(): void {
    this.#write('stdout', this.#text?.report(this.#answers && !this.#replaying) ?? '');
  }

  #write(stream: 'stdout' | 'stderr', shown: string | Uint8Array, written?: () => void): void {
    if (shown.length > 0) {
      this.#console[stream].write(shown, written);
    } else {
      written?.();
    }
  }
}

/** IND: the cursor goes down a line, and the screen up if need be, as with a line feed. */
const INDEX = '\u001bD';

/**
 * Keeps line feeds what they are. A terminal in Node's raw mode puts a carriage return before each of them, as it does
 * without raw mode. But the program has its own terminal, which has done so if the program wants it. A full-screen
 * program may mean a line feed that stays in its column.
 */
class LineFeeds {
  #afterReturn = false;

  /** @param text The next piece of the output. */
  write(text: string): string {
    if (text === '') {
      return text;
    }
    // After a carriage return, a second one changes nothing.
    const written = text.replace(/(^|[^\r])(\n+)/g, (all, before: string, feeds: string) =>
      before === '' && this.#afterReturn ? all : before + feeds.replaceAll('\n', INDEX),
    );
    this.#afterReturn = text.endsWith('\r');
    return written;
  }
}
