import type { ChildProcess } from 'node:child_process';
import os from 'node:os';
import { createInterface } from 'node:readline';

import { startOwned, type OwnedProcess } from '../rig/lifetime.js';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** A program that takes requests, and gives answers and notifications, one in JSON to a line. */
export class JsonLines {
  readonly #program: OwnedProcess;
  readonly #answers = new Map<number, (message: Message) => void>();
  readonly #notifications = new Map<string, () => void>();
  #last = 0;

  static async start([file, ...args]: readonly [string, ...string[]]): Promise<JsonLines> {
    return new JsonLines(
      await startOwned(file, args, { cwd: os.tmpdir(), stdio: ['pipe', 'pipe', 'ignore'] }, {}),
    );
  }

  private constructor(program: OwnedProcess) {
    this.#program = program;
    const { stdout } = program.child;
    if (stdout !== null) {
      createInterface({ input: stdout }).on('line', (line) => this.#take(JSON.parse(line) as Message));
    }
  }

  get child(): ChildProcess {
    return this.#program.child;
  }

  /** @throws Error if the answer is one. */
  async request(method: string, params: unknown): Promise<unknown> {
    this.#last += 1;
    const id = this.#last;
    const answer = new Promise<Message>((resolve) => this.#answers.set(id, resolve));
    this.#send({ id, method, params });
    const { result, error } = await answer;
    if (error !== undefined) {
      throw new Error(`${method}: ${JSON.stringify(error)}`);
    }
    return result;
  }

  notify(method: string, params: unknown = {}): void {
    this.#send({ method, params });
  }

  /** Resolves with the next notification of this name. */
  notification(method: string): Promise<void> {
    return new Promise((resolve) => this.#notifications.set(method, resolve));
  }

  async stop(): Promise<void> {
    await this.#program.stop();
  }

  #send(message: object): void {
    this.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #take({ id, method, ...message }: Message): void {
    if (method === undefined) {
      this.#answers.get(id ?? 0)?.(message);
      this.#answers.delete(id ?? 0);
    } else {
      this.#notifications.get(method)?.();
      this.#notifications.delete(method);
    }
  }
}
