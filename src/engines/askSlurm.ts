import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { HostVariables } from '../core/index.js';

/** The time for an answer, in milliseconds. The programs of Slurm wait for a controller that is down. */
const ANSWER_MS = 10_000;
const ANSWER_BYTES = 4 * 1024 * 1024;

/** Runs a program of Slurm. @returns its output; empty if it fails. */
export async function askSlurm(
  env: HostVariables,
  program: 'sinfo' | 'squeue',
  ...args: readonly string[]
): Promise<string> {
  const limits = { timeout: ANSWER_MS, killSignal: 'SIGKILL', maxBuffer: ANSWER_BYTES } as const;
  try {
    return (await promisify(execFile)(program, args, { env: { ...env }, ...limits })).stdout.trim();
  } catch {
    return '';
  }
}
