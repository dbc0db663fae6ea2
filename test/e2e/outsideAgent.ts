import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { makeClient } from '../mcp/clients.js';
import type { Base } from '../rig/base.js';
import { ownServer } from '../support/execServer.js';

/**
 * Lets an agent of another program, through `exec-server mcp` in the directory `cwd`, do something. Its program ends
 * then, and what the agent has started stays.
 */
export async function asAgentOutside(
  { env }: Base,
  cwd: string,
  act: (agent: Client) => Promise<void>,
): Promise<void> {
  const agent = makeClient('Outsider', 'legacy');
  await agent.connect(
    new StdioClientTransport({ command: process.execPath, args: [ownServer, 'mcp'], env: { ...env }, cwd }),
  );
  try {
    await act(agent);
  } finally {
    await agent.close();
  }
}
