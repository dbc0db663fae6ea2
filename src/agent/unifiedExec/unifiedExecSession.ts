import {
  type Clock,
  delay,
  type Disposable,
  type ExecEvent,
  type ExecProcess,
  type GapEvent,
  isExecError,
} from '../../core/index.js';
import { CollectedOutput } from './collectedOutput.js';
import { messageOf, unifiedExecErrors } from './errors.js';
import { OutputWindow } from './outputWindow.js';

/** What one request on a session does. */
export interface Collection {
  /** Written to the process at the beginning; nothing if it is empty. */
  readonly input: string;
  /** How long it lasts, in milliseconds: always to the end, even if the process exits. */
  readonly timeoutMs: number;
  /** Ends it before that; what it has collected is there for the next one. */
  readonly signal?: AbortSignal | undefined;
}

/** Why input was not taken. */
interface Refusal {
  readonly reason: unknown;
}

/**
 * A process on a terminal, and its output since the last request. Two things of the reference are weaknesses and not
 * repeated: it follows the output only after the process has been started, which can lose its beginning, and it stops
 * for good, without a word, once it lags behind 256 pieces. Here the log replays the beginning, and a gap is told.
 */
export class UnifiedExecSession {
  readonly id: number;
  readonly #process: ExecProcess;
  readonly #clock: Clock;
  readonly #window = new OutputWindow();
  /** Of the requests under way; as each piece of output is answered once, the oldest request gets it. */
  readonly #collecting: CollectedOutput[] = [];
  /** From the first request on: what ends before it is not over yet. */
  #subscription: Disposable | undefined;
  #released = false;

  constructor(id: number, process: ExecProcess, clock: Clock) {
    this.id = id;
    this.#process = process;
    this.#clock = clock;
  }

  hasExited(): boolean {
    return this.#process.info().exit !== undefined;
  }

  /** Whether the process has exited, or can never be reached again. */
  hasEnded(): boolean {
    return this.hasExited() || this.#process.info().failure !== undefined;
  }

  /**
   * Writes input, and answers with the output since the last request and that of this one.
   *
   * @throws UnifiedExecError if a process that goes on does not take the input.
   */
  async collect({ input, timeoutMs, signal }: Collection): Promise<string> {
    const collected = new CollectedOutput();
    for (const bytes of this.#window.drain()) {
      collected.push(bytes);
    }
    this.#collecting.push(collected);
    this.#subscription ??= this.#process.subscribe({}, (event) => this.#take(event));
    const refusal = await this.#writeAndWait({ input, timeoutMs, signal });
    this.#collecting.splice(this.#collecting.indexOf(collected), 1);
    const output = collected.text();
    const refused = refusal !== undefined && !this.hasEnded();
    if (refused || signal?.aborted === true) {
      this.#window.push(new TextEncoder().encode(output));
    }
    this.#releaseIfOver();
    if (refused) {
      throw unifiedExecErrors.writeToStdin(this.id, refusal.reason);
    }
    return output;
  }

  /** Ends the process. */
  async dispose(): Promise<void> {
    try {
      await this.#process.terminate();
    } finally {
      this.#release();
    }
  }

  /** Resolves when the time is over, or the input was refused. Never rejects. */
  async #writeAndWait({ input, timeoutMs, signal }: Collection): Promise<Refusal | undefined> {
    const over = new AbortController();
    const end = () => over.abort();
    signal?.addEventListener('abort', end);
    let waiting = true;
    let refusal: Refusal | undefined;
    this.#write(input).catch((reason: unknown) => {
      if (!waiting) {
        this.#tellLateRefusal(reason);
        return;
      }
      refusal = { reason };
      // A process that ends does not take its input either, and is answered with like any other.
      if (!isWriteFailure(reason)) {
        end();
      }
    });
    if (timeoutMs > 0 && signal?.aborted !== true) {
      await delay(this.#clock, timeoutMs, over.signal);
    }
    waiting = false;
    signal?.removeEventListener('abort', end);
    return refusal;
  }

  /** Of a request that has been answered meanwhile, only the next one can know. */
  #tellLateRefusal(reason: unknown): void {
    if (!this.hasEnded()) {
      this.#keep(noteOf(`input was not taken: ${messageOf(reason)}`));
    }
  }

  async #write(input: string): Promise<void> {
    if (input === '') {
      return;
    }
    const status = await this.#process.write(new TextEncoder().encode(input));
    if (status !== 'accepted') {
      throw new Error(`The process takes no input (${status}).`);
    }
  }

  #take(event: ExecEvent): void {
    switch (event.type) {
      case 'output':
        this.#keep(event.bytes);
        break;
      case 'gap':
        this.#keep(noteOf(gapText(event)));
        break;
      case 'failed':
        this.#keep(noteOf(`the session is lost: ${event.message}`));
        this.#releaseIfOver();
        break;
      case 'exited':
      case 'closed':
        this.#releaseIfOver();
        break;
    }
  }

  #keep(bytes: Uint8Array): void {
    (this.#collecting[0] ?? this.#window).push(bytes);
  }

  /** Gives back what nobody can ask for any more: that a session was lost is still told, but not that it exited. */
  #releaseIfOver(): void {
    if (this.hasEnded() && this.#collecting.length === 0) {
      this.#release();
    }
  }

  #release(): void {
    if (!this.#released) {
      this.#released = true;
      this.#subscription?.dispose();
      this.#process.release();
      if (this.hasExited()) {
        this.#window.drain();
      }
    }
  }
}

function isWriteFailure(error: unknown): boolean {
  return isExecError(error) && error.failure.kind === 'writeFailed';
}

/** Words of our own on a line of their own. */
function noteOf(text: string): Uint8Array {
  return new TextEncoder().encode(`\n[... ${text} ...]\n`);
}

function gapText({ bytes }: GapEvent): string {
  return bytes === undefined ? 'some output is gone' : `${bytes.toLocaleString('en')} bytes are gone`;
}
