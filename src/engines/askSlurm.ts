import type { HostVariables } from '../core/index.js';
import { runProgram } from './list/runProgram.js';

/** The time for an answer, in milliseconds. The programs of Slurm wait for a controller that is down. */
const ANSWER_MS = 10_000;

/** Runs a program of Slurm. @returns its output; empty if it fails. */
export async function askSlurm(
  env: HostVariables,
  program: 'sinfo' | 'squeue',
  ...args: readonly string[]
): Promise<string> {
  const options = { env, signal: new AbortController().signal, limitMs: ANSWER_MS };
  return runProgram([program, ...args], options).then(
    (answer) => answer.trim(),
    () => '',
  );
}
