import type { Implementation, ServerCapabilities, Tool } from '@modelcontextprotocol/server';

import type { ToolDefinition } from '../agent/index.js';
import { LONGEST_REPLY_CHARACTERS } from './limits.js';

/** A tool as it is served: one of the agents' own, or another of the same kind. */
export type ServedDefinition = Omit<ToolDefinition, 'name'> & { readonly name: string };

/** The description that this server gives of itself, the same for every client. Nothing here loads the SDK. */
interface Introduction {
  readonly serverInfo: Implementation;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string | undefined;
  readonly tools: readonly Tool[];
}

/** The name that clients show and put before the names of the tools. */
const SERVER_NAME = 'exec-sessions';

/** Requests to Claude Code: to show the tools to its model without a search, and a long reply unchanged. */
const CLIENT_HINTS = {
  'anthropic/alwaysLoad': true,
  'anthropic/maxResultSizeChars': LONGEST_REPLY_CHARACTERS,
};

/** @param version The version of the program, for clients to show. */
export function introduce(definitions: readonly ServedDefinition[], version: string): Introduction {
  return {
    serverInfo: { name: SERVER_NAME, title: 'Exec Sessions', version },
    capabilities: { tools: { listChanged: false } },
    instructions: instructionsFor({ definitions }),
    tools: definitions.map(toolOf),
  };
}

/** Instructions for models, once for all tools; undefined if these are other tools. */
export function instructionsFor({
  definitions,
}: {
  readonly definitions: readonly ServedDefinition[];
}): string | undefined {
  if (!definitions.some(({ name }) => name === 'exec_command')) {
    return undefined;
  }
  return `Runs commands as sessions that go on in the background. Prefer it to your own shell tool for commands that run long or never end (servers, watchers, builds). Prefer it for commands that ask questions (REPLs, prompts, ssh), programs that draw on a terminal, and commands to stop with all they started.
People may see the same sessions, type into them and take them over.
- exec_command starts one and answers when it ends, or after yield_time_ms with its session number while it goes on.
- wait_for waits for what you need (the end, a line of output, a port, quiet). Prefer it to polling and to sleep.
- read_output gives what is new, the end (tail), an earlier part (cursor), matching lines (search), or the screen of a terminal program.
- write_stdin types into a session that was started with tty or stdin. Never type secrets, and never ask for them in chat: when a program waits for one, a person types it.
- stop_session ends what you no longer need; list_sessions finds your sessions again.
Start servers and watchers this way and leave them running. Do not kill processes by name.`;
}

function toolOf({ name, title, description, inputSchema, readOnly }: ServedDefinition): Tool {
  return {
    name,
    title,
    description,
    inputSchema: { ...inputSchema, type: 'object' },
    annotations: { title, readOnlyHint: readOnly, destructiveHint: !readOnly, openWorldHint: !readOnly },
    _meta: CLIENT_HINTS,
  };
}
