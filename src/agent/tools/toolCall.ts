import type { Clock } from '../../core/index.js';

import type { AgentHost } from '../host.js';
import type { PastSessions } from '../session/pastSessions.js';
import type { Patterns } from '../text/index.js';
import type { AgentSessions } from '../session/agentSessions.js';
import type { KnownAgent } from '../session/agents.js';

/** The objects that every tool works with. */
export interface ToolContext {
  readonly host: AgentHost;
  readonly sessions: AgentSessions;
  readonly clock: Clock;
  readonly patterns: Patterns;
  /** Sessions that are in no list any more. */
  readonly past: PastSessions;
  readonly leftByOthers: () => Promise<readonly LeftProcess[]>;
}

/** A process that runs on without the program whose session started it. */
export interface LeftProcess {
  readonly pid: number;
  readonly command: string;
}

/** One call of a tool. */
export interface ToolCall {
  readonly agent: KnownAgent;
  /** Ends the call, never the process. */
  readonly signal: AbortSignal;
  readonly progress: ((message: string) => void) | undefined;
  /** By the clock of the tools. */
  readonly startedAt: number;
  /** How long its caller waits for an answer, in milliseconds. */
  readonly longestMs: number;
  /** Whether a longer wait goes on without it. */
  readonly mayGoOn: boolean;
}
