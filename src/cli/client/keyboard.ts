import { type Disposable, type ExecProcess, isExecError } from '../../core/index.js';
import { InputQueue, isInterrupt, typedKeys } from '../../terminal/index.js';
import { type Console, remark } from '../console.js';

/** The time for which a single Ctrl-\ waits for the second one, in milliseconds. */
const TWICE_MS = 500;

interface KeyboardOptions {
  readonly process: ExecProcess;
  /** Nothing that is typed is sent, and Ctrl-C detaches too. */
  readonly readOnly: boolean;
  readonly onTyped: () => void;
  /** Ctrl-C was typed, and is about to be sent. */
  readonly onInterrupt: () => void;
  readonly onDetach: () => void;
  readonly onSuspend: () => void;
  readonly onResume: () => void;
}

/** The keys of this terminal, for a session with a terminal. */
export class Keyboard implements Disposable {
  readonly #console: Console;
  readonly #options: KeyboardOptions;
  readonly #raw: RawTerminal;
  readonly #keys = new DetachKeys();
  readonly #queue: InputQueue;
  readonly #typed = (bytes: Buffer) => this.#take(bytes);
  /** The terminal has been closed under this program. */
  readonly #ended = () => this.#options.onDetach();
  #timer: Disposable | undefined;

  constructor(console: Console, options: KeyboardOptions) {
    this.#console = console;
    this.#options = options;
    this.#queue = new InputQueue(options.process, (status) => tellLongLine(console, status));
    this.#raw = new RawTerminal(console, { suspend: options.onSuspend, resume: options.onResume });
    console.stdin.on('data', this.#typed);
    console.stdin.on('end', this.#ended);
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#console.stdin.off('data', this.#typed);
    this.#console.stdin.off('end', this.#ended);
    this.#console.stdin.pause();
    this.#raw.dispose();
  }

  #take(bytes: Buffer): void {
    this.#timer?.dispose();
    const typed = bytes.toString('latin1');
    const { send, detach } = this.#keys.take(typed);
    if (this.#options.readOnly) {
      if (detach || isInterrupt(typed)) {
        this.#options.onDetach();
      }
      return;
    }
    this.#options.onTyped();
    if (isInterrupt(send)) {
      this.#options.onInterrupt();
    }
    this.#send(send);
    if (detach) {
      this.#options.onDetach();
    } else if (this.#keys.holds) {
      this.#timer = this.#console.clock.after(TWICE_MS, () => this.#send(this.#keys.release()));
    }
  }

  #send(text: string): void {
    if (text !== '' && !this.#queue.write(Buffer.from(text, 'latin1'))) {
      remark(this.#console, '[This input was not taken: too much waits for the program]');
    }
  }
}

/** Says that a line was too long. No other input that was not taken has a reader. */
export function tellLongLine(console: Console, refusal: unknown): void {
  if (isExecError(refusal) && refusal.failure.kind === 'lineTooLong') {
    remark(console, `[${refusal.message}]`);
  }
}

const CTRL_BACKSLASH = '\u001c';

/**
 * Finds Ctrl-\ pressed twice in typed text. A single one, which programs take for a quit, is held back until the next
 * key, or until {@link release}.
 */
class DetachKeys {
  #held = '';

  /** Whether one is held back. */
  get holds(): boolean {
    return this.#held !== '';
  }

  /**
   * @param typed The typed text, a character for each byte.
   * @returns the text to send on, and whether the two were in it; the text after them is not sent.
   */
  take(typed: string): { readonly send: string; readonly detach: boolean } {
    let send = '';
    for (const { sent, meaning } of typedKeys(typed)) {
      if (meaning === CTRL_BACKSLASH && this.#held !== '') {
        this.#held = '';
        return { send, detach: true };
      }
      // Letting the key go is a part of pressing it once.
      if (meaning === CTRL_BACKSLASH || (meaning === '' && this.#held !== '')) {
        this.#held += sent;
      } else {
        send += this.release() + sent;
      }
    }
    return { send, detach: false };
  }

  /** Returns the key that was held back: no second one follows. */
  release(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }
}

/**
 * The terminal of this program in raw mode, in which every key is a key of the session. A stop from outside (SIGTSTP)
 * gives the terminal back to the shell as it was. A signal that continues the program takes it again.
 */
class RawTerminal implements Disposable {
  readonly #stdin: Console['stdin'];
  readonly #stop = () => this.#suspend();
  readonly #continue = () => this.#resume();
  readonly #onSuspend: () => void;
  readonly #onResume: () => void;

  /**
   * @param on.suspend Called before this program stops.
   * @param on.resume Called when it goes on.
   */
  constructor({ stdin }: Console, on: { readonly suspend: () => void; readonly resume: () => void }) {
    this.#stdin = stdin;
    this.#onSuspend = on.suspend;
    this.#onResume = on.resume;
    stdin.setRawMode(true);
    process.on('SIGTSTP', this.#stop);
    process.on('SIGCONT', this.#continue);
  }

  dispose(): void {
    process.off('SIGTSTP', this.#stop);
    process.off('SIGCONT', this.#continue);
    this.#stdin.setRawMode(false);
  }

  #suspend(): void {
    this.#onSuspend();
    this.#stdin.setRawMode(false);
    // The signal that came has a listener, so it stops nothing; this one stops every program.
    process.kill(process.pid, 'SIGSTOP');
  }

  #resume(): void {
    this.#stdin.setRawMode(true);
    this.#onResume();
  }
}
