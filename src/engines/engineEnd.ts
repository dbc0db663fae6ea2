import { type HostVariables, type Member, oneLine } from '../core/index.js';
import { GoneError } from '../remote/index.js';
import { askSlurm } from './askSlurm.js';

const REASON_CHARACTERS = 100;

/** The states of a job that has ended, as Slurm names them. */
const ENDED =
  /^(?:BOOT_FAIL|CANCELLED|COMPLETED|DEADLINE|FAILED|NODE_FAIL|OUT_OF_MEMORY|PREEMPTED|REVOKED|TIMEOUT)$/;

/**
 * Asks the engine of a member that could not be reached whether it has ended.
 *
 * @returns the failure with the reason of the engine, which is final; `failure` if the engine knows none.
 */
export async function withReason(
  failure: unknown,
  { engine, name }: Member,
  env: HostVariables,
): Promise<unknown> {
  if (engine !== 'slurm') {
    return failure;
  }
  const [job = '', node] = name.split('/');
  const state = await askSlurm(env, 'squeue', '-h', '-t', 'all', '-j', job, '-o', '%T');
  if (state === 'COMPLETING') {
    // It says how it has ended in a moment: this is no final failure yet.
    return new Error(`Slurm job ${job}: ${state}`);
  }
  if (ENDED.test(state)) {
    return new GoneError(`Slurm job ${job}: ${state}`);
  }
  const why = node === undefined ? '' : await askSlurm(env, 'sinfo', '-h', '-N', '-n', node, '-o', '%T %E');
  return /^(?:down|fail)\b/.test(why)
    ? new GoneError(oneLine(`Slurm node ${node}: ${why}`, REASON_CHARACTERS))
    : failure;
}
