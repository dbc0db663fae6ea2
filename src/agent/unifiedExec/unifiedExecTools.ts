import * as z from 'zod/mini';
import { en } from 'zod/v4/locales';

import { messageOf } from '../../core/index.js';
import type { AgentTools, ToolCaller, ToolDefinition, ToolReply } from '../tool.js';
import { UnifiedExecError } from './errors.js';
import {
  DEFAULT_TIMEOUT_MS,
  MAX_TIMEOUT_MS,
  UnifiedExecManager,
  type UnifiedExecOptions,
} from './unifiedExecManager.js';

/** The compatible mode's only tool. */
type UnifiedExecDefinition = Omit<ToolDefinition, 'name'> & { readonly name: 'unified_exec' };

const unifiedExecDefinition: UnifiedExecDefinition = {
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

/** The single tool of the compatible mode, as a set of tools. */
interface UnifiedExecTools extends Omit<AgentTools, 'definitions' | 'dispose'> {
  readonly definitions: readonly UnifiedExecDefinition[];
  /**
   * Ends every process, as the reference does. Never rejects: a process that cannot be reached cannot be ended either.
   */
  dispose(): Promise<void>;
}

const wholeNumber = z.number().check(
  z.nonnegative(),
  z.refine((value) => Number.isInteger(value), { error: 'Expected a whole number' }),
);

const inputSchema = z.strictObject({
  session_id: z.nullish(wholeNumber),
  input_chunks: z.array(z.string()),
  timeout_ms: z.nullish(wholeNumber),
});

/** Makes the tools. Each of these objects numbers its sessions from 0, for all of its callers together. */
export function unifiedExecTools(options: UnifiedExecOptions): UnifiedExecTools {
  const manager = new UnifiedExecManager(options);
  return {
    definitions: [unifiedExecDefinition],
    call: (name, input, caller) =>
      name === unifiedExecDefinition.name
        ? call(manager, input, caller)
        : Promise.resolve(refusal(`There is no tool ${name}, only ${unifiedExecDefinition.name}.`)),
    dispose: () => manager.dispose().catch(() => undefined),
  };
}

async function call(manager: UnifiedExecManager, input: unknown, caller: ToolCaller): Promise<ToolReply> {
  const checked = inputSchema.safeParse(input, { error: en().localeError });
  if (!checked.success) {
    return refusal(`The input is wrong.\n${z.prettifyError(checked.error)}`);
  }
  const { session_id, input_chunks, timeout_ms } = checked.data;
  try {
    const { sessionId = null, output } = await manager.handle({
      sessionId: session_id ?? undefined,
      inputChunks: input_chunks,
      timeoutMs: timeout_ms ?? undefined,
      signal: caller.signal,
      agent: caller.agent.name,
    });
    const structured = { session_id: sessionId };
    return { text: JSON.stringify({ ...structured, output }), structured, isError: false };
  } catch (error) {
    return refusal(textOf(error), error instanceof UnifiedExecError ? { error: error.failure } : {});
  }
}

/** Adds the cause to the message of a failed write, because the message does not contain it. */
function textOf(error: unknown): string {
  return error instanceof UnifiedExecError && error.failure === 'writeToStdin'
    ? `${error.message}: ${messageOf(error.cause)}`
    : messageOf(error);
}

function refusal(text: string, structured: ToolReply['structured'] = {}): ToolReply {
  return { text, structured, isError: true };
}
