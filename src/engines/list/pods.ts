import { isMemberName, isRecord } from '../../core/index.js';
import type { ListedMember } from './listedMember.js';
import { jsonOf, runProgram, type RunOptions, wordOf } from './runProgram.js';

interface PodQuery {
  /** A selector, which may be empty. */
  readonly members: string;
  readonly context?: string | undefined;
  readonly namespace?: string | undefined;
}

export async function listPods(
  { members, context, namespace }: PodQuery,
  options: RunOptions,
): Promise<readonly ListedMember[]> {
  const selector = members === '' ? [] : [`--selector=${members}`];
  const answer = await getPods(context, namespace, selector, options);
  const items = isRecord(answer) ? answer['items'] : undefined;
  if (!Array.isArray(items)) {
    throw new Error('kubectl answered without a list of pods');
  }
  return items.flatMap((pod: unknown) => podOf(pod, context) ?? []);
}

/** Why a pod has ended; undefined if it has not. */
export async function podEnd(
  name: string,
  context: string | undefined,
  options: RunOptions,
): Promise<string | undefined> {
  const [pod = '', namespace] = name.split('/').reverse();
  const member = podOf(await getPods(context, namespace, [pod], options), context);
  return member?.state === 'ended' ? member.detail : undefined;
}

async function getPods(
  context: string | undefined,
  namespace: string | undefined,
  which: readonly string[],
  options: RunOptions,
): Promise<unknown> {
  const where = [
    ...(context === undefined ? [] : [`--context=${context}`]),
    ...(namespace === undefined ? [] : [`--namespace=${namespace}`]),
  ];
  return jsonOf(
    'kubectl',
    await runProgram(['kubectl', ...where, 'get', 'pods', ...which, '--output=json'], options),
  );
}

function podOf(pod: unknown, context: string | undefined): ListedMember | undefined {
  const { metadata, status } = isRecord(pod) ? pod : {};
  if (!isRecord(metadata) || !isRecord(status)) {
    return undefined;
  }
  const name = `${String(metadata['namespace'])}/${String(metadata['name'])}`;
  if (!isMemberName('kubernetes', name)) {
    return undefined;
  }
  const told = toldBy(status, metadata['deletionTimestamp'] !== undefined);
  return { engine: 'kubernetes', name, ...(context !== undefined && { context }), ...told };
}

/** The words of `kubectl get pods` for the same state. */
function toldBy(
  { phase, reason, containerStatuses }: Readonly<Record<string, unknown>>,
  deleted: boolean,
): Pick<ListedMember, 'state' | 'detail'> {
  const containers: readonly unknown[] = Array.isArray(containerStatuses) ? containerStatuses : [];
  const states = containers
    .map((container) => (isRecord(container) ? container['state'] : undefined))
    .filter(isRecord);
  const [ended, waits, runs] = ['terminated', 'waiting', 'running'].map((kind) =>
    states.map((state) => state[kind]).find(isRecord),
  );
  if (phase === 'Failed' || phase === 'Succeeded') {
    const code = Number(ended?.['exitCode'] ?? 0);
    const why = wordOf(reason) ?? wordOf(ended?.['reason']) ?? phase;
    return { state: 'ended', detail: code === 0 ? why : `${why}, exit code ${code}` };
  }
  if (deleted) {
    return { state: 'waiting', detail: 'Terminating' };
  }
  return phase === 'Running' && runs !== undefined
    ? { state: 'running', detail: wordOf(waits?.['reason']) }
    : { state: 'waiting', detail: wordOf(waits?.['reason']) ?? wordOf(ended?.['reason']) ?? wordOf(phase) };
}
