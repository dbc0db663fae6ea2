import type { EngineQuery } from '../../core/index.js';
import { listContainers } from './containers.js';
import { listNodes } from './jobs.js';
import type { ListedMember } from './listedMember.js';
import { listPods } from './pods.js';
import type { RunOptions } from './runProgram.js';
import { listHosts } from './sshHosts.js';

export interface MemberList {
  readonly members: readonly ListedMember[];
  /** How many more there are. */
  readonly leftOut: number;
}

/** The most members that an engine shows. */
const MAX_MEMBERS = 1_000;

/**
 * Lists the members of an engine through its own program.
 *
 * @throws Error with the last line of the program, or that it is not installed.
 */
export async function listMembers(query: EngineQuery, options: RunOptions): Promise<MemberList> {
  const all = await listAll(query, options);
  return { members: all.slice(0, MAX_MEMBERS), leftOut: Math.max(0, all.length - MAX_MEMBERS) };
}

function listAll(query: EngineQuery, options: RunOptions): Promise<readonly ListedMember[]> {
  const members = query.members.trim();
  switch (query.engine) {
    case 'ssh':
      return listHosts(members, options.env);
    case 'docker':
    case 'podman':
      return listContainers(query.engine, members, options);
    case 'kubernetes':
      return listPods({ ...query, members }, options);
    case 'slurm':
      return listNodes(members, options);
  }
}
