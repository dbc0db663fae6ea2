import { fileURLToPath } from 'node:url';

import {
  childEnv,
  quietly,
  type Closed,
  type Driver,
  type ProcessSpec,
  type RunningProcess,
  type WireSpec,
} from './driver.js';
import { openSocket, type WireSocket } from './wireSocket.js';

/** A message of the base protocol, with the members that are read here. */
interface Message {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
  readonly method?: string;
  readonly params?: {
    readonly processId: string;
    readonly seq: number;
    readonly chunk: string;
  };
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A client of the base protocol and nothing more, written by hand: it measures servers, and drives all of them alike.
 * It accepts every number once, in any order, and counts those that arrive early.
 */
export class WireDriver implements Driver {
  readonly losesTail: boolean;
  readonly #answers = new Map<number, Waiting>();
  readonly #processes = new Map<string, Follower>();
  #socket: WireSocket | undefined;
  #requests = 0;

  /** Added to each start. */
  #surroundings: object = { env: childEnv };

  private constructor(losesTail: boolean) {
    this.losesTail = losesTail;
  }

  static async open({ address, losesTail, sandboxed }: WireSpec): Promise<WireDriver> {
    const driver = new WireDriver(losesTail);
    driver.#socket = await openSocket(
      address,
      (message) => driver.#take(JSON.parse(message) as Message),
      () => driver.#ended(),
    );
    await driver.#request('initialize', { clientName: 'bench' });
    driver.#send({ method: 'initialized', params: {} });
    if (sandboxed) driver.#surroundings = await driver.#sandbox();
    return driver;
  }

  start({ argv, tty }: ProcessSpec, onOutput: (bytes: Uint8Array) => void): RunningProcess {
    const processId = `bench-${this.#requests}`;
    const follower = new Follower(onOutput);
    this.#processes.set(processId, follower);
    const params = { processId, argv, tty, cwd: 'file:///', ...this.#surroundings };
    const started = this.#request('process/start', params).then(() => undefined);
    started.catch((error: unknown) => follower.fail(error as Error));
    void follower.closed.finally(() => this.#processes.delete(processId)).catch(() => undefined);
    return {
      started: quietly(started),
      closed: quietly(follower.closed),
      write: (bytes) => {
        const writeId = String(this.#requests);
        const chunk = Buffer.from(bytes).toString('base64');
        this.#request('process/write', { processId, chunk, writeId }).catch((error: unknown) =>
          follower.fail(error as Error),
        );
      },
      kill: () => void quietly(this.#request('process/terminate', { processId })),
    };
  }

  /** The sandbox of the real client in its mode read-only, and a PATH on which the server finds its own programs. */
  async #sandbox(): Promise<object> {
    const { prependPathDirs = [] } = (await this.#request('environment/info', null)) as {
      readonly prependPathDirs?: readonly string[];
    };
    const path = [...prependPathDirs.map((uri) => fileURLToPath(uri)), childEnv.PATH].join(':');
    const root = { path: { type: 'special', value: { kind: 'root' } }, access: 'read' };
    const permissions = {
      type: 'managed',
      file_system: { type: 'restricted', entries: [root] },
      network: 'restricted',
    };
    const sandbox = { permissions, cwd: 'file:///', windowsSandboxLevel: 'disabled' };
    return { env: { PATH: path }, sandbox };
  }

  close(): Promise<void> {
    this.#socket?.close();
    return Promise.resolve();
  }

  #request(method: string, params: unknown): Promise<unknown> {
    this.#requests += 1;
    const id = this.#requests;
    return new Promise((resolve, reject) => {
      this.#answers.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  #send(message: unknown): void {
    this.#socket?.send(JSON.stringify(message));
  }

  #take({ id, result, error, method, params }: Message): void {
    if (id !== undefined) {
      const waiting = this.#answers.get(id);
      this.#answers.delete(id);
      if (error === undefined) {
        waiting?.resolve(result);
      } else {
        waiting?.reject(new Error(error.message));
      }
      return;
    }
    const follower = params && this.#processes.get(params.processId);
    if (params === undefined || follower === undefined) {
      return;
    }
    const { seq, chunk } = params;
    if (method === 'process/output') {
      follower.output(seq, Buffer.from(chunk, 'base64'));
    } else if (method === 'process/closed') {
      follower.close(seq);
    } else {
      follower.takeNumber(seq);
    }
  }

  #ended(): void {
    const error = new Error('The server has ended the connection.');
    this.#answers.forEach(({ reject }) => reject(error));
    this.#processes.forEach((follower) => follower.fail(error));
  }
}

/** Checks that every number of a process arrives, and arrives only once. */
class Follower {
  readonly closed: Promise<Closed>;
  readonly #onOutput: (bytes: Uint8Array) => void;
  readonly #early = new Set<number>();
  #next = 1;
  #outOfOrder = 0;
  #closedSeq: number | undefined;
  #resolve: (closed: Closed) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor(onOutput: (bytes: Uint8Array) => void) {
    this.#onOutput = onOutput;
    this.closed = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  output(seq: number, bytes: Uint8Array): void {
    this.#onOutput(bytes);
    this.takeNumber(seq);
  }

  takeNumber(seq: number): void {
    if (seq === this.#next) {
      do {
        this.#next += 1;
      } while (this.#early.delete(this.#next));
    } else if (seq < this.#next || this.#early.has(seq)) {
      this.fail(new Error(`Number ${seq} came twice.`));
    } else {
      this.#early.add(seq);
      this.#outOfOrder += 1;
    }
    if (this.#closedSeq !== undefined && this.#next > this.#closedSeq) {
      this.#resolve({ outOfOrder: this.#outOfOrder });
    }
  }

  close(seq: number): void {
    this.#closedSeq = seq;
    this.takeNumber(seq);
  }

  fail(error: Error): void {
    this.#reject(error);
  }
}
