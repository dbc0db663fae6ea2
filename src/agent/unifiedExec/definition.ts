import type { ToolDefinition } from '../tool.js';

/** The duration of a request that names none, in milliseconds. */
export const DEFAULT_TIMEOUT_MS = 1_000;
/** The longest duration of a request, in milliseconds. */
export const MAX_TIMEOUT_MS = 60_000;

/** The compatible mode's only tool. */
export type UnifiedExecDefinition = Omit<ToolDefinition, 'name'> & { readonly name: 'unified_exec' };

export const unifiedExecDefinition: UnifiedExecDefinition = {
  name: 'unified_exec',
  title: 'Run a Command in a Session',
  description:
    'Starts a command on a terminal, or writes to one that was started before. Without session_id, input_chunks is the program and its arguments; no shell touches them (use ["bash", "-c", "..."] for one). With session_id, input_chunks is joined by one space each and typed into the terminal; end a line with \\n; an empty list only collects output. ' +
    'Every call lasts for the whole of timeout_ms, even if the command finishes before, and answers with JSON: {"session_id": number or null, "output": string}. session_id is null once the command has finished; how it ended is not told. Do not use it to read files or to wait for longer than a minute at a time.',
  inputSchema: {
    type: 'object',
    properties: {
      session_id: {
        type: ['integer', 'null'],
        minimum: 0,
        description: 'The session to write to. Leave it out to start a command.',
      },
      input_chunks: {
        type: 'array',
        items: { type: 'string' },
        description: 'The program and its arguments, or what to type.',
      },
      timeout_ms: {
        type: ['integer', 'null'],
        minimum: 0,
        default: DEFAULT_TIMEOUT_MS,
        description: `How long to collect output, in milliseconds; at most ${MAX_TIMEOUT_MS}.`,
      },
    },
    required: ['input_chunks'],
    additionalProperties: false,
  },
  readOnly: false,
};
