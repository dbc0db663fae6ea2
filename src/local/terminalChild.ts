import { closeSync, constants, openSync, readSync } from 'node:fs';
import type { SocketConstructorOpts } from 'node:net';
import { ReadStream } from 'node:tty';

import type { InputMode, TerminalSize } from '../core/index.js';
import type { Child, ChildRequest, ChildSink } from './child.js';
import { ExecWatch } from './execWatch.js';
import { exitStatus } from './exitStatus.js';
import { readInputMode } from './inputMode.js';
import type { NativePty } from './nodePty.js';
import type { OpenTerminals } from './openTerminals.js';
import { SharedAnswer } from './sharedAnswer.js';
import { TerminalInput } from './terminalInput.js';

/**
 * The kernel hands over 4 KiB of a terminal at a time. Where so much was there that more is likely to follow, that is
 * fetched at once, as one chunk: with 32 MB of text 70 MB/s in chunks of 50 KB in place of 61 MB/s in chunks of 3.8 KB.
 * Whoever types gets his echo as soon as before.
 */
const MORE_LIKELY_BYTES = 2 * 1024;
const LARGEST_CHUNK_BYTES = 64 * 1024;
const KERNEL_READ_BYTES = 4 * 1024;
/** What all terminals are read into, one after the other: what was read is only lent. */
const scratch = Buffer.allocUnsafeSlow(LARGEST_CHUNK_BYTES);
/** A descendant may write without end, and the exit must be told some time. */
const EXIT_DRAIN_BYTES = 1024 * 1024;
const END_OF_FILE = Uint8Array.of(4);

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
  readonly #exec: ExecWatch;
  readonly #input: TerminalInput;
  /**
   * The other side, held open until the exit. A program may close its terminal and open it again; without this, the
   * first would look like the end of everything.
   */
  #slave: number | undefined;
  readonly #inputMode = new SharedAnswer(() => this.#readInputMode());
  /** Aborted when the other side is no longer ours to look at. There is one once somebody looks. */
  #looking: AbortController | undefined;
  #bytesRead = 0;
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
    const onExit = (code: number, signal: number) => this.#onExit(code, signal);
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
    this.#exec = new ExecWatch(forked.pid);
    this.#input = new TerminalInput(forked.fd, () => !this.#stream.destroyed);
    const onread = { buffer: scratch, callback: (size: number) => this.#onRead(size) };
    this.#stream = new ReadStream(forked.fd, { onread } as SocketConstructorOpts);
    this.#stream.resume();
    // End of file is reported before the descriptor is closed, but not always after everything has been read: libuv
    // took a short read after a hang-up for the end up to 1.51, https://github.com/libuv/libuv/issues/4992
    this.#stream.prependListener('end', () => void this.#drain(Infinity));
    // EIO: every other side has been closed and nothing is left to read. It is how a terminal ends on Linux.
    this.#stream.on('error', () => undefined);
    this.#stream.once('close', () => {
      // Until then a child of ours would inherit it.
      openTerminals.delete(forked.fd);
      this.#end();
    });
  }

  /**
   * Resolves once the program runs in place of our fork, or has exited.
   *
   * @throws ExecFailedError
   */
  async executed(): Promise<void> {
    if (process.platform === 'linux') {
      await this.#exec.executed();
    }
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#input.write(bytes);
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

  /** The stream has read so much. @returns true: it may go on. */
  #onRead(size: number): boolean {
    this.#onOutput(this.#readOn(size));
    return true;
  }

  /** Reads on behind what is in {@link scratch}, as long as there is much. @returns how much it is now. */
  #readOn(size: number): number {
    let total = size;
    for (let last = size; last >= MORE_LIKELY_BYTES && total + KERNEL_READ_BYTES <= LARGEST_CHUNK_BYTES;) {
      try {
        last = readSync(this.#fd, scratch, total, LARGEST_CHUNK_BYTES - total, null);
      } catch {
        break; // Nothing is left for now, or for ever: who reads next will see.
      }
      total += last;
    }
    return total;
  }

  /** So much is in {@link scratch}. */
  #onOutput(size: number): void {
    const bytes = scratch.subarray(0, size);
    this.#bytesRead += size;
    this.#sink.output('pty', bytes, true);
    this.#exec.heard(bytes);
  }

  #onExit(code: number, signal: number): void {
    const done = () => this.#paused || this.#stream.destroyed;
    if (!done()) {
      // The kernel hands over what was written a moment later, by a worker of its own; a read fetches it at once,
      // where a poll would not see it yet.
      this.#drain(EXIT_DRAIN_BYTES);
    }
    this.#sink.exited(exitStatus(code, signal));
    this.#exec.exited(code);
    this.#closeSlave();
    // The stream would be told of the end in the next turn of the event loop.
    if (!done() && this.#drain(EXIT_DRAIN_BYTES) === 'end') {
      this.#end();
      this.#stream.destroy();
    }
  }

  /** Reads what is there, past the stream. @returns whether that was the end, as far as it is certain. */
  #drain(limit: number): 'end' | undefined {
    // Whoever hears of the output may end it all: then the descriptor is no longer ours.
    for (const end = this.#bytesRead + limit; this.#bytesRead < end && !this.#stream.destroyed;) {
      let size: number;
      try {
        size = readSync(this.#fd, scratch, 0, LARGEST_CHUNK_BYTES, null);
      } catch (error) {
        // EAGAIN: nothing is left for now.
        return (error as NodeJS.ErrnoException).code === 'EIO' ? 'end' : undefined;
      }
      if (size === 0) {
        return undefined;
      }
      this.#onOutput(this.#readOn(size));
    }
    return undefined;
  }

  /** Everything has been read. */
  #end(): void {
    if (!this.#ended) {
      this.#ended = true;
      this.#closeSlave();
      this.#input.drop();
      this.#sink.ended();
    }
  }

  async #readInputMode(): Promise<InputMode | undefined> {
    if (this.#slave === undefined) {
      return undefined;
    }
    this.#looking ??= new AbortController();
    return readInputMode(this.#slave, this.#openTerminals, this.#looking.signal);
  }

  #closeSlave(): void {
    if (this.#slave !== undefined) {
      this.#looking?.abort();
      closeSync(this.#slave);
      this.#slave = undefined;
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
