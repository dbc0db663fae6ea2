import type { HostVariables } from '../envPolicy.js';
import { shellName } from '../launch/command.js';

/** An agent whose own commands can be recognised. */
export interface AgentProgram {
  /** Also the name of its program. */
  readonly id: string;
  readonly name: string;
  /** Its package of npm. */
  readonly package?: string;
  /** The variable that its commands inherit. */
  readonly mark?: string;
  /** Whether the value of {@link mark} identifies the conversation. */
  readonly markIsConversation?: boolean;
}

/** The agents that are looked for. The marks are those of their versions of November 2026. */
export const AGENT_PROGRAMS: readonly AgentProgram[] = [
  {
    id: 'claude',
    name: 'Claude Code',
    package: '@anthropic-ai/claude-code',
    mark: 'CLAUDE_CODE_SESSION_ID',
    markIsConversation: true,
  },
  { id: 'codex', name: 'Codex', package: '@openai/codex', mark: 'CODEX_THREAD_ID', markIsConversation: true },
  { id: 'gemini', name: 'Gemini CLI', package: '@google/gemini-cli', mark: 'GEMINI_CLI' },
  {
    id: 'copilot',
    name: 'Copilot CLI',
    package: '@github/copilot',
    mark: 'COPILOT_AGENT_SESSION_ID',
    markIsConversation: true,
  },
  { id: 'opencode', name: 'opencode', package: 'opencode-ai', mark: 'OPENCODE_PID' },
  {
    id: 'qwen',
    name: 'Qwen Code',
    package: '@qwen-code/qwen-code',
    mark: 'QWEN_CODE_SESSION_ID',
    markIsConversation: true,
  },
  { id: 'cursor-agent', name: 'Cursor Agent' },
];

/** Variables that tell programs that an agent runs them. */
const TELLING = [
  'AI_AGENT',
  'CLAUDECODE',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_PID',
  'CODEX_SESSION_ID',
  'CODEX_TOOL_CALL_ID',
  'COPILOT_CLI',
  'OPENCODE',
  'QWEN_CODE',
  'QWEN_CODE_AGENT_ID',
];
const AGENT_VARIABLES: ReadonlySet<string> = new Set([
  ...AGENT_PROGRAMS.flatMap(({ mark }) => mark ?? []),
  ...TELLING,
]);

/** The variables for a program that serves more than the agent that starts it. */
export function withoutAgentMarks(env: HostVariables): HostVariables {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !AGENT_VARIABLES.has(name)));
}

const RUNTIME = /^(?:node|nodejs|bun|deno)$/;
/** Subcommands that serve other programs. */
const SERVES: ReadonlySet<string> = new Set(['mcp', 'exec-server']);

/** The program that a command line runs: the name of its file, or for Node and the like that of its script. */
export function programOf([file = '', ...args]: readonly string[]): {
  readonly name: string;
  readonly script: string | undefined;
  /** The words after it that are no options. */
  readonly words: readonly string[];
} {
  const words = args.filter((argument) => !argument.startsWith('-'));
  const script = RUNTIME.test(shellName(file)) ? words.shift() : undefined;
  return { name: shellName(script ?? file).replace(/^-|\.[cm]?js$/g, ''), script, words };
}

/** The id of the agent that a command line starts. */
export function agentOf(argv: readonly string[]): string | undefined {
  const { name, script, words } = programOf(argv);
  return SERVES.has(words[0] ?? '')
    ? undefined
    : AGENT_PROGRAMS.find(
        (agent) =>
          agent.id === name || (agent.package !== undefined && script?.includes(`/${agent.package}/`)),
      )?.id;
}

/** The name of an agent by its id; the id itself for an unknown one. */
export function agentName(id: string): string {
  return AGENT_PROGRAMS.find((agent) => agent.id === id)?.name ?? id;
}
