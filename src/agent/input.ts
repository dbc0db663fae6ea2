import * as z from 'zod/mini';

import { SIGNAL_NAMES, TOOL_LIMITS } from './definitions.js';
import type { ToolName } from './tool.js';

/**
 * The inputs of the tools as the code takes them. They say the same as the JSON Schemas of `definitions.ts`, which a
 * unit test compares. There are both, so that listing the tools loads nothing.
 */

const { yieldMs, waitMs, outputTokens } = TOOL_LIMITS;

const session = z.int().check(z.minimum(1));
const text = z.string().check(z.minLength(1));
const flag = z._default(z.boolean(), false);
const cursor = z.string().check(z.regex(/^\d{1,15}(\+\d{1,15})?$/));
const expression = z.string().check(z.minLength(1), z.maxLength(1000));
const maxOutputTokens = z._default(
  z.int().check(z.minimum(outputTokens.min), z.maximum(outputTokens.max)),
  outputTokens.default,
);

function yieldTime(defaultMs: number) {
  return z._default(z.int().check(z.minimum(0), z.maximum(yieldMs.max)), defaultMs);
}

export const inputSchemas = {
  exec_command: z.strictObject({
    cmd: z.optional(text),
    argv: z.optional(z.array(z.string()).check(z.minLength(1))),
    workdir: z.optional(text),
    tty: flag,
    stdin: flag,
    yield_time_ms: yieldTime(yieldMs.exec),
    max_output_tokens: maxOutputTokens,
    environment: z.optional(text),
    title: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  }),
  write_stdin: z.strictObject({
    session,
    chars: z._default(z.string(), ''),
    yield_time_ms: yieldTime(yieldMs.write),
    max_output_tokens: maxOutputTokens,
    close: flag,
  }),
  read_output: z.strictObject({
    session,
    cursor: z.optional(cursor),
    max_output_tokens: maxOutputTokens,
    mode: z._default(z.enum(['plain', 'screen']), 'plain'),
    search: z.optional(expression),
    ignore_case: flag,
  }),
  wait_for: z.strictObject({
    session,
    exit: flag,
    closed: flag,
    pattern: z.optional(expression),
    ignore_case: flag,
    port: z.optional(z.int().check(z.minimum(1), z.maximum(65_535))),
    quiet_ms: z.optional(z.int().check(z.minimum(1), z.maximum(waitMs.max))),
    from: z.optional(cursor),
    timeout_ms: z._default(z.int().check(z.minimum(0), z.maximum(waitMs.max)), waitMs.default),
    max_output_tokens: maxOutputTokens,
  }),
  list_sessions: z.strictObject({ all: flag }),
  stop_session: z.strictObject({ session, force: flag }),
  send_signal: z.strictObject({ session, signal: z.enum(SIGNAL_NAMES) }),
} as const satisfies Readonly<Record<ToolName, z.ZodMiniType>>;

/** The input of a tool, checked and with the defaults filled in. */
export type ToolInput<N extends ToolName> = z.infer<(typeof inputSchemas)[N]>;

export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(inputSchemas, name);
}
