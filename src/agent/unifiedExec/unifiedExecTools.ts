import * as z from 'zod/mini';
import { en } from 'zod/v4/locales';

import { messageOf } from '../../core/index.js';
import type { AgentTools, ToolCaller, ToolReply } from '../tool.js';
import { unifiedExecDefinition, type UnifiedExecDefinition } from './definition.js';
import { UnifiedExecError } from './errors.js';
import { UnifiedExecManager, type UnifiedExecOptions } from './unifiedExecManager.js';

/** The single tool of the compatible mode, as a set of tools. */
export interface UnifiedExecTools extends Omit<AgentTools, 'definitions' | 'dispose'> {
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
