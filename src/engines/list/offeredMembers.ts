import type { HostVariables, Member } from '../../core/index.js';

/**
 * The members that can be offered without asking: the hosts of the ssh configuration, running containers and pods. A
 * program that is missing or does not answer soon offers nothing.
 */
export function offeredMembers(_options: {
  readonly env: HostVariables;
  readonly signal: AbortSignal;
}): Promise<readonly Member[]> {
  return Promise.resolve([]);
}

/** The hosts of the ssh configuration of this user that match a pattern with `*` and `?`, and how many are known. */
export function matchHosts(
  _pattern: string,
  _env: HostVariables,
): { readonly hosts: readonly string[]; readonly known: number } {
  return { hosts: [], known: 0 };
}
