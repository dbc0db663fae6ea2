import { closeSync, constants, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';

import { delay, systemClock, type InputMode, type TerminalSize } from '../core/index.js';
import { INPUT_QUEUE_BYTES, type Child, type ChildRequest, type ChildSink } from './child.js';
import { exitStatus } from './exitStatus.js';
import { readInputMode } from './inputMode.js';
import type { NativePty } from './nodePty.js';
import type { OpenTerminals } from './openTerminals.js';
import { untilQuiet } from './quietTurn.js';
import { SharedAnswer } from './sharedAnswer.js';

/**
 * How long a full terminal is left alone before the next try, in milliseconds, twice as long each time: Node cannot be
 * told of its room.
 */
const FIRST_INPUT_RETRY_MS = 2;
const LAST_INPUT_RETRY_MS = 50;
/** How long to watch for the program to take the place of our fork; it does within a few milliseconds. */
const EXEC_LIMIT_MS = 1_000;
const DRAIN_BYTES = 64 * 1024;
/** A descendant may write without end, and the exit must be told some time. */
const EXIT_DRAIN_BYTES = 1024 * 1024;
const END_OF_FILE = Uint8Array.of(4);

/** A program that was found could not be executed after all: its interpreter is missing, the arguments are too long. */
export class ExecFailedError extends Error {}

/**
 * Starts a child on a terminal of its own. The reading is ours: see {@link NativePty} for the reason.
 *
 * @throws ExecFailedError if the program could not be executed, Error if there is no terminal to be had.
 */
export async function startTerminalChild(
  request: ChildRequest & { readonly size: TerminalSize },
  sink: ChildSink,
  pty: { readonly native: NativePty; readonly helperPath: string },
  openTerminals: OpenTerminals,
): Promise<Child> {
  const child = new TerminalChild(request, sink, pty, openTerminals);
  await child.executed();
  return child;
}

class TerminalChild implements Child {
  readonly pid: number;
  readonly outputLinks: ReadonlySet<string>;
  readonly #fd: number;
  readonly #sink: ChildSink;
  readonly #native: NativePty;
  readonly #openTerminals: OpenTerminals;
  readonly #stream: ReadStream;
  /**
   * The other side, held open until the exit. A program may close its terminal and open it again; without this, the
   * first would look like the end of everything.
   */
  #slave: number | undefined;
  readonly #inputMode = new SharedAnswer(() => this.#readInputMode());
  /** Aborted when the other side is no longer ours to look at. */
  readonly #slaveClosed = new AbortController();
  #input: Uint8Array[] = [];
  #inputBytes = 0;
  #writing = false;
  #inputWaiters: { resolve: () => void; reject: (error: Error) => void }[] = [];
  #bytesRead = 0;
  #firstOutput: string | undefined;
  #exitCode: number | undefined;
  #paused = false;
  #ended = false;

  constructor(
    request: ChildRequest & { readonly size: TerminalSize },
    sink: ChildSink,
    pty: { readonly native: NativePty; readonly helperPath: string },
    openTerminals: OpenTerminals,
  ) {
    const [program, ...args] = request.argv;
    const env = Object.entries(request.env).map(([name, value]) => `${name}=${value}`);
    const { columns, rows } = request.size;
    const onExit = (code: number, signal: number) => void this.#onExit(code, signal);
    const { native, helperPath } = pty;
    // User and group -1: those of this process. UTF-8: erasing takes whole characters.
    const forked = native.fork(
      program,
      args,
      env,
      request.cwd,
      columns,
      rows,
      -1,
      -1,
      true,
      helperPath,
      onExit,
    );
    this.pid = forked.pid;
    this.outputLinks = new Set([forked.pty]);
    this.#fd = forked.fd;
    this.#sink = sink;
    this.#native = native;
    this.#openTerminals = openTerminals;
    // Before anything else is started: it would inherit the master.
    openTerminals.add(forked.fd);
    sink.forked(forked.pid);
    this.#slave = openSlave(forked.pty);
    this.#stream = new ReadStream(forked.fd);
    this.#stream.on('data', (bytes: Buffer) => this.#onOutput(bytes));
    // End of file is reported before the descriptor is closed, but not always after everything has been read: libuv
    // took a short read after a hang-up for the end up to 1.51, https://github.com/libuv/libuv/issues/4992
    this.#stream.prependListener('end', () => this.#drain(Infinity));
    // EIO: every other side has been closed and nothing is left to read. It is how a terminal ends on Linux.
    this.#stream.on('error', () => undefined);
    this.#stream.once('close', () => this.#onClose());
  }

  /**
   * Resolves once the program runs in place of our fork, or has exited.
   *
   * @throws ExecFailedError
   */
  async executed(): Promise<void> {
    if (process.platform !== 'linux') {
      return;
    }
    const deadline = systemClock.now() + EXEC_LIMIT_MS;
    while (this.#exitCode === undefined && systemClock.now() < deadline) {
      const seen = commandLine(this.pid);
      if (seen !== '' && seen !== ownCommandLine()) {
        break;
      }
      await delay(systemClock, 1);
    }
    // Not told from a program that prints the same words and exits with 1 within the first milliseconds.
    if (this.#exitCode === 1) {
      await untilQuiet(
        () => this.#bytesRead,
        () => this.#ended,
      );
      const reason = /^(?:execvp|chdir)\(\d\) failed\.: (.*?)\r?\n$/.exec(this.#firstOutput ?? '')?.[1];
      if (reason !== undefined) {
        throw new ExecFailedError(reason);
      }
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#stream.destroyed) {
      throw new Error('The terminal is closed.');
    }
    this.#input.push(bytes);
    this.#inputBytes += bytes.byteLength;
    if (!this.#writing) {
      void this.#writeInput();
    }
    if (this.#inputBytes > INPUT_QUEUE_BYTES) {
      await new Promise<void>((resolve, reject) => this.#inputWaiters.push({ resolve, reject }));
    }
  }

  closeStdin(): void {
    void this.write(END_OF_FILE).catch(() => undefined);
  }

  resize(size: TerminalSize): void {
    if (!this.#stream.destroyed) {
      this.#native.resize(this.#fd, size.columns, size.rows, 0, 0);
    }
  }

  inputMode(): Promise<InputMode | undefined> {
    return this.#inputMode.get();
  }

  setPaused(paused: boolean): void {
    this.#paused = paused;
    if (paused) {
      this.#stream.pause();
    } else {
      this.#stream.resume();
    }
  }

  abandon(): void {
    this.#stream.destroy();
  }

  #onOutput(bytes: Uint8Array): void {
    this.#firstOutput ??= Buffer.from(bytes.subarray(0, 256)).toString();
    this.#bytesRead += bytes.byteLength;
    this.#sink.output('pty', bytes);
  }

  async #onExit(code: number, signal: number): Promise<void> {
    this.#exitCode = code;
    const done = () => this.#paused || this.#stream.destroyed;
    if (!done() && this.#stream.readableFlowing === true && this.#stream.readableLength === 0) {
      // The kernel hands over what was written a moment later, by a worker of its own; a read fetches it at once,
      // where a poll would not see it yet.
      this.#drain(EXIT_DRAIN_BYTES);
    } else {
      await untilQuiet(() => this.#bytesRead, done);
    }
    this.#sink.exited(exitStatus(code, signal));
    this.#closeSlave();
  }

  /** Reads what is there, past the stream, which must have nothing in store. */
  #drain(limit: number): void {
    const buffer = Buffer.allocUnsafe(DRAIN_BYTES);
    for (const end = this.#bytesRead + limit; this.#bytesRead < end;) {
      let size: number;
      try {
        size = readSync(this.#fd, buffer);
      } catch {
        return; // EAGAIN: nothing is left for now; EIO: for ever.
      }
      if (size === 0) {
        return;
      }
      this.#onOutput(Buffer.from(buffer.subarray(0, size)));
    }
  }

  #onClose(): void {
    this.#ended = true;
    this.#openTerminals.delete(this.#fd);
    this.#closeSlave();
    this.#dropInput();
    this.#sink.ended();
  }

  async #readInputMode(): Promise<InputMode | undefined> {
    return this.#slave === undefined
      ? undefined
      : readInputMode(this.#slave, this.#openTerminals, this.#slaveClosed.signal);
  }

  #closeSlave(): void {
    if (this.#slave !== undefined) {
      this.#slaveClosed.abort();
      closeSync(this.#slave);
      this.#slave = undefined;
    }
  }

  /**
   * Writes synchronously into the non-blocking descriptor: libuv would block the whole event loop on a terminal whose
   * program does not read (it falls back to blocking writes for masters).
   */
  async #writeInput(): Promise<void> {
    this.#writing = true;
    let retryMs = FIRST_INPUT_RETRY_MS;
    for (let next = this.#input[0]; next !== undefined && !this.#stream.destroyed; next = this.#input[0]) {
      let written: number;
      try {
        written = writeSync(this.#fd, next);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') {
          this.#dropInput();
          break;
        }
        await delay(systemClock, retryMs);
        retryMs = Math.min(retryMs * 2, LAST_INPUT_RETRY_MS);
        continue;
      }
      retryMs = FIRST_INPUT_RETRY_MS;
      this.#inputBytes -= written;
      if (written < next.byteLength) {
        this.#input[0] = next.subarray(written);
      } else {
        this.#input.shift();
      }
      if (this.#inputBytes <= INPUT_QUEUE_BYTES) {
        for (const waiter of this.#inputWaiters.splice(0)) {
          waiter.resolve();
        }
      }
    }
    this.#writing = false;
  }

  #dropInput(): void {
    this.#input = [];
    this.#inputBytes = 0;
    for (const waiter of this.#inputWaiters.splice(0)) {
      waiter.reject(new Error('The terminal was closed before everything was written.'));
    }
  }
}

/** Without it (no descriptors are left, say) the terminal works all the same for all but the strangest programs. */
function openSlave(file: string): number | undefined {
  try {
    return openSync(file, constants.O_RDWR | constants.O_NOCTTY);
  } catch {
    return undefined;
  }
}

let ownArguments: string | undefined;

function ownCommandLine(): string {
  return (ownArguments ??= commandLine(process.pid));
}

/** The arguments that a process was started with, as the kernel has them; empty once it has ended (or cannot be seen). */
function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}
