import type { Member } from '../../core/index.js';

/** A member as its engine lists it. */
export interface ListedMember extends Member {
  /** Only a running one can be reached. */
  readonly state: 'running' | 'waiting' | 'ended';
  /** The engine's own few words about it, such as `OOMKilled, exit code 137`, or the time that is left. */
  readonly detail?: string | undefined;
}
