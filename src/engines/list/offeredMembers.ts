import type { EngineKind, HostVariables, Member } from '../../core/index.js';
import { listMembers } from './listMembers.js';
import { configuredHosts, like } from './sshHosts.js';

/** The time for an engine to offer something, while somebody waits for the list. */
const OFFER_MS = 3_000;
const ASKED: readonly EngineKind[] = ['docker', 'podman', 'kubernetes'];

/**
 * The members that can be offered without asking: the hosts of the ssh configuration, running containers and pods. A
 * program that is missing or does not answer soon offers nothing.
 */
export async function offeredMembers(options: {
  readonly env: HostVariables;
  readonly signal: AbortSignal;
}): Promise<readonly Member[]> {
  const lists = ASKED.map(async (engine) => {
    const list = await listMembers({ engine, members: '' }, { ...options, limitMs: OFFER_MS }).catch(
      () => undefined,
    );
    return (list?.members ?? []).filter(({ state }) => state === 'running');
  });
  const hosts = configuredHosts(options.env).map((name) => ({ engine: 'ssh' as const, name }));
  const members = (await Promise.all(lists)).flat().map(({ engine, name }) => ({ engine, name }));
  return [...hosts, ...members];
}

/** The hosts of the ssh configuration of this user that match a pattern with `*` and `?`, and how many are known. */
export function matchHosts(
  pattern: string,
  env: HostVariables,
): { readonly hosts: readonly string[]; readonly known: number } {
  const known = configuredHosts(env);
  return { hosts: known.filter(like(pattern)), known: known.length };
}
