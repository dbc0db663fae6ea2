import {
  type Clock,
  delay,
  type Disposable,
  type ExecEvent,
  type ExecProcess,
  type GapEvent,
  isExecError,
  messageOf,
  onAbort,
} from '../../core/index.js';
import { failureText } from '../session/stateText.js';
import { CollectedOutput } from './collectedOutput.js';
import { unifiedExecErrors } from './errors.js';
import { OutputWindow } from './outputWindow.js';

/** The parameters of one request on a session. */
interface Collection {
  /** Text to write to the process at the beginning; may be empty. */
  readonly input: string;
  /** The duration of the request in milliseconds. It lasts for the whole of it, even if the process exits. */
  readonly timeoutMs: number;
  /** Ends the request before that; the output that it has collected goes to the next one. */
  readonly signal?: AbortSignal | undefined;
}

/** The reason for which input was not taken. */
interface Refusal {
  readonly reason: unknown;
}

/**
 * A process on a terminal, and its output since the last request. Two weaknesses of the reference are not repeated. The
 * reference follows the output only after the start and can lose the beginning; here the log replays it. The reference
 * also stops silently and for good once it is 256 chunks late; here a note reports a gap.
 */
export class UnifiedExecSession {
  readonly id: number;
  readonly #process: ExecProcess;
  readonly #clock: Clock;
  readonly #window = new OutputWindow();
  /** The outputs of the requests in progress, oldest first. Each piece of output goes to the oldest request alone. */
  readonly #collecting: CollectedOutput[] = [];
  /** Exists from the first request on: a process that ends before that is not released yet. */
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
   * Writes input, and returns the output since the last request and during this one.
   *
   * @throws UnifiedExecError if a process that still runs does not take the input.
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

  /** Resolves when the time is over, the input was refused or the request is aborted. Never rejects. */
  async #writeAndWait({ input, timeoutMs, signal }: Collection): Promise<Refusal | undefined> {
    const over = new AbortController();
    const end = () => over.abort();
    const caller = onAbort(signal, end);
    let waiting = true;
    let refusal: Refusal | undefined;
    this.#write(input).catch((reason: unknown) => {
      if (!waiting) {
        this.#tellLateRefusal(reason);
        return;
      }
      refusal = { reason };
      // A process that ends does not take its input either; such a request lasts for its whole time, like any other.
      if (!isWriteFailure(reason)) {
        end();
      }
    });
    if (timeoutMs > 0) {
      await delay(this.#clock, timeoutMs, over.signal);
    }
    waiting = false;
    caller.dispose();
    return refusal;
  }

  /** Adds a note to the output of the next request, because the one that wrote the input has been answered already. */
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
        this.#keep(noteOf(`the session is lost: ${failureText(event.failure)}`));
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

  /**
   * Releases what no request can get any more. The note that a session was lost stays for the next request; the output
   * of a process that has exited does not.
   */
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

/** A note of ours, on a line of its own. */
function noteOf(text: string): Uint8Array {
  return new TextEncoder().encode(`\n[... ${text} ...]\n`);
}

function gapText({ bytes }: GapEvent): string {
  return bytes === undefined ? 'some output is gone' : `${bytes.toLocaleString('en')} bytes are gone`;
}
