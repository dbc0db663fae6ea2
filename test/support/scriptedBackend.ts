import { OutputModes } from '../../src/terminal/index.js';
import {
  Emitter,
  ExecError,
  NOTHING_KEPT,
  patchedMetadata,
  ProcessLog,
  startedWith,
  type BackendCapabilities,
  type BackendChange,
  type Clock,
  type ConnectionState,
  type DescribeOptions,
  type ExecBackend,
  type ExecEvent,
  type ExecProcess,
  type HostInfo,
  type InputMode,
  type InputWait,
  type KeptOptions,
  type KeptOutput,
  type ProcessIdentity,
  type ProcessInfo,
  type ProcessMetadata,
  type SandboxRefusal,
  type StartedWith,
  type StartParams,
  type StopReport,
  type SubscribeOptions,
  type Subscription,
  type Survivor,
  type TerminalSize,
  type ViewState,
  type WriteStatus,
} from '../../src/core/index.js';
import { utf8 } from './bytes.js';
import { cutOff } from './failures.js';

export const EVERYTHING: BackendCapabilities = {
  terminals: true,
  resize: true,
  initialSize: true,
  closeStdin: true,
  list: true,
  attach: true,
  stop: true,
  survivors: true,
  inputMode: true,
  inputWait: true,
  portProbe: 'list',
  listeners: true,
  usage: true,
  anonymousPipes: true,
  ownership: true,
  metadata: true,
  startedWith: true,
  changes: true,
  views: true,
  keptOutput: false,
  outputTimes: false,
  sandbox: false,
  signals: ['SIGINT'],
};

/** The capabilities of `codex exec-server`. */
export const BASE_SERVER: BackendCapabilities = {
  terminals: true,
  resize: false,
  initialSize: false,
  closeStdin: false,
  list: false,
  attach: false,
  stop: false,
  survivors: false,
  inputMode: false,
  inputWait: false,
  portProbe: false,
  listeners: false,
  usage: false,
  anonymousPipes: false,
  ownership: false,
  metadata: false,
  startedWith: false,
  changes: false,
  views: false,
  keptOutput: false,
  outputTimes: false,
  sandbox: false,
  signals: ['SIGINT', 'SIGKILL'],
};

const NOTHING_TO_STOP: StopReport = { running: false, steps: [], exited: true, survivors: [] };

/** A process that does as its test says, and remembers the calls. */
export class ScriptedProcess implements ExecProcess {
  readonly processId: string;
  readonly log: ProcessLog;
  readonly params: StartParams;
  readonly sizes: TerminalSize[] = [];
  readonly signals: string[] = [];
  /** The number of handles on it. */
  holders = 0;
  input = '';
  writeStatus: WriteStatus = 'accepted';
  /** The answer about the input mode of its terminal; a function, so that it can be slow or fail. */
  mode: () => Promise<InputMode | undefined> = () => Promise.resolve(undefined);
  /** The answer about what it waits for. */
  wait: () => Promise<InputWait | undefined> = () => Promise.resolve(undefined);
  /** The listeners at ports, as seen from it. */
  listeners: ExecProcess['listeners'] = () => Promise.resolve([]);
  /** The resources that it uses now; a function, so that it can be slow or fail. */
  usage: ExecProcess['usage'] = () => Promise.resolve(undefined);
  /** The states that its viewers have sent, oldest first. */
  readonly views: ViewState[] = [];
  /** The processes that it has left behind. */
  left: readonly Survivor[] = [];
  readonly #clock: Clock;
  readonly #changed: () => void;
  readonly #startedAt: number;
  readonly #decoder = new TextDecoder();
  #exitedAt: number | undefined;
  #metadata: ProcessMetadata;
  #viewedElsewhere = false;

  constructor(params: StartParams, clock: Clock, changed: () => void) {
    this.processId = params.processId;
    this.params = params;
    this.#metadata = params.metadata ?? {};
    this.#clock = clock;
    this.#changed = changed;
    this.#startedAt = clock.now();
    this.log = new ProcessLog({ clock, modes: new OutputModes() });
  }

  get onWake() {
    return this.log.onWake;
  }

  prints(text: string, stream: 'stdout' | 'stderr' | 'pty' = this.params.tty ? 'pty' : 'stdout'): void {
    const bytes = utf8(text);
    this.log.appendOutput(stream, bytes, true);
    // As with a real terminal, the next read overwrites this memory.
    bytes.fill(0);
  }

  exits(exitCode: number, signal?: string, refused?: SandboxRefusal): void {
    this.#exitedAt = this.#clock.now();
    this.log.appendExit({ exitCode, ...(signal !== undefined && { signal }), ...(refused && { refused }) });
    this.#changed();
  }

  closes(): void {
    this.log.appendClose();
    this.#changed();
  }

  ends(exitCode: number, signal?: string): void {
    this.exits(exitCode, signal);
    this.closes();
  }

  /** Another client is its primary viewer, or is so no more. */
  isViewedElsewhere(viewedElsewhere: boolean): void {
    this.#viewedElsewhere = viewedElsewhere;
    this.#changed();
  }

  /** Its connection is lost. */
  fails(ended: string): void {
    this.log.fail(cutOff(ended));
    this.#changed();
  }

  info(): ProcessInfo {
    const { argv, cwd, tty, pipeStdin, owned, sandbox } = this.params;
    const { exit, closed, failure } = this.log;
    const size = this.sizes.at(-1) ?? this.params.size;
    return {
      processId: this.processId,
      argv,
      cwd,
      tty,
      pipeStdin: pipeStdin ?? false,
      state: failure ? 'failed' : closed ? 'closed' : exit ? 'exited' : 'running',
      startedAt: this.#startedAt,
      ...(this.#exitedAt !== undefined && { exitedAt: this.#exitedAt }),
      ...(exit && { exit }),
      ...(failure && { failure }),
      ...(size && { size }),
      output: this.log.stats,
      metadata: this.#metadata,
      ...(owned === true && { owned }),
      ...(sandbox && { sandbox }),
      ...(this.#viewedElsewhere && { viewedElsewhere: true }),
    };
  }

  subscribe(options: SubscribeOptions, listener: (event: ExecEvent) => void): Subscription {
    return this.log.subscribe(options, listener);
  }

  read: ExecProcess['read'] = (options, signal) => this.log.read(options, signal);

  write(bytes: Uint8Array): Promise<WriteStatus> {
    this.input += this.#decoder.decode(bytes, { stream: true });
    return Promise.resolve(this.writeStatus);
  }

  closeStdin(): Promise<void> {
    this.input += '<end>';
    return Promise.resolve();
  }

  resize(size: TerminalSize): Promise<void> {
    this.sizes.push(size);
    return Promise.resolve();
  }

  inputMode(): Promise<InputMode | undefined> {
    return this.mode();
  }

  inputWait(): Promise<InputWait | undefined> {
    return this.wait();
  }

  signal(name: string): Promise<void> {
    this.signals.push(name);
    return Promise.resolve();
  }

  terminate(): Promise<{ readonly running: boolean }> {
    return Promise.resolve({ running: false });
  }

  stop(): Promise<StopReport> {
    return Promise.resolve(NOTHING_TO_STOP);
  }

  survivors(): Promise<readonly Survivor[]> {
    return Promise.resolve(this.left);
  }

  endSurvivor({ pid, startTime }: ProcessIdentity): Promise<StopReport> {
    const before = this.left;
    this.left = before.filter((one) => one.pid !== pid || one.startTime !== startTime);
    if (this.left.length === before.length) {
      return Promise.reject(new ExecError({ kind: 'noSurvivor', pid }));
    }
    return Promise.resolve({ running: true, steps: ['terminate'], exited: true, survivors: [] });
  }

  describe(patch: ProcessMetadata, { provided }: DescribeOptions = {}): Promise<void> {
    this.#metadata = patchedMetadata(this.processId, this.#metadata, patch, provided);
    this.#changed();
    return Promise.resolve();
  }

  startedWith(): Promise<StartedWith> {
    return Promise.resolve(startedWith(this.params));
  }

  /** Its output that is kept elsewhere than in its log. */
  readKept: ExecProcess['readKept'] = () => Promise.resolve(NOTHING_KEPT);

  seqBefore(): Promise<number> {
    return Promise.resolve(0);
  }

  view(state: ViewState): Promise<void> {
    this.views.push(state);
    return Promise.resolve();
  }

  evictTo(bytes: number): void {
    this.log.evictTo(bytes);
  }

  release(): void {
    this.holders -= 1;
  }
}

/** A backend of {@link ScriptedProcess}es. */
export class ScriptedBackend implements ExecBackend {
  readonly processes: ScriptedProcess[] = [];
  /** The error with which the next starts fail. */
  refusal: Error | undefined;
  /** The ports that its processes listen on. */
  readonly ports = new Set<number>();
  readonly #clock: Clock;
  readonly #didChange = new Emitter<BackendChange>();

  readonly #didChangeConnection = new Emitter<ConnectionState>();
  #connection: ConnectionState = { kind: 'connected' };

  readonly host: HostInfo;
  readonly capabilities: BackendCapabilities;
  readonly onDidChange = this.#didChange.event;
  readonly onDidChangeConnection = this.#didChangeConnection.event;

  constructor(clock: Clock, options: { host?: HostInfo; capabilities?: BackendCapabilities } = {}) {
    this.#clock = clock;
    this.host = options.host ?? {};
    this.capabilities = options.capabilities ?? EVERYTHING;
  }

  get connection(): ConnectionState {
    return this.#connection;
  }

  /** Whether anything listens to its events. */
  get watched(): boolean {
    return this.#didChange.observed || this.#didChangeConnection.observed;
  }

  /** Cuts the connection, which may be recovered for this many milliseconds. */
  loses(ended: string, forMs: number): void {
    const since = this.#clock.now();
    this.#becomes({ kind: 'recovering', reason: { kind: 'ended', ended }, since, until: since + forMs });
  }

  recovers(): void {
    this.#becomes({ kind: 'connected' });
  }

  /** Ends the connection for good, and with it every process that has not closed. */
  fails(ended: string): void {
    this.#connection = { kind: 'lost', reason: { kind: 'ended', ended } };
    for (const process of this.processes.filter(({ log }) => !log.ended)) {
      process.fails(ended);
    }
    this.#becomes(this.#connection);
  }

  #becomes(connection: ConnectionState): void {
    this.#connection = connection;
    this.#didChangeConnection.fire(connection);
  }

  /** Tells of a change, as of a process of another client. */
  tells(change: BackendChange): void {
    this.#didChange.fire(change);
  }

  /** Adds a process that another client has started. */
  runs(params: StartParams): ScriptedProcess {
    const { processId } = params;
    const process = new ScriptedProcess(params, this.#clock, () =>
      this.#didChange.fire({ type: 'changed', processId }),
    );
    process.listeners = (port) =>
      Promise.resolve(
        this.ports.has(port)
          ? [
              {
                addresses: ['127.0.0.1'],
                pid: 40,
                command: 'node server.js',
                own: true,
                processId,
                later: true,
              },
            ]
          : [],
      );
    this.processes.push(process);
    return process;
  }

  start(params: StartParams): Promise<ScriptedProcess> {
    if (this.refusal !== undefined) {
      return Promise.reject(this.refusal);
    }
    const process = this.runs(params);
    process.holders += 1;
    return Promise.resolve(process);
  }

  attach(processId: string): Promise<ScriptedProcess> {
    const process = this.processes.find((candidate) => candidate.processId === processId);
    if (process === undefined) {
      return Promise.reject(new ExecError({ kind: 'unknownProcess', processId }));
    }
    process.holders += 1;
    return Promise.resolve(process);
  }

  async readKept(processId: string, options: KeptOptions): Promise<KeptOutput> {
    const process = this.processes.find((one) => one.processId === processId);
    return (await process?.readKept(options)) ?? NOTHING_KEPT;
  }

  remove(processId: string): Promise<void> {
    const index = this.processes.findIndex((candidate) => candidate.processId === processId);
    const process = this.processes[index];
    if (process?.info().state === 'running') {
      return Promise.reject(new ExecError({ kind: 'processRunning', processId }));
    }
    if (process !== undefined) {
      this.processes.splice(index, 1);
      this.#didChange.fire({ type: 'removed', processId });
    }
    return Promise.resolve();
  }

  async list(): Promise<readonly ProcessInfo[]> {
    return Promise.resolve(this.processes.map((process) => process.info()));
  }

  read: ExecBackend['read'] = async (id, options, signal) => (await this.attach(id)).read(options, signal);
  write: ExecBackend['write'] = async (id, bytes) => (await this.attach(id)).write(bytes);
  closeStdin: ExecBackend['closeStdin'] = async (id) => (await this.attach(id)).closeStdin();
  resize: ExecBackend['resize'] = async (id, size) => (await this.attach(id)).resize(size);
  signal: ExecBackend['signal'] = async (id, name) => (await this.attach(id)).signal(name);
  terminate: ExecBackend['terminate'] = async (id) => (await this.attach(id)).terminate();
  stop: ExecBackend['stop'] = async (id) => (await this.attach(id)).stop();
  isListening: ExecBackend['isListening'] = (port) =>
    this.capabilities.portProbe !== false
      ? Promise.resolve(this.ports.has(port))
      : Promise.reject(new ExecError({ kind: 'unsupported', feature: 'portProbe' }));
  shutdown: ExecBackend['shutdown'] = () => Promise.resolve();
}
