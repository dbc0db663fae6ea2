import {
  type Clock,
  ExecError,
  type ExecProcess,
  isExecError,
  untilTrue,
  type WriteStatus,
} from '../../core/index.js';
import type { ServerWire } from '../../protocol/index.js';
import { REMEMBERED_WRITES } from '../limits.js';
import { ProcessInput } from './processInput.js';
import { ProcessOutput } from './processOutput.js';
import { WriteIds } from './writeIds.js';

/** A pipe breaks a moment before the exit of its reader is known, in milliseconds. */
const EXIT_AFTER_BREAK_MS = 100;

/** A process as one connection session knows it: under a name of its own, with what has been written to it. */
export class SessionProcess {
  readonly processId: string;
  /** Not held: when the backend forgets it, so does the session. */
  readonly process: ExecProcess;
  readonly #windowBytes: number | undefined;
  readonly #clock: Clock;
  readonly #input = new ProcessInput();
  readonly #writeIds = new WriteIds(REMEMBERED_WRITES);
  #output: ProcessOutput | undefined;

  constructor(options: {
    processId: string;
    process: ExecProcess;
    windowBytes: number | undefined;
    clock: Clock;
  }) {
    this.processId = options.processId;
    this.process = options.process;
    this.#windowBytes = options.windowBytes;
    this.#clock = options.clock;
  }

  /**
   * Keeps what the process does from now on for a client, which is told after {@link openOutput}.
   *
   * @param afterSeq From that number on instead.
   */
  follow(wire: ServerWire, afterSeq = this.process.info().output.lastSeq): void {
    this.unfollow();
    this.#output = new ProcessOutput({
      process: this.process,
      processId: this.processId,
      wire,
      afterSeq,
      windowBytes: this.#windowBytes,
    });
  }

  /** The client has the answer that comes first. */
  openOutput(): void {
    this.#output?.open();
  }

  /** Tells nobody any more, and holds the process back no longer. */
  unfollow(): void {
    this.#output?.dispose();
    this.#output = undefined;
  }

  acknowledge(seq: number): void {
    this.#output?.acknowledge(seq);
  }

  /** @param signal Takes it back while something before it waits for the process. */
  write(bytes: Uint8Array, writeId: string, signal: AbortSignal): Promise<WriteStatus> {
    const { tty, pipeStdin } = this.process.info();
    // Also of one that has ended: it never had an input.
    return tty || pipeStdin
      ? this.#writeIds.once(writeId, () => this.#input.run(() => this.#write(bytes), signal))
      : Promise.resolve('stdinClosed');
  }

  /** What was written before it is written before it. */
  closeStdin(signal: AbortSignal): Promise<void> {
    return this.#input.run(async () => {
      try {
        await this.process.closeStdin();
      } catch (error) {
        throw inWordsOfClient(error, this.processId);
      }
    }, signal);
  }

  async #write(bytes: Uint8Array): Promise<WriteStatus> {
    if (bytes.byteLength === 0) {
      return 'accepted';
    }
    try {
      return await this.process.write(bytes);
    } catch (error) {
      // The real server goes on to take input for a terminal that has ended and for a child that has closed its own.
      const { tty } = this.process.info();
      const broken = isExecError(error) && error.failure.kind === 'writeFailed';
      if (broken && (tty || !(await this.#exitsSoon()))) {
        return 'accepted';
      }
      throw inWordsOfClient(error, this.processId);
    }
  }

  #exitsSoon(): Promise<boolean> {
    const exited = () => this.process.info().exit !== undefined;
    return untilTrue(exited, this.process.onWake, { clock: this.#clock, limitMs: EXIT_AFTER_BREAK_MS });
  }
}

/** An error of the backend, which knows a process by its handle, for the client, which has another name for it. */
export function inWordsOfClient(error: unknown, processId: string): unknown {
  if (!isExecError(error) || !('processId' in error.failure)) {
    return error;
  }
  const handle = error.failure.processId;
  return new ExecError(
    { ...error.failure, processId },
    { code: error.code, message: error.wireMessage.replace(handle, () => processId) },
  );
}
