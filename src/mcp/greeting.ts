import type { Readable, Writable } from 'node:stream';

import { introduce, type ServedDefinition } from './introduction.js';
import {
  type InitializeRequest,
  openingMessage,
  type OpeningMessage,
  type RequestId,
} from './openingMessage.js';

interface GreetingOptions {
  readonly definitions: readonly ServedDefinition[];
  /** The version of the program, for clients to show. */
  readonly version: string;
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * The messages so far when the greeting is over. The input is then paused, and begins with the first unanswered
 * message.
 */
export interface Greeting {
  /** The handshake, if it has been answered. */
  readonly initialize?: InitializeRequest;
  /** Whether the client has confirmed it. */
  readonly initialized: boolean;
}

/** The revisions of the protocol that begin with a handshake. Clients that want another one are offered the first. */
export const HANDSHAKE_VERSIONS = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
] as const;

/** The longest line of a greeting, in bytes. */
const LONGEST_LINE = 16 * 1024;
const NEWLINE = 0x0a;
/** The byte order mark that some clients write before their first message. */
const MARK = Buffer.from('\uFEFF');

/**
 * Answers a client that begins as most do, with `initialize` and `tools/list`, as the SDK would answer. The SDK takes
 * most of the time at the start of this program. A client that only looks at the tools does not need it.
 *
 * @param onAnswer Called once, with the first answer.
 * @returns undefined if the client has gone. Otherwise resolves at the first message that the greeting cannot answer,
 *   which may be the very first.
 */
export function greet(options: GreetingOptions, onAnswer: () => void): Promise<Greeting | undefined> {
  return new Promise((resolve) => new Greeter(options, onAnswer, resolve).begin());
}

class Greeter {
  readonly #options: GreetingOptions;
  readonly #onAnswer: () => void;
  readonly #over: (greeting: Greeting | undefined) => void;
  #rest: Buffer = Buffer.alloc(0);
  #initialize: InitializeRequest | undefined;
  #initialized = false;

  constructor(
    options: GreetingOptions,
    onAnswer: () => void,
    over: (greeting: Greeting | undefined) => void,
  ) {
    this.#options = options;
    this.#onAnswer = onAnswer;
    this.#over = over;
  }

  begin(): void {
    const { input, output } = this.#options;
    if (input.destroyed || input.readableEnded) {
      this.#over(undefined);
      return;
    }
    input.on('data', this.#read);
    for (const event of ['end', 'close', 'error'] as const) {
      input.on(event, this.#leave);
    }
    output.on('error', this.#leave);
  }

  readonly #read = (bytes: Buffer): void => {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    if (this.#initialize === undefined && this.#rest.subarray(0, MARK.length).equals(MARK)) {
      this.#rest = this.#rest.subarray(MARK.length);
    }
    let end = this.#rest.indexOf(NEWLINE);
    while (end !== -1 && this.#answer(this.#rest.toString('utf8', 0, end).replace(/\r$/, ''))) {
      this.#rest = this.#rest.subarray(end + 1);
      end = this.#rest.indexOf(NEWLINE);
    }
    if (end !== -1 || this.#rest.length > LONGEST_LINE) {
      this.#handOver();
    }
  };

  readonly #leave = (): void => {
    this.#stop();
    this.#over(undefined);
  };

  #handOver(): void {
    const { input } = this.#options;
    this.#stop();
    input.pause();
    input.unshift(this.#rest);
    this.#over({
      ...(this.#initialize !== undefined && { initialize: this.#initialize }),
      initialized: this.#initialized,
    });
  }

  #stop(): void {
    const { input, output } = this.#options;
    input.off('data', this.#read);
    for (const event of ['end', 'close', 'error'] as const) {
      input.off(event, this.#leave);
    }
    output.off('error', this.#leave);
  }

  /** @returns whether the message was handled. */
  #answer(line: string): boolean {
    const message: OpeningMessage = line.length > LONGEST_LINE ? { kind: 'other' } : openingMessage(line);
    if (this.#initialize === undefined) {
      return message.kind === 'initialize' && this.#begun(message.request);
    }
    switch (message.kind) {
      case 'initialized':
        if (this.#initialized) {
          return false;
        }
        this.#initialized = true;
        return true;
      case 'ping':
        return this.#say(message.id, {});
      case 'list':
        return this.#say(message.id, { tools: this.#introduction.tools });
      case 'initialize':
      case 'other':
        return false;
    }
  }

  #begun(request: InitializeRequest): true {
    this.#initialize = request;
    const { serverInfo, capabilities, instructions } = this.#introduction;
    const wanted = request.params.protocolVersion;
    this.#say(request.id, {
      protocolVersion: HANDSHAKE_VERSIONS.find((version) => version === wanted) ?? HANDSHAKE_VERSIONS[0],
      capabilities,
      serverInfo,
      ...(instructions !== undefined && { instructions }),
    });
    this.#onAnswer();
    return true;
  }

  get #introduction(): ReturnType<typeof introduce> {
    return introduce(this.#options.definitions, this.#options.version);
  }

  #say(id: RequestId, result: object): true {
    this.#options.output.write(`${JSON.stringify({ result, jsonrpc: '2.0', id })}\n`);
    return true;
  }
}
