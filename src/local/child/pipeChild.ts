import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

import type { InputWait } from '../../core/index.js';
import { announced, INPUT_QUEUE_BYTES, type Child, type ChildRequest, type ChildSink } from './child.js';
import { makeSureOfDescriptors } from './systemRoom.js';
import { exitStatus } from '../stop/signals.js';
import { outputLinks, ownLinks } from '../stop/holders.js';
import type { OpenTerminals } from './openTerminals.js';
import { Pace, REST_MS } from './pace.js';
import type { ChildPipes, ChildStreams, OutputListener, StreamPlan } from '../pipes/childPipes.js';
import { pipeWait } from './inputWait.js';
import { untilQuiet } from './readAvailable.js';

/**
 * Starts a child on pipes, as the leader of a POSIX session of its own.
 *
 * @param pipes Without them Node makes the connections: socket pairs on POSIX, and one for each output.
 * @throws NodeJS.ErrnoException if it cannot be started.
 */
export async function startPipeChild(
  request: ChildRequest & StreamPlan,
  pipes: ChildPipes | undefined,
  sink: ChildSink,
  openTerminals: OpenTerminals,
): Promise<Child> {
  const [program, ...args] = request.argv;
  if (pipes === undefined) {
    makeSureOfDescriptors();
  }
  // Known before the start where possible: a child may have ended before anyone can look at it.
  const links = pipes && ownLinks(pipes.stdio.slice(1).filter((fd) => fd !== 'ignore'));
  const inputLinks = ownLinks(pipes?.stdio.slice(0, 1).filter((fd) => fd !== 'ignore') ?? []);
  const child = announced(sink, pipes?.sign, () =>
    spawn(program, args, {
      argv0: request.arg0 ?? program,
      cwd: request.cwd,
      env: request.env,
      // A POSIX session of its own. On Windows this would be a console window of its own.
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: request.verbatim ?? false,
      stdio: openTerminals.shield(pipes?.stdio ?? [request.pipeStdin ? 'pipe' : 'ignore', 'pipe', 'pipe']),
    }),
  );
  if (child.pid === undefined) {
    sink.forking(undefined);
    const [error] = (await once(child, 'error')) as [Error];
    throw error;
  }
  sink.forked(child.pid);
  return new PipeChild(child, child.pid, { pipes, links, inputLinks }, sink);
}

function nodeStreams({ stdin, stdout, stderr }: ChildProcess, onOutput: OutputListener): ChildStreams {
  stdout?.on('data', (bytes: Buffer) => onOutput('stdout', bytes, false));
  stderr?.on('data', (bytes: Buffer) => onOutput('stderr', bytes, false));
  return { stdin, outputs: [stdout, stderr].filter((stream) => stream !== null) };
}

class PipeChild implements Child {
  readonly pid: number;
  readonly outputLinks: ReadonlySet<string>;
  readonly #inputLinks: ReadonlySet<string>;
  readonly #streams: ChildStreams;
  readonly #sink: ChildSink;
  readonly #pace: Pace;
  #openOutputs: number;
  #bytesRead = 0;
  #drained: Promise<void> | undefined;

  constructor(
    process: ChildProcess,
    pid: number,
    {
      pipes,
      links,
      inputLinks,
    }: {
      readonly pipes: ChildPipes | undefined;
      readonly links: ReadonlySet<string> | undefined;
      readonly inputLinks: ReadonlySet<string>;
    },
    sink: ChildSink,
  ) {
    this.pid = pid;
    this.outputLinks = links ?? outputLinks(pid);
    this.#inputLinks = inputLinks;
    this.#sink = sink;
    const onOutput: OutputListener = (name, bytes, lent) => {
      this.#bytesRead += bytes.byteLength;
      sink.output(name, bytes, lent);
      this.#pace.hasRead();
    };
    const streams = pipes?.open(onOutput) ?? nodeStreams(process, onOutput);
    this.#pace = new Pace(streams.outputs, REST_MS.pipes);
    this.#streams = streams;
    this.#openOutputs = streams.outputs.length;
    streams.outputs.forEach((stream) => this.#follow(stream));
    // The write that meets the broken pipe reports it itself.
    streams.stdin?.on('error', () => undefined);
    process.once('exit', (code, signal) => {
      // Node does the same with an input of its own: the descendants of the exited child get no more input.
      streams.stdin?.destroy();
      const done = () => this.#pace.held || this.#openOutputs === 0;
      this.#pace.setDraining(true);
      void untilQuiet(() => this.#bytesRead, done).then(() => {
        this.#sink.exited(exitStatus(code, signal));
        this.#pace.setDraining(false);
      });
    });
    // A failed kill is an error event as well. It needs no handling: the missing exit shows it.
    process.on('error', () => undefined);
  }

  async write(bytes: Uint8Array): Promise<void> {
    const { stdin } = this.#streams;
    if (!stdin?.writable) {
      throw new Error('The standard input is closed.');
    }
    stdin.write(bytes);
    if (stdin.writableLength > INPUT_QUEUE_BYTES) {
      // All writers share one wait: a listener for each would look like a leak.
      this.#drained ??= drained(stdin).finally(() => (this.#drained = undefined));
      await this.#drained;
    }
  }

  closeStdin(): void {
    this.#streams.stdin?.end();
  }

  inputWait(): Promise<InputWait | undefined> {
    return Promise.resolve(pipeWait(this.pid, this.#inputLinks));
  }

  setPaused(paused: boolean): void {
    this.#pace.setHeld(paused);
  }

  setAwaited(awaited: boolean): void {
    this.#pace.setAwaited(awaited);
  }

  fetch(): void {
    if (this.#pace.unattended) {
      this.#streams.fetch?.();
    }
  }

  abandon(): void {
    this.#pace.end();
    this.#streams.stdin?.destroy();
    for (const stream of this.#streams.outputs) {
      stream.destroy();
    }
  }

  #follow(stream: Readable): void {
    stream.on('error', () => undefined);
    // When the child exits, Node resumes its streams to find their ends, even if they were paused on purpose:
    // https://github.com/nodejs/node/blob/v20.20.2/lib/internal/child_process.js (flushStdio)
    stream.on('resume', () => {
      if (this.#pace.stopped) {
        stream.pause();
      }
    });
    stream.once('close', () => {
      this.#openOutputs -= 1;
      if (this.#openOutputs === 0) {
        this.#pace.end();
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
