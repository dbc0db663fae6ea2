/** An agent whose own commands can be recognised. */
export interface AgentProgram {
  /** Also the name of its program. */
  readonly id: string;
  readonly name: string;
  /** The variable that its commands inherit. */
  readonly mark?: string;
  /** Whether the value of {@link mark} identifies the conversation. */
  readonly markIsConversation?: boolean;
}

/** The agents that are looked for. The marks are those of their versions of November 2026. */
export const AGENT_PROGRAMS: readonly AgentProgram[] = [
  { id: 'claude', name: 'Claude Code', mark: 'CLAUDE_CODE_SESSION_ID', markIsConversation: true },
  { id: 'codex', name: 'Codex', mark: 'CODEX_THREAD_ID', markIsConversation: true },
  { id: 'gemini', name: 'Gemini CLI', mark: 'GEMINI_CLI' },
  { id: 'copilot', name: 'Copilot CLI', mark: 'COPILOT_AGENT_SESSION_ID', markIsConversation: true },
  { id: 'opencode', name: 'opencode', mark: 'OPENCODE_PID' },
  { id: 'qwen', name: 'Qwen Code', mark: 'QWEN_CODE' },
  { id: 'cursor-agent', name: 'Cursor Agent' },
];

/** The name of an agent by its id; the id itself for an unknown one. */
export function agentName(id: string): string {
  return AGENT_PROGRAMS.find((agent) => agent.id === id)?.name ?? id;
}
