import { spawn } from 'node:child_process';

import { type HostVariables, LINE_LENGTH, onAbort, oneLine } from '../../core/index.js';

export interface RunOptions {
  /** The complete environment. */
  readonly env: HostVariables;
  readonly signal: AbortSignal;
  /** The time for the answer. */
  readonly limitMs?: number | undefined;
}

const LIMIT_MS = 20_000;
/** A thousand pods have about 16 MB. */
const MAX_BYTES = 32_000_000;
/** The most that is kept of what a program says on its standard error. */
const SAID_CHARACTERS = 4_000;

/**
 * The answer of an engine's program. The program ends with its whole group when it takes too long or says too much.
 *
 * @throws Error with its last line, or that it is not installed; the reason of `signal`.
 */
export async function runProgram(
  argv: readonly [string, ...string[]],
  { env, signal, limitMs = LIMIT_MS }: RunOptions,
): Promise<string> {
  signal.throwIfAborted();
  const [program, ...args] = argv;
  const posix = process.platform !== 'win32';
  const child = spawn(program, args, {
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: posix,
    windowsHide: true,
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  let said = '';
  return new Promise<string>((resolve, reject) => {
    const fail = (error: Error): void => {
      finish();
      try {
        if (child.pid !== undefined) process.kill(posix ? -child.pid : child.pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
      // A process that has left the group may hold these open.
      child.stdout.destroy();
      child.stderr.destroy();
      reject(error);
    };
    const timer = setTimeout(
      () => fail(new Error(`${program} did not answer within ${limitMs / 1000} s`)),
      limitMs,
    );
    const aborted = onAbort(signal, () => fail(signal.reason as Error));
    const finish = (): void => {
      clearTimeout(timer);
      aborted.dispose();
    };
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) {
        fail(new Error(`${program} answered with more than ${MAX_BYTES / 1e6} MB. Name fewer members`));
        return;
      }
      chunks.push(chunk);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-SAID_CHARACTERS);
    });
    child.once('error', (error: NodeJS.ErrnoException) => {
      fail(
        error.code === 'ENOENT' ? new Error(`${program} is not installed here, or not on the PATH`) : error,
      );
    });
    child.once('close', (code) => {
      finish();
      if (code === 0) {
        resolve(Buffer.concat(chunks).toString());
        return;
      }
      const lastLine = oneLine(said.trim().split('\n').at(-1) ?? '', LINE_LENGTH);
      reject(new Error(lastLine === '' ? `${program} ended with ${code ?? 'a signal'}` : lastLine));
    });
  });
}

/**
 * The JSON in an answer.
 *
 * @throws Error that shows how the answer begins.
 */
export function jsonOf(program: string, answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    throw new Error(`${program} answered with something that is no JSON: ${oneLine(answer, 60)}`);
  }
}

/** A word from an engine, such as a reason; undefined if it is no text. */
export function wordOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? oneLine(value, 60) : undefined;
}
