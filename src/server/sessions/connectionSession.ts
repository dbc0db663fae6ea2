import { randomUUID } from 'node:crypto';

import {
  type BackendChange,
  type Clock,
  delay,
  type DescribeOptions,
  Emitter,
  type ExecBackend,
  ExecError,
  type ExecProcess,
  onAbort,
  type ProcessMetadata,
  type StartParams,
  type StopReport,
  type ViewState,
  type WriteStatus,
} from '../../core/index.js';
import { HOLDER_ANSWER_MS, SILENT_HOLDER_MS } from '../limits.js';
import type { AttachedConnection } from './attachedConnection.js';
import type { ChangeFeed } from './changeFeed.js';
import { ClientWords } from './clientWords.js';
import { NamedProcesses } from './namedProcesses.js';
import { inWordsOfClient, SessionProcess } from './sessionProcess.js';
import type { Standing, Viewers } from './viewers.js';

type StartOptions = Omit<StartParams, 'processId'> & { readonly windowBytes?: number | undefined };

/**
 * The state of one client, for as long as it may come back: its own names for processes of the server. Processes belong
 * to the backend, where they have a handle; several sessions can know the same one.
 */
export class ConnectionSession {
  readonly id = randomUUID();
  readonly #backend: ExecBackend;
  readonly #clock: Clock;
  readonly #viewers: Viewers<ConnectionSession>;
  readonly #processes: NamedProcesses;
  readonly #stops = new Map<string, AbortController>();
  #attached: AttachedConnection | undefined;
  readonly #lastWords: ClientWords;
  /** Tells the client of changes, if it wants that. */
  #changes: ChangeFeed | undefined;
  /** The time of the last sign of life of the client. */
  #heardAt: number;
  /** Fires at each message of the client, and when a connection gets or loses the session. */
  readonly #didHear = new Emitter<void>();
  #over = false;

  /** @param mostProcesses The most processes that it may have started and that are not closed. */
  constructor(
    backend: ExecBackend,
    clock: Clock,
    mostProcesses: number,
    viewers: Viewers<ConnectionSession>,
  ) {
    this.#viewers = viewers;
    this.#backend = backend;
    this.#lastWords = new ClientWords(backend);
    this.#clock = clock;
    this.#processes = new NamedProcesses(mostProcesses);
    this.#heardAt = clock.now();
  }

  get attached(): boolean {
    return this.#attached !== undefined;
  }

  /** Notes that the client has sent a message. */
  heard(): void {
    this.#heardAt = this.#clock.now();
    if (this.#didHear.observed) {
      this.#didHear.fire();
    }
  }

  /**
   * Takes the session from its connection, and ends that one, unless the client at its other end is there. The client
   * is asked, and has two seconds to answer. A client that cannot be asked is there for ten seconds after its last
   * message.
   *
   * @param signal Ends the wait; then the session stays where it is.
   */
  async takeFromSilent(signal: AbortSignal, reason: string): Promise<void> {
    const holder = this.#attached;
    if (holder === undefined || (await this.#isThere(holder, signal))) {
      return;
    }
    // Meanwhile another connection may have it, whose client was not asked.
    if (this.#attached === holder) {
      this.#letGo();
      holder.wire.destroy(reason);
    }
  }

  async #isThere(holder: AttachedConnection, signal: AbortSignal): Promise<boolean> {
    if (!holder.answersPings()) {
      return this.#clock.now() - this.#heardAt < SILENT_HOLDER_MS;
    }
    const answered = new AbortController();
    const listening = [this.#didHear.event(() => answered.abort()), onAbort(signal, () => answered.abort())];
    holder.wire.notify('server/ping', {});
    await delay(this.#clock, HOLDER_ANSWER_MS, answered.signal);
    listening.forEach((one) => one.dispose());
    return answered.signal.aborted;
  }

  /**
   * Attaches the session to a connection. Its client gets the events of the processes from now on, after {@link
   * openOutput}.
   */
  attachTo(connection: AttachedConnection): void {
    this.#attached = connection;
    this.heard();
    this.#processes.all.forEach((known) => known.follow(connection));
  }

  /** Starts the delivery of events. To be called once the answer that comes before them has been sent. */
  openOutput(): void {
    this.#processes.all.forEach((known) => known.openOutput());
  }

  /**
   * Detaches the session from a connection that has ended. Its processes continue, and are not held back.
   *
   * @returns false if the session is attached to another connection by now.
   */
  detach(connection: AttachedConnection): boolean {
    if (this.#attached !== connection) {
      return false;
    }
    this.#letGo();
    return true;
  }

  /** Tells the client of changes until its connection has ended. */
  tellChanges(changes: ChangeFeed): void {
    this.#changes?.dispose();
    this.#changes = changes;
  }

  get wantsChanges(): boolean {
    return this.#changes !== undefined;
  }

  /** Notes a change of a process that the client can reach. */
  changed(change: BackendChange): void {
    this.#changes?.changed(change);
  }

  /** The exits that have happened and that the client has not been told yet, see {@link SessionProcess.owedExit}. */
  get owedExits(): readonly Promise<void>[] {
    return this.#processes.all.flatMap(({ owedExit }) => owedExit ?? []);
  }

  /** Ends the session, since its client has not come back: all names are forgotten. */
  end(): void {
    this.#over = true;
    this.#letGo();
    this.#processes.clear();
  }

  /** The handles of all processes of the session, also of those that are being started. */
  get handles(): readonly string[] {
    return this.#processes.handles;
  }

  /** The handles of the processes that end with the session: all that are neither closed nor owned. */
  get endingHandles(): readonly string[] {
    const infos = this.#processes.all.map(({ process }) => process.info());
    const staying = infos.filter(({ state, owned }) => state === 'closed' || owned === true);
    const stayingHandles = new Set(staying.map(({ processId }) => processId));
    return this.handles.filter((handle) => !stayingHandles.has(handle));
  }

  /** The client's own names for processes by their handles; of several names for one process the oldest. */
  get names(): ReadonlyMap<string, string> {
    return this.#processes.names;
  }

  /** The handle of the process with that name. */
  handleNamed(processId: string): string | undefined {
    return this.#processes.handleNamed(processId);
  }

  /** The client's own name for the process with that handle, the oldest of several. Makes no list of all names. */
  nameOf(handle: string): string | undefined {
    return this.#processes.nameOf(handle);
  }

  /** The standing of this client among the viewers of a process. */
  standing(handle: string): Standing {
    return this.#viewers.standing(handle, this);
  }

  /** Forgets a process that the backend has forgotten. */
  forget(handle: string): void {
    this.#lastWords.forget(handle);
    this.#processes.remove(handle).forEach((known) => known.unfollow());
  }

  /**
   * Starts a process. The client gets its events after {@link SessionProcess.openOutput}.
   *
   * @param upToDate Resolves once later messages are known: a server that stood still finds a start and its withdrawal.
   * @throws ExecError
   */
  async start(
    processId: string,
    { windowBytes, ...params }: StartOptions,
    upToDate = Promise.resolve(),
  ): Promise<SessionProcess> {
    if (params.argv.length === 0) {
      throw new ExecError({ kind: 'argvEmpty' });
    }
    this.#processes.throwIfTaken(processId);
    this.#processes.throwIfFull();
    const handle = randomUUID();
    const work = upToDate.then(() => this.#startAs(handle, processId, params, windowBytes));
    this.#processes.setStarting(processId, handle, work);
    return work;
  }

  async #startAs(
    handle: string,
    processId: string,
    params: Omit<StartParams, 'processId'>,
    windowBytes: number | undefined,
  ): Promise<SessionProcess> {
    this.#processes.throwIfWithdrawn(processId);
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
    const started = { processId, process, windowBytes, own: true, clock: this.#clock };
    return this.#add(new SessionProcess(started), 0);
  }

  /**
   * Adds an existing process of the server to the session. The client gets its events after {@link
   * SessionProcess.openOutput}.
   *
   * @throws ExecError
   */
  async take(handle: string, processId: string, windowBytes: number | undefined): Promise<SessionProcess> {
    this.#processes.throwIfTaken(processId);
    const process = await this.#backend.attach(handle);
    process.release();
    this.#processes.throwIfTaken(processId);
    if (this.#over) {
      throw new ExecError({ kind: 'unknownProcess', processId: handle });
    }
    const taken = { processId, process, windowBytes, own: false, clock: this.#clock };
    return this.#add(new SessionProcess(taken), process.info().output.lastSeq);
  }

  /**
   * Finds a process by its name. If it is being started, this waits: the client need not wait for the answer to its
   * start.
   *
   * @throws ExecError if there is no such process.
   */
  async started(processId: string): Promise<SessionProcess> {
    const known = await this.#processes.started(processId);
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
    return (await this.#processes.started(processId))?.write(bytes, writeId, signal) ?? 'unknownProcess';
  }

  /** Signals a process. An unknown name is no error, and nothing happens. */
  async signal(processId: string, name: string): Promise<void> {
    await (await this.#processes.started(processId))?.process.signal(name);
  }

  /**
   * Kills a process. One that has exited is left alone, and so are processes that it has left running in the
   * background.
   *
   * @returns whether it was running, or being started.
   */
  async terminate(processId: string): Promise<boolean> {
    const known = this.#processes.get(processId);
    if (known instanceof SessionProcess) {
      return known.process.info().exit === undefined && (await known.process.terminate()).running;
    }
    // Others than our own client may use a name again. The backend may not know a start yet.
    if (known !== undefined || this.#attached?.answersPings() === true) {
      this.#processes.withdraw(processId);
    }
    if (known === undefined) {
      return false;
    }
    await this.#backend.terminate(known.handle).catch(() => undefined);
    return true;
  }

  /** Stops a process step by step. The stop continues if the connection ends meanwhile. */
  async stop(
    processId: string,
    stopId: string,
    graceMs: Record<string, number | undefined>,
  ): Promise<StopReport> {
    const known = await this.#processes.started(processId);
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

  /**
   * Changes the metadata of a process. The client is told of the change before this resolves.
   *
   * @param options `whenGone` is done when the session has lost its connection.
   */
  async describe(processId: string, patch: ProcessMetadata, options: DescribeOptions): Promise<void> {
    const { process } = await this.started(processId);
    try {
      const words = this.#lastWords.with(process.processId, patch, options);
      await process.describe(patch, { provided: options.provided });
      if (this.#attached !== undefined) {
        this.#lastWords.set(process.processId, words);
      }
    } catch (error) {
      throw inWordsOfClient(error, processId);
    }
    await this.#changes?.tellNow(process.processId);
  }

  /**
   * Notes what the client shows of a process. Before this resolves, the client is told which viewer is the primary one.
   */
  async view(processId: string, state: ViewState): Promise<void> {
    const { process } = await this.started(processId);
    if (this.attached) {
      this.#viewers.set(process.processId, this, state);
      await this.#changes?.tellNow(process.processId);
    }
  }

  cancelStop(stopId: string): void {
    this.#stops.get(stopId)?.abort();
  }

  acknowledge(processId: string, seq: number): void {
    const known = this.#processes.get(processId);
    if (known instanceof SessionProcess) known.acknowledge(seq);
  }

  #letGo(): void {
    this.#attached = undefined;
    this.#changes?.dispose();
    this.#changes = undefined;
    this.#viewers.drop(this);
    this.#lastWords.say(this.#clock.wallTime());
    this.#didHear.fire();
    this.#processes.all.forEach((known) => known.unfollow());
  }

  #add(known: SessionProcess, afterSeq: number): SessionProcess {
    this.#processes.set(known);
    // The session may be attached to another connection than the one with the request.
    if (this.#attached !== undefined) {
      known.follow(this.#attached, afterSeq);
    }
    return known;
  }
}
