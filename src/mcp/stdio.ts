import type { Readable, Writable } from 'node:stream';

import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

import { type Clock, systemClock } from '../core/index.js';
import { createAgentServer, type ServedTools } from './agentServer.js';
import { logLine } from './cleanText.js';

export interface McpStdioOptions {
  readonly tools: ServedTools;
  /** Of the program, for clients to show. */
  readonly version: string;
  readonly input: Readable;
  readonly output: Writable;
  readonly clock?: Clock | undefined;
  /** What went wrong, a line each. */
  readonly log?: ((line: string) => void) | undefined;
}

/**
 * Serves one client, until its input ends or it reads no more. Calls that wait are cancelled then. The tools and their
 * processes stay.
 */
export async function serveMcpOverStdio(options: McpStdioOptions): Promise<void> {
  const { tools, version, input, output, clock = systemClock, log = () => undefined } = options;
  const transport = new EndingTransport(input, output);
  const handle = serveStdio(() => createAgentServer({ tools, version, clock, log }), {
    transport,
    onerror: (error) => log(logLine(error)),
  });
  await transport.ended;
  await handle.close();
}

/** A transport that says when it has ended: whoever uses it has taken the usual place to hear of that. */
class EndingTransport extends StdioServerTransport {
  #end: () => void = () => undefined;
  readonly ended = new Promise<void>((resolve) => (this.#end = resolve));

  override async close(): Promise<void> {
    await super.close();
    this.#end();
  }
}
