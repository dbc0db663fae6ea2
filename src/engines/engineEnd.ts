import { type HostVariables, type Member, memberText, oneLine } from '../core/index.js';
import { GoneError } from '../remote/index.js';
import { askSlurm } from './askSlurm.js';
import { containerEnd } from './list/containers.js';
import { podEnd } from './list/pods.js';

const REASON_CHARACTERS = 100;
/** The time for an engine to say whether a member has ended, while its sessions wait. */
const END_MS = 5_000;

/** The states of a job that has ended, as Slurm names them. */
const ENDED =
  /^(?:BOOT_FAIL|CANCELLED|COMPLETED|DEADLINE|FAILED|NODE_FAIL|OUT_OF_MEMORY|PREEMPTED|REVOKED|TIMEOUT)$/;

/**
 * Asks the engine of a member that could not be reached whether it has ended.
 *
 * @returns the failure with the reason of the engine, which is final; `failure` if the engine knows none.
 */
export async function withReason(failure: unknown, member: Member, env: HostVariables): Promise<unknown> {
  if (member.engine === 'slurm') {
    return withSlurmsReason(failure, member.name, env);
  }
  try {
    const why = await endOf(member, env);
    if (why !== undefined) {
      return new GoneError(`${memberText(member)}: ${why}`);
    }
    // Podman refuses a paused container in the same words as one that has ended.
    return member.engine === 'podman' && failure instanceof GoneError ? new Error(failure.message) : failure;
  } catch {
    return failure;
  }
}

async function endOf({ engine, name, context }: Member, env: HostVariables): Promise<string | undefined> {
  const options = { env, signal: AbortSignal.timeout(END_MS) };
  if (engine === 'docker' || engine === 'podman') {
    return containerEnd(engine, name, options);
  }
  return engine === 'kubernetes' ? podEnd(name, context, options) : undefined;
}

async function withSlurmsReason(failure: unknown, name: string, env: HostVariables): Promise<unknown> {
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
