import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

import type { OutputStream } from '../core/index.js';
import { INPUT_QUEUE_BYTES, type Child, type ChildRequest, type ChildSink } from './child.js';
import { exitStatus } from './exitStatus.js';
import { outputLinks } from './holders.js';
import type { OpenTerminals } from './openTerminals.js';
import { untilQuiet } from './quietTurn.js';

/**
 * Starts a child on pipes, as the leader of a POSIX session of its own.
 *
 * @throws NodeJS.ErrnoException if it cannot be started.
 */
export async function startPipeChild(
  request: ChildRequest & { readonly pipeStdin: boolean },
  sink: ChildSink,
  openTerminals: OpenTerminals,
): Promise<Child> {
  const [program, ...args] = request.argv;
  const child = spawn(program, args, {
    argv0: request.arg0 ?? program,
    cwd: request.cwd,
    env: request.env,
    // A POSIX session of its own. On Windows this would be a console window of its own.
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: openTerminals.shield([request.pipeStdin ? 'pipe' : 'ignore', 'pipe', 'pipe']),
  });
  if (child.pid === undefined) {
    const [error] = (await once(child, 'error')) as [Error];
    throw error;
  }
  sink.forked(child.pid);
  return new PipeChild(child, child.pid, sink);
}

class PipeChild implements Child {
  readonly pid: number;
  readonly outputLinks: ReadonlySet<string>;
  readonly #process: ChildProcess;
  readonly #sink: ChildSink;
  readonly #outputs: Readable[] = [];
  #openOutputs = 0;
  #bytesRead = 0;
  #paused = false;
  #drained: Promise<void> | undefined;

  constructor(process: ChildProcess, pid: number, sink: ChildSink) {
    this.pid = pid;
    this.outputLinks = outputLinks(pid);
    this.#process = process;
    this.#sink = sink;
    this.#read('stdout', process.stdout);
    this.#read('stderr', process.stderr);
    // The write that meets the broken pipe reports it itself.
    process.stdin?.on('error', () => undefined);
    process.once('exit', (code, signal) => {
      const done = () => this.#paused || this.#openOutputs === 0;
      void untilQuiet(() => this.#bytesRead, done).then(() => this.#sink.exited(exitStatus(code, signal)));
    });
    // A failed kill is an error event as well. It needs no handling: the exit does not come, and that shows.
    process.on('error', () => undefined);
  }

  async write(bytes: Uint8Array): Promise<void> {
    const { stdin } = this.#process;
    if (!stdin?.writable) {
      throw new Error('The standard input is closed.');
    }
    stdin.write(bytes);
    if (stdin.writableLength > INPUT_QUEUE_BYTES) {
      // All writers share one wait: listeners of each would look like a leak.
      this.#drained ??= drained(stdin).finally(() => (this.#drained = undefined));
      await this.#drained;
    }
  }

  closeStdin(): void {
    this.#process.stdin?.end();
  }

  setPaused(paused: boolean): void {
    this.#paused = paused;
    for (const output of this.#outputs) {
      if (paused) {
        output.pause();
      } else {
        output.resume();
      }
    }
  }

  abandon(): void {
    this.#process.stdin?.destroy();
    for (const output of this.#outputs) {
      output.destroy();
    }
  }

  #read(stream: OutputStream, output: Readable | null): void {
    if (output === null) {
      return;
    }
    this.#outputs.push(output);
    this.#openOutputs += 1;
    output.on('data', (bytes: Buffer) => {
      this.#bytesRead += bytes.byteLength;
      this.#sink.output(stream, bytes);
    });
    output.on('error', () => undefined);
    // When the child exits, Node resumes its streams to find their ends, whoever has paused them:
    // https://github.com/nodejs/node/blob/v20.20.2/lib/internal/child_process.js (flushStdio)
    output.on('resume', () => {
      if (this.#paused) {
        output.pause();
      }
    });
    output.once('close', () => {
      this.#openOutputs -= 1;
      if (this.#openOutputs === 0) {
        this.#sink.ended();
      }
    });
  }
}

/** @throws Error if the pipe breaks first. */
function drained(stdin: Writable): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      stdin.off('drain', settle);
      stdin.off('close', settle);
      // After an end there is no drain any more, only the close.
      if (stdin.writable || stdin.writableFinished) {
        resolve();
      } else {
        reject(new Error('The standard input was closed before everything was written.'));
      }
    };
    stdin.on('drain', settle);
    stdin.on('close', settle);
  });
}
