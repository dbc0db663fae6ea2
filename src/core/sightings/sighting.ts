import type { ProcessIdentity } from '../process/processIdentity.js';
import { agentName } from './agentPrograms.js';

/** The agent that a process belongs to which is no session of ours. */
export interface SightingOwner {
  /** The ids of agents. Several if the process carries the marks of several agents, and nothing else tells. */
  readonly agents: readonly string[];
  /** The agent's conversation, if it is known. */
  readonly conversation?: string | undefined;
  /** Whether a mark alone names the agent. Any program can carry one. */
  readonly claimed: boolean;
  /** The number of the agent's process, while it runs. */
  readonly pid?: number | undefined;
}

/**
 * - `agent`: an agent itself.
 * - `command`: a command that an agent runs, with everything below it.
 * - `helper`: a program that an agent needs, such as an MCP server.
 * - `job`: a job in the foreground of a terminal.
 */
export type SightingKind = 'agent' | 'command' | 'helper' | 'job';

/** The end of a process that an agent has handed over. */
export interface SightingEnd {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Undefined if it is unknown. */
  readonly exitCode?: number | undefined;
}

/**
 * A process that is no session of ours, with the processes below it. `pid` and `startTime` are those of the topmost one.
 * Absent fields cannot be read.
 */
export interface Sighting extends ProcessIdentity {
  readonly kind: SightingKind;
  /** Whether its agent has reported it through a door of ours. Otherwise it was only seen. */
  readonly handedOver: boolean;
  /** Its command line as its starter wrote it, cleaned, without secrets and on one line. */
  readonly command: string;
  readonly cwd?: string | undefined;
  /** Milliseconds since 1970. */
  readonly startedAt?: number | undefined;
  /** The number of its POSIX session: in a terminal, that of its shell. */
  readonly sid: number;
  /** The number of its processes. */
  readonly processes: number;
  /** The processor time of all its processes so far, in seconds. */
  readonly cpuSeconds?: number | undefined;
  /** The memory of all its processes, in bytes. */
  readonly memoryBytes?: number | undefined;
  /** The TCP ports at which its processes listen, lowest first. */
  readonly ports?: readonly number[] | undefined;
  /** Undefined for an unknown owner, for a person's job, and for an agent that no other agent has started. */
  readonly owner?: SightingOwner | undefined;
  /** Whether it has left the process tree of its agent or terminal. */
  readonly detached: boolean;
  /** Whether processes of other owners use it or are below it. */
  readonly shared: boolean;
  readonly end?: SightingEnd | undefined;
}

/** A look at the processes of this machine and user that are no sessions of ours. */
export interface SightingSource {
  /**
   * Looks again, at most once a second: calls in between share the last answer.
   *
   * @throws Error if the processes cannot be listed.
   */
  look(): Promise<readonly Sighting[]>;
}

/** The owner in words: `Claude Code`, `Claude Code or Codex`; undefined if it is unknown. */
export function ownerName({ owner }: Pick<Sighting, 'owner'>): string | undefined {
  return owner === undefined || owner.agents.length === 0
    ? undefined
    : owner.agents.map(agentName).join(' or ');
}
