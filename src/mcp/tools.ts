import type { AgentTools, ToolDefinition } from '../agent/index.js';

/** What is served: the tools of agents, or others of the same kind. */
export interface ServedTools {
  readonly definitions: readonly (Omit<ToolDefinition, 'name'> & { readonly name: string })[];
  readonly call: AgentTools['call'];
}

/** For models, once for all tools. Empty if these are not the tools that it is about. */
export function instructionsFor({ definitions }: ServedTools): string | undefined {
  if (!definitions.some(({ name }) => name === 'exec_command')) {
    return undefined;
  }
  return `Run commands in sessions that outlive the call. People may see the same sessions, type into them and take them over.
- exec_command starts one and answers when it ends, or after yield_time_ms with its session number while it goes on.
- wait_for waits for what you need (the exit, a line of output, a port, quiet). Prefer it to polling and to sleep.
- read_output gives what is new, an earlier part (cursor), matching lines (search), or the screen of a terminal program.
- write_stdin types into a session that was started with tty or stdin. Never type secrets, and never ask for them in chat: when a program waits for one, a person types it.
- stop_session ends what you no longer need; list_sessions finds your sessions again.
Start servers and watchers this way and leave them running. Do not kill processes by name.`;
}
