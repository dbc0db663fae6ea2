import type { CallToolResult } from '@modelcontextprotocol/server';

import type { ToolReply } from '../agent/index.js';
import { wellFormed } from './cleanText.js';

/** The key in `_meta` with the facts of a reply, for programs. */
const FACTS_META_KEY = 'exec-sessions/facts';

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
