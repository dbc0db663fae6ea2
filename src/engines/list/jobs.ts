import { isMemberName, messageOf } from '../../core/index.js';
import type { ListedMember } from './listedMember.js';
import { runProgram, type RunOptions } from './runProgram.js';

interface Job {
  readonly state: string;
  readonly reason: string;
  readonly timeLeft: string;
  readonly partition: string;
  readonly nodes: string;
}

const RUNS: readonly string[] = ['RUNNING', 'COMPLETING', 'SUSPENDED', 'RESIZING'];
const QUEUED: readonly string[] = ['PENDING', 'CONFIGURING', 'REQUEUED', 'REQUEUE_HOLD'];
const FORGOTTEN = 'Slurm does not know the job any more';

/** The nodes of a job; the job alone while it waits, or when it has ended. */
export async function listNodes(job: string, options: RunOptions): Promise<readonly ListedMember[]> {
  if (!isMemberName('slurm', job) || job.includes('/')) {
    throw new Error('Name a job of Slurm by its number');
  }
  const found = await lookAt(job, options);
  const engine = 'slurm';
  if (found === undefined) {
    return [{ engine, name: job, state: 'ended', detail: FORGOTTEN }];
  }
  const { state, reason, timeLeft, nodes } = found;
  if (RUNS.includes(state)) {
    const down = await nodesDown(nodes, options);
    const names = await runProgram(['scontrol', 'show', 'hostnames', nodes], options);
    return names.split('\n').flatMap((node): readonly ListedMember[] => {
      const name = `${job}/${node}`;
      if (!isMemberName(engine, name)) return [];
      return down.has(node)
        ? [{ engine, name, state: 'ended', detail: 'the node is down' }]
        : [
            {
              engine,
              name,
              state: 'running',
              detail: timeLeft === 'UNLIMITED' ? undefined : `${timeLeft} left`,
            },
          ];
    });
  }
  if (QUEUED.includes(state)) {
    const place = await placeInQueue(job, found, options);
    return [
      { engine, name: job, state: 'waiting', detail: `${state === 'PENDING' ? reason : state}${place}` },
    ];
  }
  return [{ engine, name: job, state: 'ended', detail: endOf(found) }];
}

/** For example `TIMEOUT`, `CANCELLED` or `FAILED, NonZeroExitCode`. */
function endOf({ state, reason }: Job): string {
  return reason === 'None' || reason === '' ? state : `${state}, ${reason}`;
}

/**
 * Columns, since the JSON of `squeue` has every job of the cluster, whatever is asked (22.05).
 *
 * @returns undefined for a job that is not known any more.
 */
async function lookAt(job: string, options: RunOptions): Promise<Job | undefined> {
  const argv = ['squeue', '--noheader', `--jobs=${job}`, '--states=all', '--format=%T|%r|%L|%P|%N'] as const;
  const answer = await runProgram(argv, options).catch((error: unknown) => {
    if (messageOf(error).includes('Invalid job id specified')) return '';
    throw error;
  });
  const [line = ''] = answer.split('\n');
  const [, state = '', reason = '', timeLeft = '', partition = '', nodes = ''] =
    /^([A-Z_]{1,40})\|([\w .,:()/-]{0,80})\|([\w:-]{1,20})\|([\w.,-]{1,80})\|(|[A-Za-z0-9][\w.,[\]-]*)$/.exec(
      line.trim(),
    ) ?? [];
  if (state === '' && line.trim() !== '') {
    throw new Error('squeue answered with something that is no state of a job');
  }
  return state === '' ? undefined : { state, reason, timeLeft, partition, nodes };
}

/** For example `, place 3 of 12 in main`. */
async function placeInQueue(
  job: string,
  { partition }: Job,
  options: RunOptions,
): Promise<string | undefined> {
  const queue = `--partition=${partition}`;
  const argv = ['squeue', '--noheader', '--states=PENDING', '--sort=-p', queue, '--format=%i'] as const;
  const jobs = (await runProgram(argv, options)).split('\n').filter((line) => line !== '');
  const index = jobs.indexOf(job);
  return index === -1 ? '' : `, place ${index + 1} of ${jobs.length} in ${partition}`;
}

async function nodesDown(nodes: string, options: RunOptions): Promise<ReadonlySet<string>> {
  const answer = await runProgram(
    ['sinfo', '--noheader', '--Node', `--nodes=${nodes}`, '--format=%N %T'],
    options,
  );
  return new Set([...answer.matchAll(/^(\S+) down\b/gm)].map(([, node = '']) => node));
}
