import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';

import type { OutputStream } from '../../core/index.js';
import type { ForkSign } from '../guard/messages.js';
import { readNow } from '../child/readAvailable.js';
import type { Pipe } from './pipe.js';
import type { PipePool } from './pipePool.js';

/** The standard streams that a child without a terminal should have. */
export interface StreamPlan {
  /** Whether it has an input. */
  readonly pipeStdin: boolean;
  /** Whether one pipe takes both outputs, so that everything comes in the order in which it was written. */
  readonly stderrToStdout: boolean;
}

/** Our side of a child's standard streams. The outputs are being read. */
export interface ChildStreams {
  readonly stdin: Writable | null;
  readonly outputs: readonly Readable[];
  /** Reads the available output at once, even while the outputs are paused. Absent if only the streams can be read. */
  readonly fetch?: () => void;
}

/** @param lent Whether the bytes may be overwritten as soon as the listener has returned. */
export type OutputListener = (name: OutputStream, bytes: Uint8Array, lent: boolean) => void;

/**
 * One buffer that all pipes are read into, one after the other. Node's streams would take 64 KiB of new memory for each
 * read. With 50 processes that print a line each, a line takes 10 µs to the network; with Node's streams it takes 14.
 */
const scratch = Buffer.allocUnsafeSlow(64 * 1024);

/** The pipes of one child. */
export class ChildPipes {
  readonly #stdin: Pipe | undefined;
  readonly #stdout: Pipe;
  readonly #stderr: Pipe | undefined;

  /** @returns undefined if no pipes can be had. */
  static async take(pool: PipePool, plan: StreamPlan): Promise<ChildPipes | undefined> {
    const pipes = await pool.take((plan.pipeStdin ? 2 : 1) + (plan.stderrToStdout ? 0 : 1));
    const stdin = plan.pipeStdin ? pipes?.pop() : undefined;
    const [stdout, stderr] = pipes ?? [];
    return stdout && new ChildPipes(stdin, stdout, stderr);
  }

  private constructor(stdin: Pipe | undefined, stdout: Pipe, stderr: Pipe | undefined) {
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.#stderr = stderr;
  }

  /** The child's side, in the form that `spawn` takes. */
  get stdio(): readonly (number | 'ignore')[] {
    const stderr = this.#stderr ?? this.#stdout;
    return [this.#stdin?.readEnd ?? 'ignore', this.#stdout.writeEnd, stderr.writeEnd];
  }

  /** The sign that identifies a child with these pipes. */
  get sign(): ForkSign {
    return { pipe: fstatSync(this.#stdout.writeEnd).ino };
  }

  /** Our side, which is read from now on. The caller closes the streams. */
  open(onOutput: OutputListener): ChildStreams {
    const outputs = [
      outputOf(this.#stdout, 'stdout', onOutput),
      ...(this.#stderr ? [outputOf(this.#stderr, 'stderr', onOutput)] : []),
    ];
    return {
      stdin: this.#stdin ? writer(this.#stdin) : null,
      outputs: outputs.map(({ stream }) => stream),
      fetch: () => outputs.forEach(({ fetch }) => fetch()),
    };
  }

  /** Closes the child's side here, and ours unless it was opened. */
  close(): void {
    for (const pipe of [this.#stdin, this.#stdout, this.#stderr]) {
      pipe?.close();
    }
  }
}

// Node makes the end that it reads or writes non-blocking. The child's end is an open file of its own and stays
// blocking.

interface Output {
  readonly stream: Readable;
  readonly fetch: () => void;
}

function outputOf(pipe: Pipe, name: OutputStream, onOutput: OutputListener): Output {
  const fd = pipe.takeReadEnd();
  const callback = (size: number) => {
    onOutput(name, scratch.subarray(0, size), true);
    return true;
  };
  const onread = { buffer: scratch, callback };
  const options = { fd, readable: true, writable: false, onread };
  const stream = new Socket(options).resume();
  // The descriptor belongs to the stream; once the stream is destroyed, another file may have the number.
  const fetch = () => {
    if (!stream.destroyed) {
      readNow(fd, (bytes) => onOutput(name, bytes, false));
    }
  };
  return { stream, fetch };
}

function writer(pipe: Pipe): Writable {
  return new Socket({ fd: pipe.takeWriteEnd(), readable: false, writable: true });
}
