import type { CallToolResult } from '@modelcontextprotocol/server';

import type { ToolReply } from '../agent/index.js';
import { wellFormed } from './cleanText.js';

/** The key in `_meta` with the facts of a reply, for programs. */
const FACTS_META_KEY = 'exec-sessions/facts';
/** The key in `_meta` of a task with a text that Claude Code shows its model when the task begins. */
const TASK_META_KEY = 'com.anthropic/agent-task';

/**
 * Makes the result from the text, without sending the facts as `structuredContent`. That would have to say the same as
 * the text. Some clients show the model only that if it is present, and the model would never see any output.
 */
export function resultOf({
  text,
  structured = {},
  isError,
}: Pick<ToolReply, 'text' | 'isError'> & Partial<ToolReply>): CallToolResult {
  return wellFormed({
    content: [{ type: 'text', text }],
    isError,
    _meta: { [FACTS_META_KEY]: structured },
  });
}

/** The answer with which a task begins, with the session and the warnings for the model. */
export function saidMeanwhile(begun: CallToolResult, { text }: Pick<ToolReply, 'text'>): CallToolResult {
  const task = { modelImmediateResponse: wellFormed(text) };
  return { ...begun, _meta: { ...begun._meta, [TASK_META_KEY]: task } };
}
