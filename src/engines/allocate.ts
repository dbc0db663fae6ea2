import { type ChildProcess, spawn } from 'node:child_process';

import { type HostVariables, LINE_LENGTH, messageOf, onAbort, oneLine } from '../core/index.js';
import { askSlurm } from './askSlurm.js';
import { runProgram } from './list/runProgram.js';

/** The interval of questions for the place of a job in the queue. */
const STATE_MS = 5_000;
/** The most that is kept of what `salloc` says. */
const SAID_CHARACTERS = 4_000;

export interface AllocateOptions {
  /** Options of `salloc`, such as `-N4` and `--time=60`. */
  readonly options: readonly string[];
  readonly env: HostVariables;
  /** Gives the allocation up, also one that has just been granted. */
  readonly signal: AbortSignal;
  /** Called with what Slurm says about a job that waits: its reason, and its place in the queue, from 1. */
  readonly onState: (reason: string, place: number) => void;
}

/**
 * Asks Slurm for an allocation, and waits until it is there. It stays until its time is over, or it is cancelled.
 *
 * @returns the number of the job.
 * @throws Error with the last line of `salloc`, or the reason of `signal`.
 */
export async function allocate(options: AllocateOptions): Promise<string> {
  const { env, signal } = options;
  signal.throwIfAborted();
  const child = spawn('salloc', ['--no-shell', ...options.options], {
    env: { ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  let job: string | undefined;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-SAID_CHARACTERS);
    job ??= /^salloc: (?:Pending|Granted) job allocation (\d{1,10})$/m.exec(said)?.[1];
  });
  // It takes back what it waits for.
  const aborted = onAbort(signal, () => child.kill('SIGTERM'));
  const asking = setInterval(() => {
    if (job !== undefined) {
      void tellState(job, options);
    }
  }, STATE_MS);
  try {
    const failure = await ended(child);
    if (signal.aborted && job !== undefined) {
      // It has mostly been taken back by salloc itself.
      await cancelAllocation(job, env).catch(() => undefined);
    }
    signal.throwIfAborted();
    if (failure !== undefined || job === undefined) {
      const lastLine = said.trim().split('\n').at(-1) ?? '';
      throw new Error(lastLine === '' ? (failure ?? 'salloc names no job') : oneLine(lastLine, LINE_LENGTH));
    }
    return job;
  } finally {
    clearInterval(asking);
    aborted.dispose();
  }
}

/**
 * Ends a job with everything in it. One that has ended already stays as it is.
 *
 * @throws Error with the last line of `scancel`.
 */
export async function cancelAllocation(job: string, env: HostVariables): Promise<void> {
  try {
    await runProgram(['scancel', job], { env, signal: new AbortController().signal });
  } catch (error) {
    if (!/Invalid job id|already complet/.test(messageOf(error))) {
      throw error;
    }
  }
}

/** @returns undefined if it has ended well. */
function ended(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    child.once('error', ({ code, message }: NodeJS.ErrnoException) =>
      resolve(code === 'ENOENT' ? 'salloc is not installed here, or not on the PATH' : message),
    );
    child.once('close', (code) =>
      resolve(code === 0 ? undefined : `salloc has ended with ${code ?? 'a signal'}`),
    );
  });
}

/** Tells why a job waits, and its place among those that wait. A question that fails tells nothing. */
async function tellState(job: string, { env, onState }: AllocateOptions): Promise<void> {
  const waiting = (await askSlurm(env, 'squeue', '-h', '-t', 'PD', '--sort=-p', '-o', '%i %r')).split('\n');
  const place = waiting.findIndex((line) => line.startsWith(`${job} `));
  const reason = waiting[place]?.slice(job.length + 1);
  if (reason !== undefined) {
    onState(oneLine(reason, LINE_LENGTH), place + 1);
  }
}
