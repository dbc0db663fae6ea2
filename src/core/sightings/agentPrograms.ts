import type { HostVariables } from '../envPolicy.js';

/** An agent whose own commands can be recognised. */
export interface AgentProgram {
  /** Also the name of its program. */
  readonly id: string;
  readonly name: string;
  /** The variable that its commands inherit. It may identify the conversation. */
  readonly mark?: string;
}

/** The agents that are looked for. The marks are those of their versions of November 2026. */
export const AGENT_PROGRAMS: readonly AgentProgram[] = [
  { id: 'claude', name: 'Claude Code', mark: 'CLAUDE_CODE_SESSION_ID' },
  { id: 'codex', name: 'Codex', mark: 'CODEX_THREAD_ID' },
  { id: 'gemini', name: 'Gemini CLI', mark: 'GEMINI_CLI' },
  { id: 'copilot', name: 'Copilot CLI', mark: 'COPILOT_AGENT_SESSION_ID' },
  { id: 'opencode', name: 'opencode', mark: 'OPENCODE_PID' },
  { id: 'qwen', name: 'Qwen Code', mark: 'QWEN_CODE_SESSION_ID' },
  { id: 'cursor-agent', name: 'Cursor Agent' },
];

/** The variables by which a program knows that an agent runs it. */
const TELLING =
  /^(?:AI_AGENT|CLAUDECODE|CLAUDE_(?:PID|CODE_(?:SESSION_ID|CHILD_SESSION|ENTRYPOINT))|CODEX_(?:THREAD|SESSION|TOOL_CALL)_ID|COPILOT_(?:CLI|AGENT_SESSION_ID)|GEMINI_CLI|OPENCODE(?:_PID)?|QWEN_CODE(?:_(?:SESSION|AGENT)_ID)?)$/;

/** The variables for a program that serves more than the agent that starts it. */
export function withoutAgentMarks(env: HostVariables): HostVariables {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !TELLING.test(name)));
}

/** The name of an agent by its id; the id itself for an unknown one. */
export function agentName(id: string): string {
  return AGENT_PROGRAMS.find((agent) => agent.id === id)?.name ?? id;
}
