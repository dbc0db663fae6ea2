import { randomUUID } from 'node:crypto';

import {
  type Clock,
  type ExecBackend,
  ExecError,
  type ExecProcess,
  type StartParams,
  type StopReport,
  type WriteStatus,
} from '../../core/index.js';
import type { ServerWire } from '../../protocol/index.js';
import { inWordsOfClient, SessionProcess } from './sessionProcess.js';

/** The connection that a session is attached to. */
export interface AttachedConnection {
  readonly wire: ServerWire;
  readonly signal: AbortSignal;
}

/** A start that is under way. */
interface Starting {
  readonly handle: string;
  /** Settles, and never rejects, when it has succeeded or failed. */
  readonly settled: Promise<unknown>;
}

type StartOptions = Omit<StartParams, 'processId'> & { readonly windowBytes?: number | undefined };

/**
 * What one client has, for as long as it may come back: its own names for processes of the server. Processes belong to
 * the backend, where they have a handle; several sessions can know one.
 */
export class ConnectionSession {
  readonly id = randomUUID();
  readonly #backend: ExecBackend;
  readonly #clock: Clock;
  /** By the client's own name for it. */
  readonly #processes = new Map<string, SessionProcess | Starting>();
  readonly #stops = new Map<string, AbortController>();
  #attached: AttachedConnection | undefined;
  /** When its client was last known to be there. */
  #heardAt: number;
  #over = false;

  constructor(backend: ExecBackend, clock: Clock) {
    this.#backend = backend;
    this.#clock = clock;
    this.#heardAt = clock.now();
  }

  get attached(): boolean {
    return this.#attached !== undefined;
  }

  /** How long its client has said nothing, in milliseconds. */
  get silentMs(): number {
    return this.#clock.now() - this.#heardAt;
  }

  /** Its client has said something. */
  heard(): void {
    this.#heardAt = this.#clock.now();
  }

  /** Gives the session to a connection. It is told what the processes do from now on, after {@link openOutput}. */
  attachTo(connection: AttachedConnection): void {
    this.#attached = connection;
    this.heard();
    this.#all().forEach((known) => known.follow(connection.wire));
  }

  /** The client has the answer that comes before all that its processes do. */
  openOutput(): void {
    this.#all().forEach((known) => known.openOutput());
  }

  /**
   * A connection has ended. Its processes go on, and nobody holds them back.
   *
   * @returns false if it is another one that has the session by now.
   */
  detach(connection: AttachedConnection): boolean {
    if (this.#attached !== connection) {
      return false;
    }
    this.#letGo();
    return true;
  }

  /** Takes the session from the connection that has it, and ends that. */
  takeAway(reason: string): void {
    const connection = this.#attached;
    this.#letGo();
    connection?.wire.destroy(reason);
  }

  /** Nobody comes back: the names are forgotten. */
  end(): void {
    this.#over = true;
    this.#letGo();
    this.#processes.clear();
  }

  /** Handles of all processes that it knows, also of those that are starting. */
  get handles(): readonly string[] {
    return [...this.#processes.values()].map((known) =>
      known instanceof SessionProcess ? known.process.processId : known.handle,
    );
  }

  /** The client's own name for a process. */
  nameOf(handle: string): string | undefined {
    return this.#all().find(({ process }) => process.processId === handle)?.processId;
  }

  /** The backend has forgotten a process. */
  forget(handle: string): void {
    for (const [processId, known] of this.#processes) {
      if (known instanceof SessionProcess && known.process.processId === handle) {
        known.unfollow();
        this.#processes.delete(processId);
      }
    }
  }

  /**
   * Starts a process; the client is told what it does after {@link SessionProcess.openOutput}.
   *
   * @throws ExecError
   */
  async start(processId: string, { windowBytes, ...params }: StartOptions): Promise<SessionProcess> {
    if (params.argv.length === 0) {
      throw new ExecError({ kind: 'argvEmpty' });
    }
    this.#throwIfTaken(processId);
    const handle = randomUUID();
    const work = this.#startAs(handle, processId, params, windowBytes);
    const settled = work.catch(() => this.#processes.delete(processId));
    this.#processes.set(processId, { handle, settled });
    return work;
  }

  async #startAs(
    handle: string,
    processId: string,
    params: Omit<StartParams, 'processId'>,
    windowBytes: number | undefined,
  ): Promise<SessionProcess> {
    let process: ExecProcess;
    try {
      process = await this.#backend.start({ ...params, processId: handle });
    } catch (error) {
      throw inWordsOfClient(error, processId);
    }
    process.release();
    if (this.#over) {
      await process.terminate();
      throw new ExecError({ kind: 'startCancelled', processId });
    }
    return this.#add(processId, process, windowBytes, 0);
  }

  /**
   * Takes up a process that the server has; the client is told what it does after {@link SessionProcess.openOutput}.
   *
   * @throws ExecError
   */
  async take(handle: string, processId: string, windowBytes: number | undefined): Promise<SessionProcess> {
    this.#throwIfTaken(processId);
    const process = await this.#backend.attach(handle);
    process.release();
    this.#throwIfTaken(processId);
    if (this.#over) {
      throw new ExecError({ kind: 'unknownProcess', processId: handle });
    }
    const { lastSeq } = process.info().output;
    return this.#add(processId, process, windowBytes, lastSeq);
  }

  /**
   * A process by its name. One that is starting is waited for: the client need not wait for the answer to its start.
   *
   * @throws ExecError if there is none.
   */
  async started(processId: string): Promise<SessionProcess> {
    const known = await this.#find(processId);
    if (known === undefined) {
      throw new ExecError({ kind: 'unknownProcess', processId });
    }
    return known;
  }

  async write(
    processId: string,
    bytes: Uint8Array,
    writeId: string,
    signal: AbortSignal,
  ): Promise<WriteStatus> {
    const known = await this.#find(processId);
    return known === undefined ? 'unknownProcess' : known.write(bytes, writeId, signal);
  }

  /** Nothing happens to one that is not there. */
  async signal(processId: string, name: string): Promise<void> {
    await (await this.#find(processId))?.process.signal(name);
  }

  /** One that has exited is left alone, and with it what it has left running in the background. */
  async terminate(processId: string): Promise<boolean> {
    const known = this.#processes.get(processId);
    if (known === undefined) {
      return false;
    }
    if (!(known instanceof SessionProcess)) {
      return (await this.#backend.terminate(known.handle)).running;
    }
    return known.process.info().exit === undefined && (await known.process.terminate()).running;
  }

  /** Stops a process step by step. It goes on if the connection ends meanwhile. */
  async stop(
    processId: string,
    stopId: string,
    graceMs: Record<string, number | undefined>,
  ): Promise<StopReport> {
    const known = await this.#find(processId);
    if (known === undefined) {
      return { running: false, steps: [], exited: false, survivors: [] };
    }
    const abort = new AbortController();
    this.#stops.set(stopId, abort);
    try {
      return await known.process.stop({ graceMs, signal: abort.signal });
    } finally {
      if (this.#stops.get(stopId) === abort) {
        this.#stops.delete(stopId);
      }
    }
  }

  cancelStop(stopId: string): void {
    this.#stops.get(stopId)?.abort();
  }

  acknowledge(processId: string, seq: number): void {
    const known = this.#processes.get(processId);
    if (known instanceof SessionProcess) {
      known.acknowledge(seq);
    }
  }

  #letGo(): void {
    this.#attached = undefined;
    this.#all().forEach((known) => known.unfollow());
  }

  async #find(processId: string): Promise<SessionProcess | undefined> {
    const known = this.#processes.get(processId);
    if (known === undefined || known instanceof SessionProcess) {
      return known;
    }
    await known.settled;
    const then = this.#processes.get(processId);
    return then instanceof SessionProcess ? then : undefined;
  }

  #all(): SessionProcess[] {
    return [...this.#processes.values()].filter((known) => known instanceof SessionProcess);
  }

  #throwIfTaken(processId: string): void {
    if (this.#processes.has(processId)) {
      throw new ExecError({ kind: 'processExists', processId });
    }
  }

  #add(
    processId: string,
    process: ExecProcess,
    windowBytes: number | undefined,
    afterSeq: number,
  ): SessionProcess {
    const known = new SessionProcess({ processId, process, windowBytes, clock: this.#clock });
    this.#processes.set(processId, known);
    // It may be another connection than the one that asked.
    if (this.#attached !== undefined) {
      known.follow(this.#attached.wire, afterSeq);
    }
    return known;
  }
}
