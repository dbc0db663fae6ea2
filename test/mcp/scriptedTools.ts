import assert from 'node:assert/strict';

import type { ToolCaller, ToolReply } from '../../src/agent/tool.js';
import type { ServedTools } from '../../src/mcp/agentServer.js';
import { until } from '../support/until.js';

/** A call that a client has made, and that the test answers. */
export interface ScriptedCall {
  readonly name: string;
  readonly input: unknown;
  readonly caller: ToolCaller;
  reply(reply: Partial<ToolReply>): void;
}

/** Two tools that do as the test says. */
export class ScriptedTools implements ServedTools {
  readonly calls: ScriptedCall[] = [];

  readonly definitions: ServedTools['definitions'] = [
    {
      name: 'look',
      title: 'Look',
      description: 'Looks.',
      inputSchema: { type: 'object', properties: { far: { type: 'boolean' } }, additionalProperties: false },
      readOnly: true,
    },
    {
      name: 'act',
      title: 'Act',
      description: 'Acts.',
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      readOnly: false,
    },
  ];

  readonly call: ServedTools['call'] = (name, input, caller) =>
    new Promise((resolve) => {
      const reply = (some: Partial<ToolReply>) =>
        resolve({ text: '', structured: {}, isError: false, ...some });
      this.calls.push({ name, input, caller, reply });
    });

  /** The next call, once there is one. */
  async nextCall(): Promise<ScriptedCall> {
    await until(() => this.calls.length > 0);
    return this.calls.shift() ?? assert.fail();
  }
}
