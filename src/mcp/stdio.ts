import type { Readable, Writable } from 'node:stream';

import { serveStdio } from '@modelcontextprotocol/server/stdio';

import { type Clock, systemClock } from '../core/index.js';
import { createAgentServer, type ServedTools } from './agentServer.js';
import { logLine } from './cleanText.js';
import { OneClient } from './clients.js';
import type { Greeting } from './greeting.js';
import { StdioTransport } from './stdioTransport.js';

export interface McpStdioOptions {
  readonly tools: ServedTools;
  /** The version of the program, for clients to show. */
  readonly version: string;
  readonly input: Readable;
  readonly output: Writable;
  /** The messages that the client has already got, for the same tools and the same version. */
  readonly greeting?: Greeting | undefined;
  readonly clock?: Clock | undefined;
  /** Gets the errors, one line each. */
  readonly log?: ((line: string) => void) | undefined;
}

/**
 * Serves one client until its input ends or it no longer reads. Waiting calls are then cancelled. The tools and their
 * processes stay.
 */
export async function serveMcpOverStdio(options: McpStdioOptions): Promise<void> {
  const { tools, version, input, output, greeting, clock = systemClock, log = () => undefined } = options;
  const transport = new StdioTransport(input, output, greeting);
  const client = new OneClient();
  const agent = (name: string) => client.agent(name);
  const handle = serveStdio(() => createAgentServer({ tools, version, clock, log }, { agent }), {
    transport,
    onerror: (error) => log(logLine(error)),
  });
  await transport.ended;
  client.leave();
  await handle.close();
}
