import type { Readable, Writable } from 'node:stream';

import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

import { deferred, systemClock, TasksInMemory } from '../core/index.js';
import { createAgentServer } from './agentServer.js';
import { withoutBatches } from './batches.js';
import { logLine } from './cleanText.js';
import { OneClient } from './clients.js';
import type { Greeting } from './greeting.js';
import type { McpHttpOptions } from './http.js';
import type { RequestId } from './openingMessage.js';
import { Tasks } from './tasks.js';

interface McpStdioOptions extends Pick<McpHttpOptions, 'tools' | 'version' | 'taskStore' | 'clock' | 'log'> {
  readonly input: Readable;
  readonly output: Writable;
  /** The messages that the client has already got, for the same tools and the same version. */
  readonly greeting?: Greeting | undefined;
}

/**
 * Serves one client until its input ends or it no longer reads. Waiting calls are then cancelled. The tools and their
 * processes stay.
 */
export async function serveMcpOverStdio(options: McpStdioOptions): Promise<void> {
  const { tools, version, input, output, greeting, clock = systemClock, log = () => undefined } = options;
  const tasks = new Tasks({ tools, store: options.taskStore ?? new TasksInMemory(), clock, log });
  const transport = new StdioTransport(input, output, greeting);
  const client = new OneClient();
  const agent = (name: string) => client.agent(name);
  const handle = serveStdio(
    ({ era }) =>
      createAgentServer({ tools, version, clock, log }, { agent, ...(era === 'modern' && { tasks }) }),
    { transport, onerror: (error) => log(logLine(error)) },
  );
  await transport.ended;
  tasks.dispose();
  client.leave();
  await handle.close();
}

/**
 * A transport that reports its end itself: its user, the SDK, occupies the usual callback. After a greeting it first
 * repeats the handshake to the SDK, and reads on when the SDK has answered; the client already has that answer.
 */
class StdioTransport extends StdioServerTransport {
  readonly #end = deferred();
  readonly ended = this.#end.promise;
  readonly #greeting: Greeting | undefined;
  /** The request whose answer the client already has. */
  #answered: RequestId | undefined;

  constructor(input: Readable, output: Writable, greeting: Greeting | undefined) {
    super(withoutBatches(input, output), output);
    this.#greeting = greeting;
  }

  override async start(): Promise<void> {
    const initialize = this.#greeting?.initialize;
    if (initialize === undefined) {
      await super.start();
    } else {
      this.#answered = initialize.id;
      this.onmessage?.(initialize);
    }
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    if (this.#answered === undefined) {
      return super.send(message);
    }
    // Only the handshake has been read, so this is its answer.
    this.#answered = undefined;
    if (this.#greeting?.initialized === true) {
      this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/initialized' });
    }
    return super.start();
  }

  override async close(): Promise<void> {
    await super.close();
    this.#end.resolve();
  }
}
