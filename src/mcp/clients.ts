import type { Socket } from 'node:net';

import { randomUUID } from 'node:crypto';

import type { Agent } from '../agent/index.js';
import { Alarm, type Clock, type Disposable, identityKey, type ProcessIdentity } from '../core/index.js';
import { CLIENT_CHECK_MS } from './limits.js';

/** Finds the process at the other end of a connection from this machine. */
export interface PeerProcesses {
  /** @returns undefined if that cannot be found out. Never rejects. */
  of(socket: Socket): Promise<ProcessIdentity | undefined>;
  runs(identity: ProcessIdentity): boolean;
}

/** A process that has called. */
interface ClientProcess {
  readonly identity: ProcessIdentity;
  readonly end: AbortController;
}

/**
 * The processes of clients over HTTP. The newest revision of the protocol has no sessions, and a client sends only its
 * name. Two clients of one kind, such as Claude Code 2.1.330, have the same name. But each client has a process of its
 * own.
 */
export class ClientProcesses implements Disposable {
  readonly #peers: PeerProcesses | undefined;
  readonly #check: Alarm;
  readonly #ofSocket = new WeakMap<Socket, Promise<ClientProcess | undefined>>();
  readonly #processes = new Map<string, ClientProcess>();
  #disposed = false;

  /** @param peers Without it, only their names tell clients apart. */
  constructor(clock: Clock, peers: PeerProcesses | undefined) {
    this.#peers = peers;
    this.#check = new Alarm(clock);
  }

  /** The agent for a client without a session. */
  async agentAt(socket: Socket | undefined, name: string): Promise<Agent> {
    const process = await this.#processAt(socket);
    return process === undefined
      ? { id: `named ${name}`, name }
      : { id: `process ${identityKey(process.identity)} ${name}`, name, gone: process.end.signal };
  }

  /** Aborted when the process at the other end of a connection has ended; undefined if its end would not be noticed. */
  async endOfProcessAt(socket: Socket | undefined): Promise<AbortSignal | undefined> {
    return (await this.#processAt(socket))?.end.signal;
  }

  dispose(): void {
    this.#disposed = true;
    this.#check.dispose();
  }

  #processAt(socket: Socket | undefined): Promise<ClientProcess | undefined> {
    if (socket === undefined || this.#peers === undefined) {
      return Promise.resolve(undefined);
    }
    let found = this.#ofSocket.get(socket);
    if (found === undefined) {
      found = this.#peers.of(socket).then((identity) => identity && this.#process(identity));
      this.#ofSocket.set(socket, found);
    }
    return found;
  }

  #process(identity: ProcessIdentity): ClientProcess {
    const key = identityKey(identity);
    let process = this.#processes.get(key);
    if (process === undefined) {
      process = { identity, end: new AbortController() };
      this.#processes.set(key, process);
      this.#checkLater();
    }
    return process;
  }

  /** A process without a connection ends unnoticed, so the processes are checked at intervals. */
  #checkLater(): void {
    if (this.#disposed) {
      return;
    }
    this.#check.setUnlessSet(CLIENT_CHECK_MS, () => {
      for (const [key, { identity, end }] of this.#processes) {
        if (this.#peers?.runs(identity) !== true) {
          this.#processes.delete(key);
          end.abort();
        }
      }
      if (this.#processes.size > 0) {
        this.#checkLater();
      }
    });
  }
}

/** The agent for a client with a connection or a session of its own. */
export class OneClient {
  readonly #id = randomUUID();
  /** Whether its process has begun another session under this name since its last call. */
  replaced = false;
  #gone = new AbortController();
  #name: string | undefined;

  /** The name that the client gives itself; undefined before its first call. */
  get name(): string | undefined {
    return this.#name;
  }

  agent(name: string): Agent {
    this.#name = name;
    this.replaced = false;
    if (this.#gone.signal.aborted) {
      // The client is back, and may leave again.
      this.#gone = new AbortController();
    }
    return { id: this.#id, name, gone: this.#gone.signal };
  }

  /** Notes that the client has gone. */
  leave(): void {
    this.#gone.abort();
  }
}
