import type { Readable, Writable } from 'node:stream';

import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

import { deferred } from '../core/index.js';
import type { Greeting } from './greeting.js';
import type { RequestId } from './openingMessage.js';

/**
 * A transport that reports its end itself: its user, the SDK, occupies the usual callback. After a greeting it first
 * repeats the handshake to the SDK, and reads on when the SDK has answered; the client already has that answer.
 */
export class StdioTransport extends StdioServerTransport {
  readonly #end = deferred();
  readonly ended = this.#end.promise;
  readonly #input: Readable;
  readonly #greeting: Greeting | undefined;
  /** The request whose answer the client already has. */
  #answered: RequestId | undefined;

  constructor(input: Readable, output: Writable, greeting: Greeting | undefined) {
    super(input, output);
    this.#input = input;
    this.#greeting = greeting;
  }

  override async start(): Promise<void> {
    const initialize = this.#greeting?.initialize;
    if (initialize === undefined) {
      await this.#read();
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
    return this.#read();
  }

  override async close(): Promise<void> {
    await super.close();
    this.#end.resolve();
  }

  async #read(): Promise<void> {
    await super.start();
    // A greeting has paused it.
    this.#input.resume();
  }
}
