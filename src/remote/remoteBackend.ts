import {
  DEFAULT_LOG_LIMITS,
  Emitter,
  execErrors,
  systemClock,
  type BackendCapabilities,
  type Clock,
  type ConnectionState,
  type ExecBackend,
  type ExecProcess,
  type HostInfo,
  type LogLimits,
  type ProcessInfo,
  type ReadOptions,
  type ReadResponse,
  type StartParams,
  type StopOptions,
  type StopReport,
  type TerminalSize,
  type WriteStatus,
} from '../core/index.js';
import { ConnectionSession, type RecoveryOptions } from './connectionSession.js';
import type { Connector } from './connector.js';
import { describeProcess, originOf } from './description.js';
import {
  ASIDE_MS,
  CONNECT_MS,
  FIRST_RETRY_MS,
  INITIALIZE_MS,
  LAST_RETRY_MS,
  OUTPUT_WINDOW_BYTES,
  RECOVERY_LIMIT_MS,
  REQUEST_MS,
  RETENTION_MS,
} from './limits.js';
import { NotificationRouter } from './notifications.js';
import { ProcessRegistry, type Starting } from './processRegistry.js';
import { RemoteProcess, type Origin } from './remoteProcess.js';
import { describeServer, type Server } from './server.js';
import { endProcesses } from './shutdown.js';
import { endUnseen, sizeAtStart, startOnServer } from './startOnServer.js';
import { execErrorOf } from './wireFailures.js';

export interface RemoteBackendOptions {
  readonly connector: Connector;
  /** What the server is told who this is. */
  readonly clientName: string;
  readonly limits?: LogLimits | undefined;
  readonly retentionMs?: number | undefined;
  readonly connectMs?: number | undefined;
  readonly initializeMs?: number | undefined;
  readonly recovery?: Partial<RecoveryOptions> | undefined;
  readonly clock?: Clock | undefined;
  readonly log?: ((line: string) => void) | undefined;
}

/** Runs processes on an exec-server: ours, or another one that speaks the same protocol. */
export class RemoteBackend implements ExecBackend {
  readonly #session: ConnectionSession;
  readonly #server: Server;
  readonly #router: NotificationRouter;
  readonly #limits: LogLimits;
  readonly #clock: Clock;
  readonly #registry: ProcessRegistry;
  readonly #attaching = new Map<string, Promise<RemoteProcess>>();
  readonly #didChangeConnection = new Emitter<ConnectionState>();
  #names = 0;
  #shutDown = false;

  /**
   * Connects to a server.
   *
   * @throws ExecError of a {@link ConnectFailure}, also when `signal` is aborted.
   */
  static async connect(options: RemoteBackendOptions, signal?: AbortSignal): Promise<RemoteBackend> {
    const clock = options.clock ?? systemClock;
    const router = new NotificationRouter();
    const { session, greeting } = await ConnectionSession.open(
      {
        connector: options.connector,
        clientName: options.clientName,
        connectMs: options.connectMs ?? CONNECT_MS,
        initializeMs: options.initializeMs ?? INITIALIZE_MS,
        recovery: {
          limitMs: options.recovery?.limitMs ?? RECOVERY_LIMIT_MS,
          firstRetryMs: options.recovery?.firstRetryMs ?? FIRST_RETRY_MS,
          lastRetryMs: options.recovery?.lastRetryMs ?? LAST_RETRY_MS,
        },
        handlers: router.handlers,
        clock,
        log: options.log ?? (() => undefined),
      },
      signal,
    );
    // Servers of before June 2026 say it only when they are asked, and the oldest not at all.
    const info = greeting.environmentInfo
      ? undefined
      : await session.call('environment/info', {}, { timeoutMs: ASIDE_MS, signal }).catch(() => undefined);
    if (signal?.aborted === true) {
      session.close('cancelled');
      const target = options.connector.label;
      throw execErrors.cannotConnect({ kind: 'connectCancelled', target }, 'cancelled');
    }
    return new RemoteBackend(options, { session, router, clock, server: describeServer(greeting, info) });
  }

  private constructor(
    options: RemoteBackendOptions,
    parts: {
      session: ConnectionSession;
      router: NotificationRouter;
      clock: Clock;
      server: Server;
    },
  ) {
    this.#session = parts.session;
    this.#router = parts.router;
    this.#clock = parts.clock;
    this.#server = parts.server;
    this.#limits = options.limits ?? DEFAULT_LOG_LIMITS;
    this.#registry = new ProcessRegistry({
      retentionMs: options.retentionMs ?? RETENTION_MS,
      clock: parts.clock,
      onForget: ({ wireId }) => this.#router.forget(wireId),
    });
    this.#session.onDidResume(() => this.#registry.started.forEach((process) => process.resume()));
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
    return this.#registry.onDidChange;
  }

  get onDidChangeConnection(): ExecBackend['onDidChangeConnection'] {
    return this.#didChangeConnection.event;
  }

  async start(params: StartParams): Promise<ExecProcess> {
    const { processId } = params;
    if (this.#shutDown) {
      throw execErrors.shutDown();
    }
    if (params.argv.length === 0) {
      throw execErrors.argvEmpty();
    }
    if (this.#registry.get(processId) !== undefined || this.#attaching.has(processId)) {
      throw execErrors.processExists(processId);
    }
    const process = this.#createProcess(processId, {
      argv: params.argv,
      cwd: params.cwd,
      tty: params.tty,
      pipeStdin: params.pipeStdin ?? false,
      size: sizeAtStart(params, this.#server),
      metadata: params.metadata ?? {},
      startedAt: this.#clock.now(),
      isForeign: false,
    });
    const starting = this.#registry.reserve(process);
    const work = this.#startProcess(params, starting);
    starting.finished = work.catch(() => this.#registry.free(starting));
    await work;
    return process.hold();
  }

  async attach(processId: string): Promise<ExecProcess> {
    if (this.#registry.get(processId) !== undefined || !this.capabilities.attach || this.#shutDown) {
      return this.#registry.expect(processId).hold();
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
    const others = this.capabilities.list && this.#session.isConnected ? await this.#listOthers() : [];
    return [...this.#registry.started.map((process) => process.info()), ...others];
  }

  async read(processId: string, options?: ReadOptions, signal?: AbortSignal): Promise<ReadResponse> {
    return this.#registry.expect(processId).log.read(options, signal);
  }

  async write(processId: string, bytes: Uint8Array): Promise<WriteStatus> {
    const entry = this.#registry.get(processId);
    if (entry === undefined) {
      return 'unknownProcess';
    }
    return entry.state === 'starting' ? 'starting' : entry.process.write(bytes);
  }

  async closeStdin(processId: string): Promise<void> {
    await this.#registry.expect(processId).closeStdin();
  }

  async resize(processId: string, size: TerminalSize): Promise<void> {
    await this.#registry.expect(processId).resize(size);
  }

  async signal(processId: string, name: string): Promise<void> {
    const entry = this.#registry.get(processId);
    if (entry?.state === 'started') {
      await entry.process.signal(name);
    }
  }

  async terminate(processId: string): Promise<{ readonly running: boolean }> {
    const entry = this.#registry.get(processId);
    if (entry?.state === 'starting') {
      this.#cancel(entry);
      return { running: true };
    }
    return { running: entry === undefined ? false : await entry.process.terminate() };
  }

  async stop(processId: string, options?: StopOptions): Promise<StopReport> {
    const entry = this.#registry.get(processId);
    if (entry?.state === 'started') {
      return entry.process.stop(options);
    }
    const { running } = await this.terminate(processId);
    return { running, steps: [], exited: false, survivors: [] };
  }

  /** Stops everything that was started here, forgets it, and leaves the server. */
  async shutdown(options?: StopOptions): Promise<void> {
    this.#shutDown = true;
    const starting = this.#registry.entries.filter((entry) => entry.state === 'starting');
    starting.forEach((entry) => this.#cancel(entry));
    await endProcesses({
      processes: this.#registry.started.filter(({ isForeign }) => !isForeign),
      starts: starting.map(({ finished }) => finished),
      session: this.#session,
      clock: this.#clock,
      options,
    });
    this.disconnect();
    this.#registry.dispose();
    this.#didChangeConnection.dispose();
  }

  /** Leaves the server at once; what runs there goes on for as long as the server keeps it without us. */
  disconnect(): void {
    this.#shutDown = true;
    this.#session.close('closed by this side');
  }

  async #startProcess(params: StartParams, starting: Starting): Promise<void> {
    const { process } = starting;
    const { processId } = params;
    let pid: number | undefined;
    try {
      pid = await startOnServer(params, process, this.#server, this.#session);
    } catch (error) {
      throw starting.cancelled && !isLost(this.connection) ? execErrors.startCancelled(processId) : error;
    }
    if (starting.cancelled) {
      await process.terminate().catch(() => undefined);
      throw execErrors.startCancelled(processId);
    }
    this.#add(process, pid);
  }

  #cancel(starting: Starting): void {
    if (!starting.cancelled) {
      starting.cancelled = true;
      endUnseen(starting.process, this.#session);
    }
  }

  async #attachProcess(handle: string): Promise<RemoteProcess> {
    const wireId = this.#nextName(handle);
    const named = { processId: handle, wireId };
    const windowBytes = this.#server.additions.flow === true ? OUTPUT_WINDOW_BYTES : undefined;
    // It begins to tell before we know what the process is.
    const early: Parameters<RemoteProcess['told']>[0][] = [];
    this.#router.listen(wireId, (event) => void early.push(event));
    try {
      const { process: description } = await this.#session.call(
        'process/attach',
        { handle, processId: wireId, ...(windowBytes !== undefined && { windowBytes }) },
        { timeoutMs: REQUEST_MS },
      );
      const origin = originOf(description, this.#server.host);
      const process = this.#createProcess(handle, origin, wireId);
      early.forEach((event) => process.told(event));
      this.#add(process, description.pid);
      process.catchUp();
      return process;
    } catch (error) {
      this.#router.forget(wireId);
      throw execErrorOf(error, named);
    }
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
      onChange: (changed) => this.#registry.changed(changed),
      onRelease: (released) => this.#registry.released(released),
    });
    this.#router.listen(wireId, (event) => process.told(event));
    return process;
  }

  /** Servers keep an id longer than we do, so each start has one of its own. */
  #nextName(processId: string): string {
    this.#names += 1;
    return `${this.#names}-${processId}`;
  }

  #add(process: RemoteProcess, pid: number | undefined): void {
    process.started(pid);
    this.#registry.add(process);
    if (isLost(this.connection)) {
      process.fail(execErrors.disconnected(this.connection.reason));
    }
  }

  /** What others have started there, or another window. What we have forgotten of our own is over. */
  async #listOthers(): Promise<readonly ProcessInfo[]> {
    try {
      const { processes } = await this.#session.call(
        'process/list',
        {},
        { timeoutMs: REQUEST_MS, repeat: true },
      );
      return processes.flatMap((description) =>
        description.processId === undefined ? [describeProcess(description, this.#server.host)] : [],
      );
    } catch (error) {
      throw execErrorOf(error);
    }
  }

  #connectionChanged(state: ConnectionState): void {
    if (isLost(state)) {
      const error = execErrors.disconnected(state.reason);
      this.#registry.started.forEach((process) => process.fail(error));
    }
    this.#didChangeConnection.fire(state);
  }
}

function isLost(state: ConnectionState): state is Extract<ConnectionState, { kind: 'lost' }> {
  return state.kind === 'lost';
}
