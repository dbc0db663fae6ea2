import assert from 'node:assert/strict';

import type { Client, RequestOptions } from '@modelcontextprotocol/client';

import { textOf } from './clients.js';

/** The answer of an agents' tool. */
export interface Reply {
  /** The whole text. */
  readonly text: string;
  readonly isError: boolean;
  /** The number in its line "Session N: …". */
  readonly session: number;
  /** The text of its line "State: …". */
  readonly state: string;
  /** The text after "Output:". */
  readonly output: string;
}

export async function callTool(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  options?: RequestOptions,
): Promise<Reply> {
  const result = await client.callTool({ name, arguments: args }, options);
  const text = textOf(result);
  const part = (pattern: RegExp) => pattern.exec(text)?.[1] ?? assert.fail(`No ${pattern} in: ${text}`);
  return {
    text,
    isError: result.isError ?? false,
    get session() {
      return Number(part(/^Session (\d+): /m));
    },
    get state() {
      return part(/^State: (.*)$/m);
    },
    get output() {
      return part(/^Output:\n([^]*)$/m);
    },
  };
}
