import {
  checkSize,
  type Clock,
  CTRL_D,
  type DescribeOptions,
  ExecError,
  type ExecProcess,
  type ExitStatus,
  type HeldProcess,
  type InputMode,
  type InputWait,
  type KeptOutput,
  type LogLimits,
  NOTHING_KEPT,
  type OutputStream,
  OutputTimes,
  patchedMetadata,
  type PortListener,
  ProcessHandle,
  type ProcessIdentity,
  type ProcessInfo,
  ProcessLog,
  type ProcessMetadata,
  type ProcessUsage,
  type StartedWith,
  type StartParams,
  type StopOptions,
  type StopReport,
  type Survivor,
  startedWith,
  systemClock,
  type TerminalSize,
  untilEnd,
  untilExit,
  type WriteStatus,
} from '../core/index.js';
import { OutputModes } from '../terminal/index.js';
import type { Child, ChildSink } from './child/child.js';
import type { Guard } from './guard/guard.js';
import type { ForkSign } from './guard/messages.js';
import { type SandboxedStart, wordsIn } from './sandbox/sandboxedStart.js';
import { LineLimit } from './lineLimit.js';
import type { Kin, PortListeners, PortViewer } from './ports/portListeners.js';
import { identify, killGroup, type SessionIdentity } from './stop/posixSession.js';
import { ProcessSight } from './marks/processSight.js';
import { ProcessStop, type StoppedProcess, type StopLook } from './stop/processStop.js';
import { readUnread } from './child/readAvailable.js';

/** How long the end of the backend waits at most for the ends of destroyed streams, in milliseconds. */
const ABANDONED_MS = 200;
/** How long a terminate waits at most for its kill to take effect, in milliseconds. */
const LOCAL_KILL_CONFIRM_MS = 500;
/** A killed process usually exits within this time, in milliseconds. */
const KILLED_MS = 5;
const WINDOWS = process.platform === 'win32';

/** One started process of the local backend: its child, its log, and its other facts. */
export class LocalProcess implements ChildSink, HeldProcess, StoppedProcess {
  readonly processId: string;
  readonly log: ProcessLog;
  readonly mark: string | undefined;
  readonly #params: StartParams;
  readonly #clock: Clock;
  readonly #guard: Guard | undefined;
  readonly #stop: ProcessStop;
  readonly #sight: ProcessSight;
  readonly #onChange: (process: LocalProcess) => void;
  readonly #onRelease: (process: LocalProcess) => void;
  readonly #onStop: (report: StopReport) => void;
  readonly #startedAt: number;
  readonly #pacesUnread: boolean;
  readonly #times = new OutputTimes();
  readonly #sandboxed: SandboxedStart | undefined;
  readonly #input: LineLimit;
  #size: TerminalSize | undefined;
  #metadata: ProcessMetadata;
  #child: Child | undefined;
  #identity: SessionIdentity | undefined;
  #exitedAt: number | undefined;
  #closedAt: number | undefined;
  #ended = false;
  #stdinClosed = false;
  #holders = 0;

  constructor(options: {
    params: StartParams;
    /** The mark in its variables; undefined if they have no mark. */
    mark: string | undefined;
    size: TerminalSize | undefined;
    limits: LogLimits;
    pacesUnread: boolean;
    clock: Clock;
    /** The guard is told at once, since this host may be killed before the start is complete. */
    guard: Guard | undefined;
    sandboxed: SandboxedStart | undefined;
    portListeners: (viewer: PortViewer) => PortListeners;
    onChange: (process: LocalProcess) => void;
    /** Called when a holder has released it. */
    onRelease: (process: LocalProcess) => void;
    /** Called when a stop or a kill of it is over. */
    onStop: (report: StopReport) => void;
  }) {
    this.#params = options.params;
    this.mark = options.mark;
    this.processId = options.params.processId;
    this.#input = new LineLimit(this, options.params.tty);
    this.#size = options.size;
    this.#metadata = options.params.metadata ?? {};
    this.#clock = options.clock;
    this.#guard = options.guard;
    this.#sandboxed = options.sandboxed;
    this.#sight = new ProcessSight(this, options.portListeners);
    this.#stop = new ProcessStop(this);
    this.#onChange = options.onChange;
    this.#onRelease = options.onRelease;
    this.#onStop = options.onStop;
    this.#startedAt = options.clock.wallTime();
    this.log = new ProcessLog({
      limits: options.limits,
      clock: options.clock,
      fetch: () => this.#child?.fetch?.(),
      modes: options.params.tty ? new OutputModes() : undefined,
    });
    if (options.size !== undefined) {
      this.log.resized(options.size);
    }
    this.log.onFlow((paused) => this.#child?.setPaused(paused));
    this.#pacesUnread = options.pacesUnread;
    if (options.pacesUnread) {
      this.log.onAwaited((awaited) => this.#child?.setAwaited?.(awaited));
    }
  }

  /**
   * Called when the child has started. The log already has its reports so far. In a sandbox, resolves once the program
   * runs, or has ended.
   *
   * @throws ExecError if the sandbox could not be made.
   */
  async attachChild(child: Child): Promise<void> {
    this.#child = child;
    if (this.log.paused) {
      child.setPaused(true);
    }
    child.setAwaited?.(this.log.awaited || !this.#pacesUnread);
    await this.#sandboxed?.started(child.pid, () => wordsIn(this.log));
  }

  /** The POSIX session that the process leads; undefined before there is one. */
  get identity(): SessionIdentity | undefined {
    return this.#identity;
  }

  get child(): Child | undefined {
    return this.#child;
  }

  /** The processes that make its sandbox. */
  get wrapper(): readonly number[] {
    return this.#sandboxed?.wrapper ?? [];
  }

  get command(): string {
    return this.#params.argv[0] ?? '';
  }

  get tty(): boolean {
    return this.#params.tty;
  }

  get owned(): boolean {
    return this.#params.owned === true;
  }

  get held(): boolean {
    return this.#holders > 0;
  }

  forking(sign: ForkSign | undefined): void {
    this.#guard?.expect(sign);
  }

  forked(pid: number): void {
    this.#identity = identify(pid);
    this.#guard?.watch(this.#identity);
  }

  output(stream: OutputStream, bytes: Uint8Array, lent = false): void {
    if (!this.log.ended) {
      this.log.appendOutput(stream, bytes, lent);
      this.#times.note(this.log.lastSeq, this.#clock.wallTime());
    }
  }

  exited(status: ExitStatus): void {
    this.#exitedAt = this.#clock.wallTime();
    this.log.appendExit(this.#sandboxed?.exited(status, this.log) ?? status);
    this.#closeIfDone();
    this.#onChange(this);
  }

  ended(): void {
    this.#ended = true;
    if (this.#closeIfDone()) {
      this.#onChange(this);
    }
  }

  info(): ProcessInfo {
    this.log.fetch();
    const { exit } = this.log;
    return {
      processId: this.processId,
      argv: this.#params.argv,
      cwd: this.#params.cwd,
      tty: this.#params.tty,
      pipeStdin: this.#params.pipeStdin ?? false,
      state: this.log.closed ? 'closed' : exit ? 'exited' : this.#child ? 'running' : 'starting',
      ...(this.#child && { pid: this.#sandboxed?.pid ?? this.#child.pid }),
      startedAt: this.#startedAt,
      ...(this.#exitedAt !== undefined && { exitedAt: this.#exitedAt }),
      ...(this.#closedAt !== undefined && { closedAt: this.#closedAt }),
      ...(exit && { exit }),
      ...(this.#size && { size: this.#size }),
      output: this.log.stats,
      metadata: this.#metadata,
      ...(this.owned && { owned: true }),
      ...(this.#params.sandbox && { sandbox: this.#params.sandbox }),
    };
  }

  async write(bytes: Uint8Array): Promise<WriteStatus> {
    if (!this.#takesInput()) {
      return 'stdinClosed';
    }
    await this.#input.write(bytes, () => this.#child?.write(bytes));
    return 'accepted';
  }

  closeStdin(): void {
    if (!this.#params.tty && this.#params.pipeStdin !== true) {
      throw new ExecError({ kind: 'noStdinPipe', processId: this.processId });
    }
    this.#stdinClosed = !this.#params.tty;
    void this.#input.write(CTRL_D, () => this.#child?.closeStdin());
  }

  resize(size: TerminalSize): void {
    if (!this.#params.tty) {
      throw new ExecError({ kind: 'noTerminal', processId: this.processId });
    }
    checkSize(size);
    if (this.#size?.columns === size.columns && this.#size.rows === size.rows) {
      return;
    }
    this.#size = size;
    if (!this.log.ended) {
      // The program has written its earlier output for the earlier size.
      this.log.fetch();
      this.log.resized(size);
      this.#child?.resize?.(size);
      this.#onChange(this);
    }
  }

  describe(patch: ProcessMetadata, { provided }: DescribeOptions = {}): void {
    const before = this.#metadata;
    this.#metadata = patchedMetadata(this.processId, before, patch, provided);
    if (this.#metadata !== before) {
      this.#onChange(this);
    }
  }

  startedWith(): Promise<StartedWith> {
    return Promise.resolve(startedWith(this.#params));
  }

  /** Local output is in memory only: a server has the files. */
  readKept(): Promise<KeptOutput> {
    return Promise.resolve(NOTHING_KEPT);
  }

  seqBefore(time: number): Promise<number> {
    return Promise.resolve(this.#times.seqBefore(time));
  }

  /** Nothing happens: this backend has one client. */
  view(): Promise<void> {
    return Promise.resolve();
  }

  async inputMode(): Promise<InputMode | undefined> {
    const mode = await this.#child?.inputMode?.();
    return this.log.exit === undefined ? mode : undefined;
  }

  async inputWait(): Promise<InputWait | undefined> {
    const wait = await this.#child?.inputWait?.(this.log);
    return this.log.exit === undefined ? wait : undefined;
  }

  signal(name: string): Promise<void> {
    return this.#stop.signal(name);
  }

  /** @returns whether the process was running. */
  async terminate(): Promise<boolean> {
    const running = this.log.exit === undefined;
    if (running && this.#identity !== undefined && !WINDOWS) {
      // The leader's group is known without a list of all processes; the other members are found afterwards.
      killGroup(this.#identity.sid, 'SIGKILL');
      await untilExit(this.log, { clock: systemClock, limitMs: KILLED_MS });
    }
    this.#onStop(
      await this.#stop.climb(['kill'], { graceMs: { kill: LOCAL_KILL_CONFIRM_MS } }, { thorough: false }),
    );
    await readUnread(this.log, this.#child);
    this.abandon();
    return running;
  }

  async stop(options: StopOptions = {}, look: StopLook = { thorough: true }): Promise<StopReport> {
    const report = await this.#stop.run(options, look);
    this.#onStop(report);
    return report;
  }

  /** Stops it with the backend. Resolves once its followers have everything that can still be told of it. */
  async end(options?: StopOptions): Promise<void> {
    try {
      await this.stop(options, { thorough: false });
    } finally {
      await readUnread(this.log, this.#child);
      this.abandon();
    }
    if (this.log.exit !== undefined) {
      // Streams that are destroyed report their ends only in a later turn.
      await untilEnd(this.log, { clock: systemClock, limitMs: ABANDONED_MS });
    }
  }

  survivors(): Promise<readonly Survivor[]> {
    return this.#stop.survivors();
  }

  endSurvivor(survivor: ProcessIdentity, options: StopOptions = {}): Promise<StopReport> {
    return this.#stop.endSurvivor(survivor, options);
  }

  listeners(port: number): Promise<readonly PortListener[]> {
    return this.#sight.listeners(port);
  }

  usage(): Promise<ProcessUsage | undefined> {
    return this.#sight.usage();
  }

  /** Whether another process belongs to it. */
  includes(kin: Kin): boolean {
    return this.#sight.includes(kin);
  }

  /** Stops reading, even if other processes still hold the other side; the log closes if the process has exited. */
  abandon(): void {
    this.#child?.abandon();
  }

  /** Stops reading from a process that has exited. Resolves once its log has ended. */
  async letGo(): Promise<void> {
    if (!this.log.ended) {
      this.abandon();
      await untilEnd(this.log, { clock: systemClock, limitMs: ABANDONED_MS });
    }
  }

  hold(): ExecProcess {
    this.#holders += 1;
    return new ProcessHandle(this, () => {
      this.#holders -= 1;
      this.#onRelease(this);
    });
  }

  #takesInput(): boolean {
    return this.#params.tty || (this.#params.pipeStdin === true && !this.#stdinClosed);
  }

  /** @returns whether it has closed now. */
  #closeIfDone(): boolean {
    if (!this.#ended || this.log.exit === undefined || this.log.ended) {
      return false;
    }
    this.#closedAt = this.#clock.wallTime();
    this.log.appendClose();
    return true;
  }
}
