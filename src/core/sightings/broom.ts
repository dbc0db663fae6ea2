import { agentName } from './agentPrograms.js';
import type { Sighting } from './sighting.js';

/**
 * The reason why a process is not ended unasked: a mark alone names its agent, or others use it too. A process that has
 * detached itself may be meant to go on.
 */
export type Spared = 'claimed' | 'shared' | 'detached';

type Known = Pick<Sighting, 'pid' | 'startTime' | 'command' | 'cwd' | 'startedAt' | 'memoryBytes' | 'ports'>;

/** A process that has outlived its session or its agent, with everything below it. */
export interface Forgotten extends Known {
  /** The names of agents; several if only their marks tell. */
  readonly agents: readonly string[];
  readonly conversation?: string | undefined;
  /** The title or command line of its session. */
  readonly session?: string | undefined;
  readonly spared?: Spared | undefined;
}

/** The forgotten processes that are meant. Absent members mean all. */
export interface BroomFilter {
  /** The id of an agent. */
  readonly agent?: string | undefined;
  readonly conversation?: string | undefined;
  /** The shortest age, in milliseconds. */
  readonly older?: number | undefined;
  /** The least memory, in bytes. */
  readonly memory?: number | undefined;
  /** The absolute path of a folder, which covers those in it. */
  readonly folder?: string | undefined;
  readonly port?: number | undefined;
}

/** The commands and helpers of agents that have ended, and those that have only the mark of one. */
export function forgottenOf(sightings: readonly Sighting[]): readonly Forgotten[] {
  return sightings.flatMap(({ kind, owner, end, shared, detached, ...seen }) => {
    if (kind === 'agent' || owner === undefined || owner.pid !== undefined || end !== undefined) {
      return [];
    }
    const { pid, startTime, command, cwd, startedAt, memoryBytes, ports } = seen;
    const { claimed, conversation } = owner;
    const spared = claimed ? 'claimed' : shared ? 'shared' : detached ? 'detached' : undefined;
    const known = { pid, startTime, command, cwd, startedAt, memoryBytes, ports };
    return [{ ...known, agents: owner.agents.map(agentName), conversation, spared }];
  });
}

/** @param now In milliseconds since 1970. */
export function isMeant(process: Forgotten, filter: BroomFilter, now: number): boolean {
  const { agent, conversation, older = 0, memory = 0, folder, port } = filter;
  const { cwd = '', startedAt = now, memoryBytes = 0, ports = [] } = process;
  return (
    (agent === undefined || process.agents.some((name) => plain(name) === plain(agentName(agent)))) &&
    (conversation === undefined || process.conversation === conversation) &&
    now - startedAt >= older &&
    memoryBytes >= memory &&
    (folder === undefined || `${cwd}/`.startsWith(folder.replace(/\/?$/, '/'))) &&
    (port === undefined || ports.includes(port))
  );
}

/** Agents spell their names in several ways: `claude-code`, `Claude Code`. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll('-', ' ');
}
