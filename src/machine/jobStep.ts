import { rmdirSync } from 'node:fs';
import path from 'node:path';

import type { HostVariables } from '../core/index.js';

/** The job of Slurm and the node that a step of it runs on. */
interface JobStep {
  readonly job: string;
  readonly node: string;
  /** The processors of the job on this node. */
  readonly processors: string;
}

/** @returns undefined outside of a step, and in the script of a job, which lasts as long as the job. */
function jobStep(env: HostVariables): JobStep | undefined {
  const { SLURM_JOB_ID: job = '', SLURM_STEP_ID: step = '', SLURMD_NODENAME: node = '' } = env;
  const { SLURM_CPUS_ON_NODE: processors = '' } = env;
  return /^\d+$/.test(job) && /^\d+$/.test(step) && /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(node)
    ? { job, node, processors: /^[1-9]\d*$/.test(processors) ? processors : '1' }
    : undefined;
}

/**
 * The folder for the socket of the server of a job on this node: its sessions end with the job. Nodes share a home, so it
 * is not there.
 *
 * @returns undefined outside of a step of a job.
 */
export function jobFolder(env: HostVariables): string | undefined {
  const step = jobStep(env);
  return step === undefined ? undefined : path.join('/tmp', `exec-sessions-job-${step.job}-${step.node}`);
}

/**
 * The command that starts a server as a step of its own: the step that this program runs in would end the server with
 * it. All processors of the job are for its sessions.
 *
 * @returns undefined outside of a step of a job.
 */
export function inOwnStep(
  argv: readonly [string, ...string[]],
  env: HostVariables,
): readonly [string, ...string[]] | undefined {
  const step = jobStep(env);
  if (step === undefined) {
    return undefined;
  }
  const { job, node, processors } = step;
  const where = ['--jobid', job, '-w', node, '-N1', '-n1', '-c', processors];
  return [
    ...(['srun', '--overlap', ...where, '--input=none', '--mpi=none', '--export=ALL'] as const),
    ...['--job-name=exec-sessions', '--', ...argv],
  ];
}

/**
 * Ends an `srun` but not its step. It is in the step of this program, and would hand on the signals that end that one.
 * Its own child, which ends the step after it, has no time to do so, since both are stopped first.
 *
 * @param group The number of its process group.
 */
export function leaveStep(group: number): void {
  process.kill(-group, 'SIGSTOP');
  process.kill(-group, 'SIGKILL');
}

/** Removes the folder of the job's server as it ends, unless another one is there. */
export function removeJobFolder(env: HostVariables): void {
  const folder = jobFolder(env);
  try {
    if (folder !== undefined) {
      rmdirSync(folder);
    }
  } catch {
    // It is not empty, or gone.
  }
}
