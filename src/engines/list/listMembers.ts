import type { EngineQuery, HostVariables, Member } from '../../core/index.js';

/** A member as its engine lists it. */
export interface ListedMember extends Member {
  /** Only a running one can be reached. */
  readonly state: 'running' | 'waiting' | 'ended';
  /** The engine's own few words about it: `OOMKilled`, `Priority, third in the queue`, `2 h left`. */
  readonly detail?: string | undefined;
}

export interface MemberList {
  readonly members: readonly ListedMember[];
  /** How many more there are. */
  readonly leftOut: number;
}

/**
 * Lists the members of an engine through its own program.
 *
 * @throws Error with the last line of the program, or that it is not installed.
 */
export function listMembers(
  _query: EngineQuery,
  _options: { readonly env: HostVariables; readonly signal: AbortSignal },
): Promise<MemberList> {
  return Promise.resolve({ members: [], leftOut: 0 });
}
