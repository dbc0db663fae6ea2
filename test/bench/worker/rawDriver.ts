import { spawn } from 'node:child_process';

import type * as NodePty from 'node-pty';

import {
  childEnv,
  quietly,
  type Closed,
  type Driver,
  type ProcessSpec,
  type RunningProcess,
} from './driver.js';

/** node-pty and child_process in their ordinary use: the limit of what Node can do. */
export class RawDriver implements Driver {
  /** After 200 ms: https://github.com/microsoft/node-pty/blob/v1.2.0-beta.15/src/unixTerminal.ts */
  readonly losesTail = true;
  readonly #pty: typeof NodePty;
  readonly #through: readonly string[];

  private constructor(pty: typeof NodePty, through: readonly string[]) {
    this.#pty = pty;
    this.#through = through;
  }

  /** @param through A program that runs the others, with its arguments: theirs follow. */
  static async open(through: readonly string[] = []): Promise<RawDriver> {
    return new RawDriver(await import('node-pty'), through);
  }

  start({ argv, tty }: ProcessSpec, onOutput: (bytes: Uint8Array) => void): RunningProcess {
    const [program = argv[0], ...args] = [...this.#through, ...argv];
    return tty ? this.#startTerminal([program, ...args], onOutput) : startPipes([program, ...args], onOutput);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #startTerminal(argv: ProcessSpec['argv'], onOutput: (bytes: Uint8Array) => void): RunningProcess {
    const [program, ...args] = argv;
    const terminal = this.#pty.spawn(program, args, { env: { ...childEnv }, encoding: null });
    // Without an encoding it delivers bytes, although its types say otherwise.
    terminal.onData((data) => onOutput(data as unknown as Buffer));
    return {
      started: Promise.resolve(),
      closed: new Promise((resolve) => terminal.onExit(() => resolve({ outOfOrder: 0 }))),
      write: (bytes) => terminal.write(Buffer.from(bytes)),
      kill: () => terminal.kill('SIGKILL'),
    };
  }
}

function startPipes(argv: ProcessSpec['argv'], onOutput: (bytes: Uint8Array) => void): RunningProcess {
  const [program, ...args] = argv;
  const child = spawn(program, args, { env: childEnv, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.on('data', onOutput);
  child.stderr.on('data', onOutput);
  const started = new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  const closed = new Promise<Closed>((resolve, reject) => {
    child.once('close', () => resolve({ outOfOrder: 0 }));
    child.once('error', reject);
  });
  return {
    started: quietly(started),
    closed: quietly(closed),
    write: () => {
      throw new Error('What is measured on pipes has no input.');
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
