import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

import { type HostVariables, LINE_LENGTH, messageOf, onAbort, oneLine } from '../core/index.js';
import { listMembers } from './list/listMembers.js';

/** The interval of questions for the place of a job in the queue. */
const STATE_MS = 5_000;
/** The time for `scancel`: with a controller that is down it waits. */
const CANCEL_MS = 20_000;
/** The most that is kept of what `salloc` says. */
const SAID_CHARACTERS = 4_000;

export interface AllocateOptions {
  /** Options of `salloc`, such as `-N4` and `--time=60`. */
  readonly options: readonly string[];
  readonly env: HostVariables;
  /** Gives the allocation up, also one that has just been granted. */
  readonly signal: AbortSignal;
  /** Called with what Slurm says about a job that waits, such as its reason and its place in the queue. */
  readonly onState: (state: string) => void;
}

/**
 * Asks Slurm for an allocation, and waits until it is there. It stays until its time is over, or it is cancelled.
 *
 * @returns the number of the job.
 * @throws Error with the last line of `salloc`, or the reason of `signal`.
 */
export async function allocate({ options, env, signal, onState }: AllocateOptions): Promise<string> {
  signal.throwIfAborted();
  const child = spawn('salloc', ['--no-shell', ...options], {
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
      void tellState(job, env, signal, onState);
    }
  }, STATE_MS);
  try {
    const failure = await ended(child);
    if (signal.aborted && job !== undefined) {
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
 * Ends a job with everything in it.
 *
 * @throws Error
 */
export async function cancelAllocation(job: string, env: HostVariables): Promise<void> {
  try {
    await promisify(execFile)('scancel', [job], { env: { ...env }, timeout: CANCEL_MS });
  } catch (error) {
    throw new Error(oneLine(messageOf(error), LINE_LENGTH), { cause: error });
  }
}

/** @returns undefined if it has ended well. */
function ended(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve(message));
    child.once('close', (code) =>
      resolve(code === 0 ? undefined : `salloc has ended with ${code ?? 'a signal'}`),
    );
  });
}

/** A question that fails says nothing: the next one may not. */
async function tellState(
  job: string,
  env: HostVariables,
  signal: AbortSignal,
  tell: (state: string) => void,
): Promise<void> {
  const list = await listMembers({ engine: 'slurm', members: job }, { env, signal }).catch(() => undefined);
  const detail = list?.members.find(({ state }) => state === 'waiting')?.detail;
  if (detail !== undefined && !signal.aborted) {
    tell(detail);
  }
}
