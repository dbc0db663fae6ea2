import type { Disposable, ExecProcess } from '../../core/index.js';
import { InputQueue, isInterrupt } from '../../terminal/index.js';
import { type Console, remark } from '../console.js';
import { DetachKeys } from './detachKeys.js';
import { RawTerminal } from './rawTerminal.js';

/** The time for which a single Ctrl-\ waits for the second one, in milliseconds. */
const TWICE_MS = 500;

export interface KeyboardOptions {
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
    this.#queue = new InputQueue(options.process, () => undefined);
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
