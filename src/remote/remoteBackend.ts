import {
  type BackendCapabilities,
  type BackendChange,
  CallsById,
  checkPort,
  type Clock,
  type ConnectionState,
  DEFAULT_LOG_LIMITS,
  Emitter,
  type ExecBackend,
  ExecError,
  type ExecProcess,
  type HostInfo,
  type HostVariables,
  type Inherited,
  type KeptOptions,
  type KeptOutput,
  type LogLimits,
  NOTHING_KEPT,
  onAbort,
  type PastOutputs,
  type ProcessInfo,
  ProcessRegistry,
  type StartedProcess,
  startedWith,
  type StartingProcess,
  type StartParams,
  type StopOptions,
} from '../core/index.js';
import type { ParamsOf } from '../protocol/index.js';
import { creditWindow } from './log/outputCredit.js';
import type { ResumableConnection } from './session/resumableConnection.js';
import { REQUEST_MS, RETENTION_MS } from './limits.js';
import type { NotificationRouter } from './session/notifications.js';
import { isListedPort } from './session/listedPort.js';
import { openSession, type OpenSession, type RemoteBackendOptions } from './session/openSession.js';
import { type KeptName, readKeptOnServer } from './process/keptOnServer.js';
import { attachOnServer, listOthers, removeOnServer } from './process/othersOnServer.js';
import { RemoteProcess, type Origin } from './process/remoteProcess.js';
import { sightingsOnServer } from './process/sightingsOnServer.js';
import { tasksOnServer } from './process/tasksOnServer.js';
import { ServerChanges } from './process/serverChanges.js';
import type { ServerFacts } from './session/serverFacts.js';
import { type KnownSession, SessionBook, wireName } from './session/sessionMemory.js';
import { endProcesses, UnseenStarts } from './process/shutdown.js';
import { isOwned, sizeAtStart, startOnServer, withVariablesOf } from './process/startOnServer.js';
import { knownFacts, standingOnServer } from './process/knownProcess.js';
import { inOurErrors } from './session/wireFailures.js';

/** Runs processes on an exec-server: ours, or another one that speaks the same protocol. */
export class RemoteBackend extends CallsById implements ExecBackend {
  readonly tasks: ExecBackend['tasks'];
  readonly sightings: ExecBackend['sightings'];
  readonly #session: ResumableConnection;
  readonly #server: ServerFacts;
  readonly #router: NotificationRouter;
  readonly #limits: LogLimits;
  readonly #leftOnDisk: PastOutputs | undefined;
  readonly #clock: Clock;
  readonly #hostEnv: HostVariables | undefined;
  readonly #inherited: Inherited | undefined;
  readonly #registry: ProcessRegistry<RemoteProcess>;
  readonly #unseen: UnseenStarts;
  readonly #attaching = new Map<string, Promise<RemoteProcess>>();
  readonly #didChange = new Emitter<BackendChange>();
  readonly #changes: ServerChanges;
  readonly #didChangeConnection = new Emitter<ConnectionState>();
  readonly #book: SessionBook | undefined;
  #keep: ParamsOf<'host/keep'> | undefined;
  #names = 0;
  #shutDown = false;

  /**
   * Connects to a server.
   *
   * @throws ExecError of a {@link ConnectFailure}, also when `signal` is aborted.
   */
  static async connect(options: RemoteBackendOptions, signal?: AbortSignal): Promise<RemoteBackend> {
    const parts = await openSession(options, signal);
    const backend = new RemoteBackend(options, parts);
    if (parts.resumed !== undefined) {
      await backend.#takeUp(parts.resumed);
    }
    // Processes that were not found again have ended.
    backend.#book?.save();
    return backend;
  }

  private constructor(options: RemoteBackendOptions, parts: OpenSession) {
    super();
    this.#session = parts.session;
    this.#unseen = new UnseenStarts(parts.session);
    this.#router = parts.router;
    this.#clock = parts.clock;
    this.#hostEnv = options.hostEnv;
    this.#inherited = options.inherited;
    this.#server = parts.server;
    this.tasks = tasksOnServer(parts.server, parts.session);
    this.sightings = sightingsOnServer(parts.server, parts.session);
    this.#limits = options.limits ?? DEFAULT_LOG_LIMITS;
    this.#leftOnDisk = options.leftOnDisk;
    this.#book = options.memory && new SessionBook(options.memory, parts.session.sessionId);
    this.#registry = new ProcessRegistry({
      retentionMs: options.retentionMs ?? RETENTION_MS,
      clock: parts.clock,
      onForget: ({ wireId }) => {
        this.#router.forget(wireId);
        this.#book?.forget(wireId);
      },
    });
    this.#changes = new ServerChanges(this.#registry, (change) => this.#didChange.fire(change));
    this.#registry.onDidChange((change) => this.#ownChanged(change));
    this.#router.onDidChange((change) => this.#changes.changed(change));
    this.#session.onDidResume(() => this.#resumed());
    this.#session.onDidChange((state) => this.#connectionChanged(state));
    if (this.connection.kind === 'lost') {
      this.#connectionChanged(this.connection);
    }
  }

  get capabilities(): BackendCapabilities {
    return this.#server.capabilities;
  }

  get host(): HostInfo {
    return this.#server.host;
  }

  get connection(): ConnectionState {
    return this.#session.state;
  }

  get onDidChange(): ExecBackend['onDidChange'] {
    return this.#didChange.event;
  }

  get onDidChangeConnection(): ExecBackend['onDidChangeConnection'] {
    return this.#didChangeConnection.event;
  }

  async start(params: StartParams): Promise<ExecProcess> {
    const { processId } = params;
    if (this.#shutDown) {
      throw new ExecError({ kind: 'shutDown' });
    }
    if (params.argv.length === 0) {
      throw new ExecError({ kind: 'argvEmpty' });
    }
    if (this.#attaching.has(processId)) {
      throw new ExecError({ kind: 'processExists', processId });
    }
    const process = await this.#registry.start(processId, (cancelled) =>
      this.#startProcess(params, cancelled),
    );
    return process.hold();
  }

  override async attach(processId: string): Promise<ExecProcess> {
    if (this.#registry.get(processId) !== undefined || !this.capabilities.attach || this.#shutDown) {
      return super.attach(processId);
    }
    const attaching = this.#attaching.get(processId) ?? this.#attachProcess(processId);
    this.#attaching.set(processId, attaching);
    try {
      return (await attaching).hold();
    } finally {
      this.#attaching.delete(processId);
    }
  }

  async list(): Promise<readonly ProcessInfo[]> {
    const isOurs = (handle: string) => this.#registry.get(handle) !== undefined;
    const others =
      this.capabilities.list && this.connection.kind === 'connected'
        ? await listOthers(this.#session, this.#server, isOurs)
        : [];
    this.#changes.listed(others.map(({ processId }) => processId));
    return [...this.#registry.started.map((process) => process.info()), ...others];
  }

  async remove(processId: string): Promise<void> {
    const own = this.#registry.removable(processId);
    if (this.#server.additions.ownership === true) {
      const named = own === undefined ? { handle: processId } : { processId: own.wireId };
      await removeOnServer(named, processId, this.#session);
    }
    // Without that message, the server forgets the process by itself.
    if (own !== undefined) {
      this.#registry.forget(own);
      own.removed();
    }
  }

  override readKept(processId: string, options: KeptOptions): Promise<KeptOutput> {
    return this.#registry.get(processId)?.state === 'started'
      ? super.readKept(processId, options)
      : this.#readKept({ handle: processId }, options);
  }

  async isListening(port: number): Promise<boolean> {
    checkPort(port);
    if (this.capabilities.portProbe === false) {
      throw new ExecError({ kind: 'unsupported', feature: 'portProbe' });
    }
    if (this.#server.additions.portProbe !== true) {
      return inOurErrors(isListedPort(port, this.#session));
    }
    const options = { timeoutMs: REQUEST_MS, repeat: true };
    return (await inOurErrors(this.#session.call('host/isListening', { port }, options))).listening;
  }

  /** Sets what the server keeps, and for how long. It forgets this with the connection, so a resumed one says it again. */
  async keepWithoutClient(times: ParamsOf<'host/keep'>): Promise<void> {
    this.#keep = times;
    if (this.#server.additions.keep === true) {
      const options = { timeoutMs: REQUEST_MS, repeat: true };
      await inOurErrors(this.#session.call('host/keep', times, options));
    }
  }

  /** Stops all processes that this backend has started, forgets them, and closes the connection. */
  async shutdown(options?: StopOptions): Promise<void> {
    this.#shutDown = true;
    const starts = this.#registry.cancelStarts();
    await endProcesses({
      processes: this.#registry.started.filter(({ isForeign }) => !isForeign),
      starts,
      unseen: this.#unseen,
      session: this.#session,
      clock: this.#clock,
      options,
    });
    this.disconnect();
    this.#registry.dispose();
    this.#didChangeConnection.dispose();
    this.#didChange.dispose();
  }

  /** Closes the connection at once. The server keeps the processes for its time without a client. */
  disconnect(): void {
    this.#shutDown = true;
    this.#session.close();
  }

  protected override find(processId: string): StartingProcess | StartedProcess | undefined {
    return this.#registry.get(processId);
  }

  async #startProcess(params: StartParams, cancelled: AbortSignal): Promise<RemoteProcess> {
    const { processId } = params;
    const process = this.#createProcess(processId, {
      argv: params.argv,
      cwd: params.cwd,
      tty: params.tty,
      pipeStdin: params.pipeStdin ?? false,
      size: sizeAtStart(params, this.#server),
      metadata: params.metadata ?? {},
      startedAt: this.#clock.wallTime(),
      isForeign: false,
      owned: isOwned(params, this.#server),
      sandbox: params.sandbox,
      startedWith: startedWith(params),
    });
    onAbort(cancelled, () => this.#unseen.end(process));
    this.#book?.note(knownFacts(process), this.#names);
    try {
      const withOwn = { ...params, inherited: this.#inherited };
      const asked = this.#hostEnv === undefined ? withOwn : withVariablesOf(this.#hostEnv, withOwn);
      const pid = await startOnServer(asked, process, this.#server, this.#session, this.#unseen);
      if (cancelled.aborted) {
        await process.terminate().catch(() => undefined);
        throw new ExecError({ kind: 'startCancelled', processId });
      }
      this.#add(process, pid);
      this.#book?.note(knownFacts(process), this.#names);
      return process;
    } catch (error) {
      this.#router.forget(process.wireId);
      this.#book?.forget(process.wireId);
      this.#changes.settled(processId, undefined);
      throw cancelled.aborted && !isLost(this.connection)
        ? new ExecError({ kind: 'startCancelled', processId })
        : error;
    }
  }

  /** Finds the processes of an earlier client again; its connection session is now this one. */
  async #takeUp(earlier: KnownSession): Promise<void> {
    this.#names = earlier.names;
    const there = await Promise.all(
      earlier.processes.map(async (known) => ({
        known,
        standing: await standingOnServer(known.wireId, this.#session),
      })),
    );
    for (const { known, standing } of there) {
      if (standing === undefined) {
        continue;
      }
      const { processId, wireId, size, pid, ...facts } = known;
      const origin = { ...facts, ...standing, size, isForeign: false, owned: false, inputBefore: true };
      const process = this.#createProcess(processId, origin, wireId);
      this.#add(process, pid);
      this.#book?.note(known, this.#names);
      process.mirror.catchUp();
    }
    this.#followServer();
  }

  async #attachProcess(handle: string): Promise<RemoteProcess> {
    const wireId = this.#nextName(handle);
    const named = { processId: handle, wireId, windowBytes: creditWindow(this.#limits) };
    const wasKnown = this.#changes.knows(handle);
    const { origin, pid, early } = await attachOnServer(named, this.#server, this.#session, this.#router);
    if (wasKnown && !this.#changes.knows(handle)) {
      // The server said during the call that it has forgotten the process.
      this.#router.forget(wireId);
      throw new ExecError({ kind: 'unknownProcess', processId: handle });
    }
    const process = this.#createProcess(handle, origin, wireId);
    early.forEach((event) => process.mirror.told(event));
    this.#add(process, pid);
    process.mirror.catchUp();
    return process;
  }

  #createProcess(processId: string, origin: Origin, wireId = this.#nextName(processId)): RemoteProcess {
    const process = new RemoteProcess({
      processId,
      wireId,
      origin,
      server: this.#server,
      calls: this.#session,
      limits: this.#limits,
      clock: this.#clock,
      readKept: (named, options) => this.#readKept(named, options),
      onChange: (changed) => this.#registry.changed(changed),
      onRelease: (released) => this.#registry.released(released),
    });
    this.#router.listen(wireId, process.mirror);
    return process;
  }

  /** From the server, or from its files if the process's handle is known. */
  async #readKept({ processId, handle }: KeptName, options: KeptOptions): Promise<KeptOutput> {
    if (!isLost(this.connection)) {
      const named = processId === undefined ? { handle } : { processId };
      return readKeptOnServer(named, options, this.#server, this.#session);
    }
    return handle === undefined ? NOTHING_KEPT : (this.#leftOnDisk?.read(handle, options) ?? NOTHING_KEPT);
  }

  #nextName(processId: string): string {
    this.#names += 1;
    return wireName(this.#names, processId);
  }

  #add(process: RemoteProcess, pid: number | undefined): void {
    process.started(pid);
    this.#registry.add(process);
    this.#changes.settled(process.processId, process);
    if (isLost(this.connection)) {
      process.fail({ kind: 'disconnected', reason: this.connection.reason });
    }
  }

  #ownChanged(change: BackendChange): void {
    // The process of another client was reported as added before this backend attached to it.
    const isKnown = change.type === 'added' && this.#changes.knows(change.processId);
    this.#didChange.fire(isKnown ? { ...change, type: 'changed' } : change);
  }

  #resumed(): void {
    this.#registry.started.forEach((process) => process.resume());
    this.#followServer();
    if (this.#keep !== undefined) this.keepWithoutClient(this.#keep).catch(() => undefined);
  }

  #followServer(): void {
    if (this.capabilities.changes) {
      // If it fails, the connection is lost again, and the next one does it.
      this.#changes.catchUp(this.#session, this.#server).catch(() => undefined);
    }
  }

  #connectionChanged(state: ConnectionState): void {
    if (isLost(state)) {
      const failure = { kind: 'disconnected', reason: state.reason } as const;
      this.#registry.started.forEach((process) => process.fail(failure));
    }
    this.#didChangeConnection.fire(state);
  }
}

function isLost(state: ConnectionState): state is Extract<ConnectionState, { kind: 'lost' }> {
  return state.kind === 'lost';
}
