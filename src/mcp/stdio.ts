import type { Readable, Writable } from 'node:stream';

import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

import { type Clock, deferred, systemClock } from '../core/index.js';
import { createAgentServer, type ServedTools } from './agentServer.js';
import { logLine } from './cleanText.js';
import { OneClient } from './clients.js';

export interface McpStdioOptions {
  readonly tools: ServedTools;
  /** The version of the program, for clients to show. */
  readonly version: string;
  readonly input: Readable;
  readonly output: Writable;
  readonly clock?: Clock | undefined;
  /** Gets the errors, one line each. */
  readonly log?: ((line: string) => void) | undefined;
}

/**
 * Serves one client until its input ends or it no longer reads. Waiting calls are cancelled then. The tools and their
 * processes stay.
 */
export async function serveMcpOverStdio(options: McpStdioOptions): Promise<void> {
  const { tools, version, input, output, clock = systemClock, log = () => undefined } = options;
  const transport = new EndingTransport(input, output);
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

/** A transport that reports its end: its user, the SDK, has taken the usual callback for that. */
class EndingTransport extends StdioServerTransport {
  readonly #end = deferred();
  readonly ended = this.#end.promise;

  override async close(): Promise<void> {
    await super.close();
    this.#end.resolve();
  }
}
