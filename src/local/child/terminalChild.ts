import { closeSync, constants, openSync, readSync } from 'node:fs';
import type { SocketConstructorOpts } from 'node:net';
import { constants as osConstants, uptime } from 'node:os';
import { ReadStream } from 'node:tty';

import {
  CTRL_D,
  type InputMode,
  type InputWait,
  type ProcessLog,
  type TerminalSize,
} from '../../core/index.js';
import { announced, type Child, type ChildRequest, type ChildSink } from './child.js';
import { ExecWatch } from './execWatch.js';
import { exitStatus } from '../stop/signals.js';
import type { ForkSign } from '../guard/messages.js';
import { terminalLinks } from '../stop/holders.js';
import { readInputMode } from './inputMode.js';
import type { NativePty } from './nodePty.js';
import type { OpenTerminals } from './openTerminals.js';
import { Pace, REST_MS } from './pace.js';
import { readNow } from './readAvailable.js';
import { SharedAnswer } from '../sharedAnswer.js';
import { TerminalInput } from './terminalInput.js';
import { TerminalWait } from './inputWait.js';

/**
 * The kernel returns at most 4 KiB of a terminal's output at a time. After a read of at least this size, more is likely
 * to follow, and the rest is fetched at once as one chunk. A text of 32 MB is read at 70 MB/s in chunks of 50 KB, and
 * at 61 MB/s in chunks of 3.8 KB. The echo of a keystroke is not delayed.
 */
const MORE_LIKELY_BYTES = 2 * 1024;
const LARGEST_CHUNK_BYTES = 64 * 1024;
const KERNEL_READ_BYTES = 4 * 1024;
/** One buffer that all terminals are read into, one after the other: chunks in it are only lent. */
const scratch = Buffer.allocUnsafeSlow(LARGEST_CHUNK_BYTES);
const NO_LINKS: ReadonlySet<string> = new Set();
/** An upper bound: a descendant may write without end, and the exit must be reported at some point. */
const EXIT_DRAIN_BYTES = 1024 * 1024;

/**
 * Starts a child on a terminal of its own. This file reads the terminal itself: see {@link NativePty} for the reason.
 *
 * @throws ExecFailedError if the program could not be executed, Error if no terminal can be opened.
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
  readonly #links: ReadonlySet<string>;
  readonly #fd: number;
  readonly #sink: ChildSink;
  readonly #native: NativePty;
  readonly #openTerminals: OpenTerminals;
  readonly #stream: ReadStream;
  readonly #exec: ExecWatch;
  readonly #input: TerminalInput;
  /**
   * The slave side of the terminal, held open until the exit. A program may close its terminal and open it again;
   * without this descriptor, the close would look like the end of all output.
   */
  #slave: number | undefined;
  readonly #inputMode = new SharedAnswer(() => this.#readInputMode());
  readonly #wait: TerminalWait;
  /** Aborted when the slave side may no longer be used. Created by the first use. */
  #looking: AbortController | undefined;
  readonly #pace: Pace;
  #bytesRead = 0;
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
    // User and group -1 stand for those of this process. With UTF-8 the terminal erases whole characters.
    const fork = () =>
      native.fork(program, args, env, request.cwd, columns, rows, -1, -1, true, helperPath, onExit);
    const forked = announced(sink, terminalSign(), () => {
      try {
        return openTerminals.withoutHoles(fork);
      } catch (error) {
        throw refusal() ?? error;
      }
    });
    this.pid = forked.pid;
    this.#links = terminalLinks(forked.pty);
    this.#wait = new TerminalWait(this.pid, this.#links, () => this.inputMode());
    this.#fd = forked.fd;
    this.#sink = sink;
    this.#native = native;
    this.#openTerminals = openTerminals;
    // Registered before anything else starts, because a new child would inherit the master.
    openTerminals.add(forked.fd);
    sink.forked(forked.pid);
    this.#slave = openSlave(forked.pty);
    this.#exec = new ExecWatch(forked.pid);
    this.#input = new TerminalInput(forked.fd, () => !this.#stream.destroyed);
    const onread = { buffer: scratch, callback: (size: number) => this.#onRead(size) };
    this.#stream = new ReadStream(forked.fd, { onread } as SocketConstructorOpts);
    this.#stream.resume();
    this.#pace = new Pace([this.#stream], REST_MS.terminal);
    // End of file is reported before the descriptor is closed, but not always after everything was read. Up to 1.51,
    // libuv took a short read after a hang-up for the end: https://github.com/libuv/libuv/issues/4992
    this.#stream.prependListener('end', () => void this.#drain(Infinity));
    // EIO: every slave has been closed and nothing is left to read. A terminal ends this way on Linux.
    this.#stream.on('error', () => undefined);
    this.#stream.once('close', () => {
      // Kept in the set until now, since a child that is started before the close would inherit it.
      openTerminals.delete(forked.fd);
      this.#end();
    });
  }

  /**
   * Resolves once the program has replaced our fork, or has exited.
   *
   * @throws ExecFailedError
   */
  async executed(): Promise<void> {
    if (process.platform === 'linux') {
      await this.#exec.executed();
    }
  }

  /** Empty as soon as the terminal is closed: another terminal may get its number at once. */
  get outputLinks(): ReadonlySet<string> {
    return this.#stream.destroyed ? NO_LINKS : this.#links;
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#input.write(bytes);
  }

  closeStdin(): void {
    void this.write(CTRL_D).catch(() => undefined);
  }

  resize(size: TerminalSize): void {
    if (!this.#stream.destroyed) {
      this.#native.resize(this.#fd, size.columns, size.rows, 0, 0);
    }
  }

  inputMode(): Promise<InputMode | undefined> {
    return this.#inputMode.get();
  }

  inputWait(log: ProcessLog): Promise<InputWait | undefined> {
    return this.#wait.look(log);
  }

  setPaused(paused: boolean): void {
    this.#pace.setHeld(paused);
  }

  setAwaited(awaited: boolean): void {
    this.#pace.setAwaited(awaited);
  }

  fetch(): void {
    if (this.#pace.unattended && !this.#stream.destroyed) {
      readNow(this.#fd, (bytes) => this.#onOutput(bytes, false));
    }
  }

  abandon(): void {
    this.#pace.end();
    this.#stream.destroy();
  }

  /** Called by the stream with the number of bytes that it has read. @returns true: it may continue. */
  #onRead(size: number): boolean {
    this.#onOutput(scratch.subarray(0, this.#readOn(size)), true);
    this.#pace.hasRead();
    return true;
  }

  /** Reads on after the first bytes of {@link scratch} while there is a lot. @returns the number of bytes there now. */
  #readOn(size: number): number {
    let total = size;
    for (let last = size; last >= MORE_LIKELY_BYTES && total + KERNEL_READ_BYTES <= LARGEST_CHUNK_BYTES;) {
      try {
        last = readSync(this.#fd, scratch, total, LARGEST_CHUNK_BYTES - total, null);
      } catch {
        break; // Nothing is left for now, or for ever: the next read will tell.
      }
      total += last;
    }
    return total;
  }

  /** @param lent Whether the bytes are in {@link scratch}. */
  #onOutput(bytes: Buffer, lent: boolean): void {
    this.#bytesRead += bytes.byteLength;
    this.#sink.output('pty', bytes, lent);
    this.#exec.heard(bytes);
  }

  #onExit(code: number, signal: number): void {
    const done = () => this.#pace.held || this.#stream.destroyed;
    this.#pace.setDraining(true);
    if (!done()) {
      // A worker of the kernel hands over written bytes a moment later. A read fetches them at once; a poll would not
      // see them yet.
      this.#drain(EXIT_DRAIN_BYTES);
    }
    this.#sink.exited(exitStatus(code, signal));
    this.#exec.exited(code);
    this.#closeSlave();
    this.#pace.setDraining(false);
    // The stream would learn of the end only in the next turn of the event loop.
    if (!done() && this.#drain(EXIT_DRAIN_BYTES) === 'end') {
      this.#end();
      this.#stream.destroy();
    }
  }

  /** Reads the available bytes without the stream. @returns whether that was certainly the end. */
  #drain(limit: number): 'end' | undefined {
    // A listener may end everything; then the descriptor is no longer ours.
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
      this.#onOutput(scratch.subarray(0, this.#readOn(size)), true);
    }
    return undefined;
  }

  /** Everything has been read. */
  #end(): void {
    if (!this.#ended) {
      this.#ended = true;
      this.#pace.end();
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

/**
 * Finds out why the system has just refused a terminal and its process; node-pty does not say. If it gives a terminal
 * now, the process was refused.
 */
function refusal(): NodeJS.ErrnoException | undefined {
  if (process.platform !== 'linux') {
    return undefined;
  }
  const opened: number[] = [];
  try {
    // A terminal has two descriptors.
    opened.push(openSync('/dev/ptmx', constants.O_RDWR | constants.O_NOCTTY));
    opened.push(openSync('/dev/null', constants.O_RDONLY));
    return Object.assign(new Error('fork'), { errno: -osConstants.errno.EAGAIN, code: 'EAGAIN' });
  } catch (error) {
    return error as NodeJS.ErrnoException;
  } finally {
    opened.forEach((fd) => closeSync(fd));
  }
}

/** The kernel's ticks a second, the unit of the start times of processes. The same on all architectures. */
const TICKS_PER_SECOND = 100;

function terminalSign(): ForkSign | undefined {
  return process.platform === 'linux'
    ? { terminalSince: Math.floor(uptime() * TICKS_PER_SECOND) }
    : undefined;
}

/**
 * Without this descriptor, for example for want of descriptors, the terminal works for all but the strangest programs.
 */
function openSlave(file: string): number | undefined {
  try {
    return openSync(file, constants.O_RDWR | constants.O_NOCTTY);
  } catch {
    return undefined;
  }
}
