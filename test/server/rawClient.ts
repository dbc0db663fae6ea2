import assert from 'node:assert/strict';

import type { Transport } from '../../src/protocol/index.js';

export interface RawAnswer {
  readonly id: unknown;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface RawNotification {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

/** A client that sends what a test wants, right or wrong, and keeps all messages it gets. */
export class RawClient {
  readonly transport: Transport;
  /** All messages so far, answers and notifications, in the order of their arrival. */
  readonly heard: (RawAnswer | RawNotification)[] = [];
  /** Resolves with the reason for the end of the connection. */
  readonly ended: Promise<string>;
  readonly #waiting = new Set<() => void>();
  #lastId = 0;

  constructor(transport: Transport) {
    this.transport = transport;
    transport.onMessage = (text) => {
      this.heard.push(JSON.parse(text) as RawAnswer | RawNotification);
      this.#lookAgain();
    };
    this.ended = new Promise((resolve) => {
      transport.onEnd(({ reason }) => {
        resolve(reason);
        this.#lookAgain();
      });
    });
  }

  get notifications(): readonly RawNotification[] {
    return this.heard.filter((message) => 'method' in message);
  }

  send(message: unknown): void {
    this.transport.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  notify(method: string, params: unknown = {}): void {
    this.send({ method, params });
  }

  /** @returns The whole answer, a result or an error. */
  async ask(method: string, params?: unknown): Promise<RawAnswer> {
    this.#lastId += 1;
    const id = this.#lastId;
    this.send({ id, method, params });
    return this.until((message) => 'id' in message && message.id === id);
  }

  /** @returns The result. An error fails the test. */
  async request(method: string, params?: unknown): Promise<Record<string, unknown>> {
    const { result, error } = await this.ask(method, params);
    return result ?? assert.fail(`${method}: ${error?.message ?? 'no result'}`);
  }

  /** @returns The code and the text of the expected error. A result fails the test. */
  async refused(method: string, params?: unknown): Promise<readonly [code: number, message: string]> {
    const { result, error } = await this.ask(method, params);
    assert.ok(error, `${method} was not refused: ${JSON.stringify(result)}`);
    return [error.code, error.message];
  }

  /** @returns the id of the connection session. */
  async handshake(resumeSessionId?: string): Promise<string> {
    const { sessionId } = await this.request('initialize', { clientName: 'test', resumeSessionId });
    this.notify('initialized');
    assert.ok(typeof sessionId === 'string');
    return sessionId;
  }

  /** Starts a process on pipes. Parameters that a test does not care about are filled in. */
  start(processId: string, argv: readonly string[], some: object = {}): Promise<Record<string, unknown>> {
    return this.request('process/start', startParams(processId, argv, some));
  }

  /** Resolves with the first notification about a process of that kind, past or future. */
  told(processId: string, what: 'output' | 'exited' | 'closed' | 'gap'): Promise<RawNotification> {
    return this.until(
      (message): message is RawNotification =>
        'method' in message &&
        message.method === `process/${what}` &&
        message.params['processId'] === processId,
    );
  }

  /** The output of a process so far, as far as this client has received it. */
  output(processId: string): string {
    return this.notifications
      .filter(({ method, params }) => method === 'process/output' && params['processId'] === processId)
      .map(({ params }) => Buffer.from(String(params['chunk']), 'base64').toString())
      .join('');
  }

  /** The numbers of the notifications about a process, in the order of their arrival. */
  numbers(processId: string): readonly number[] {
    return this.notifications
      .filter(({ params }) => params['processId'] === processId)
      .map(({ params }) => Number(params['seq']));
  }

  until<T extends RawAnswer | RawNotification = RawAnswer>(
    condition: (message: RawAnswer | RawNotification) => boolean,
  ): Promise<T> {
    return this.#untilFound(() => this.heard.find(condition) as T | undefined);
  }

  /** Resolves once a condition on the received messages holds. */
  async untilTrue(condition: () => boolean): Promise<void> {
    await this.#untilFound(() => condition() || undefined);
  }

  #untilFound<T>(find: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = find();
        if (found !== undefined) {
          this.#waiting.delete(look);
          resolve(found);
        } else if (this.transport.end !== undefined) {
          this.#waiting.delete(look);
          reject(new Error(`The connection ended first: ${this.transport.end.reason}`));
        }
      };
      this.#waiting.add(look);
      look();
    });
  }

  #lookAgain(): void {
    [...this.#waiting].forEach((look) => look());
  }
}

const PATH = process.env['PATH'] ?? '/bin:/usr/bin';

export function startParams(processId: string, argv: readonly string[], some: object = {}): object {
  return { processId, argv, cwd: 'file:///tmp', env: { PATH }, tty: false, ...some };
}

export function sh(script: string): readonly string[] {
  return ['/bin/sh', '-c', script];
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
