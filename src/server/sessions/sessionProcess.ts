import {
  type Clock,
  ExecError,
  type ExecProcess,
  isExecError,
  untilTrue,
  type WriteStatus,
} from '../../core/index.js';
import type { AttachedConnection } from './attachedConnection.js';
import { REMEMBERED_WRITES } from '../limits.js';
import { ProcessInput, WriteIds } from './processInput.js';
import { ProcessOutput } from './processOutput.js';

/**
 * The time to wait for the exit of a process after its pipe broke, in milliseconds: the break comes a moment earlier.
 */
const EXIT_AFTER_BREAK_MS = 100;

/** A process in one connection session: it has a name of its own there, and its writes are remembered there. */
export class SessionProcess {
  readonly processId: string;
  /** The process, which the session does not hold: when the backend forgets it, so does the session. */
  readonly process: ExecProcess;
  /** Whether the session has started it, and does not only know it. */
  readonly own: boolean;
  readonly #windowBytes: number | undefined;
  readonly #clock: Clock;
  readonly #input = new ProcessInput();
  readonly #writeIds = new WriteIds(REMEMBERED_WRITES);
  #output: ProcessOutput | undefined;

  constructor(options: {
    processId: string;
    process: ExecProcess;
    own: boolean;
    windowBytes: number | undefined;
    clock: Clock;
  }) {
    this.processId = options.processId;
    this.process = options.process;
    this.own = options.own;
    this.#windowBytes = options.windowBytes;
    this.#clock = options.clock;
  }

  /**
   * Collects the events of the process from now on for a client, which gets them after {@link openOutput}.
   *
   * @param afterSeq Collects the events after that number instead.
   */
  follow(
    { wire, turns }: Pick<AttachedConnection, 'wire' | 'turns'>,
    afterSeq = this.process.info().output.lastSeq,
  ): void {
    this.unfollow();
    this.#output = new ProcessOutput({
      process: this.process,
      processId: this.processId,
      wire,
      turns,
      afterSeq,
      windowBytes: this.#windowBytes,
    });
  }

  /**
   * The exit that has happened, if a client that follows has still to be told of it. Resolves when it has been told, or
   * follows no more.
   */
  get owedExit(): Promise<void> | undefined {
    return this.process.info().exit === undefined ? undefined : this.#output?.owedExit;
  }

  /** Starts the delivery of events. To be called once the answer that comes first has been sent. */
  openOutput(): void {
    this.#output?.open();
  }

  /** Stops the delivery of events, and no longer holds the process back. */
  unfollow(): void {
    this.#output?.dispose();
    this.#output = undefined;
  }

  acknowledge(seq: number): void {
    this.#output?.acknowledge(seq);
  }

  /** @param signal Drops the write if it still waits for an earlier one. */
  write(bytes: Uint8Array, writeId: string, signal: AbortSignal): Promise<WriteStatus> {
    const { tty, pipeStdin } = this.process.info();
    // A process without an input says so even after its end.
    return tty || pipeStdin
      ? this.#writeIds.once(writeId, () => this.#input.run(() => this.#write(bytes), signal))
      : Promise.resolve('stdinClosed');
  }

  /** Closes the input after all earlier writes. */
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
      // The real server keeps accepting input for a terminal that has ended and for a child that has closed its stdin.
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

/** Puts the client's name for a process into an error of the backend, in place of the handle. */
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
