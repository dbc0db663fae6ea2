import type { ChildProcess } from 'node:child_process';
import os from 'node:os';

import {
  type BackendCapabilities,
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
  type LogLimits,
  metadataIn,
  type ProcessInfo,
  ProcessRegistry,
  type Sandbox,
  type SightingSource,
  type SessionNumbers,
  type StartedProcess,
  type StartingProcess,
  type StartParams,
  type StopOptions,
  type StopReport,
  systemClock,
} from '../core/index.js';
import type { ChildRequest } from './child/child.js';
import type { Guard } from './guard/guard.js';
import { startHelper, type HelperOptions } from './child/helperProgram.js';
import { ownInherited } from './child/inherited.js';
import { LocalProcess } from './localProcess.js';
import { OpenTerminals } from './child/openTerminals.js';
import { viaShell } from './child/viaShell.js';
import { loadNodePty, terminalTrouble } from './child/nodePty.js';
import { ChildPipes } from './pipes/childPipes.js';
import { type MakePipes, pipeMaker } from './pipes/makePipes.js';
import { PipePool, readyPipes } from './pipes/pipePool.js';
import type { Kin } from './ports/portListeners.js';
import { LocalPorts } from './ports/localPorts.js';
import { canListProcesses } from './marks/processTable.js';
import type { DoorRecords } from './sightings/doorRecord.js';
import { Sightings } from './sightings/sightings.js';
import { CAN_FIND_MARKS, SessionMarks } from './marks/sessionMark.js';
import type { SessionIdentity } from './stop/posixSession.js';
import { type SandboxedHelper, startSandboxedHelper } from './sandbox/sandboxedHelper.js';
import type { SandboxedStart } from './sandbox/sandboxedStart.js';
import type { Sandboxes } from './sandbox/sandboxes.js';
import { sendableSignals } from './stop/signals.js';
import {
  checkForm,
  OneATurn,
  type PreparedStart,
  prepareStart,
  startChild,
  startError,
} from './child/startChild.js';
import { isUsageKnown } from './usage.js';

/** How long a closed process without a holder can still be read, in milliseconds. */
const DEFAULT_RETENTION_MS = 30_000;

export interface LocalBackendOptions {
  readonly limits?: LogLimits;
  /**
   * Whether a busy program is read at intervals while no reader waits for its output (see `pace`). Clients of a
   * connection must not have this: after a cut, the log gives them the output that they missed.
   */
  readonly pacesUnread?: boolean;
  readonly retentionMs?: number;
  readonly clock?: Clock;
  /** The variables that env policies inherit; by default those of this process. */
  readonly hostEnv?: HostVariables;
  /** Ends the processes that are left when this process dies. Without it, children on pipes would outlive a kill. */
  readonly guard?: ((openTerminals: OpenTerminals) => Guard) | undefined;
  /** Numbers the owned processes, except those of agents, whose tools number them. Without it they have no numbers. */
  readonly numbers?: SessionNumbers | undefined;
  /** Starts processes in sandboxes. Without it a start with a sandbox fails. */
  readonly sandboxes?: Sandboxes | undefined;
  /** The commands that agents hand over. Without it they are only seen. */
  readonly door?: DoorRecords | undefined;
  /** Makes the pipes of children; by default in the way that this machine supports. */
  readonly pipes?: ((openTerminals: OpenTerminals) => MakePipes | undefined) | undefined;
}

/** The outcome of the steps that stopped a process, after any caller's request. */
interface StopOutcome {
  readonly processId: string;
  readonly report: StopReport;
}

/** Runs processes on this machine: on pipes through child_process, on terminals through node-pty. */
export class LocalBackend extends CallsById implements ExecBackend {
  readonly host: HostInfo = { platform: process.platform, homeDir: os.homedir() };
  readonly connection: ConnectionState = { kind: 'connected' };
  readonly onDidChangeConnection = new Emitter<ConnectionState>().event;

  readonly sightings: SightingSource | undefined;

  readonly #didStop = new Emitter<StopOutcome>();
  /** Fires when a stop or a kill of a process is over. */
  readonly onDidStop = this.#didStop.event;

  readonly #limits: LogLimits;
  readonly #pacesUnread: boolean;
  readonly #marks = new SessionMarks();
  readonly #clock: Clock;
  readonly #hostEnv: HostVariables;
  #inherited: Inherited | undefined;
  readonly #openTerminals = new OpenTerminals();
  readonly #guard: Guard | undefined;
  readonly #numbers: SessionNumbers | undefined;
  readonly #sandboxes: Sandboxes | undefined;
  readonly #pipes: PipePool;
  readonly #forks = new OneATurn();
  readonly #ports = new LocalPorts((lineage) => this.#processOf(lineage));
  readonly #registry: ProcessRegistry<LocalProcess>;
  #capabilities: ReturnType<typeof capabilitiesOfThisMachine> | undefined;
  #shutDown = false;

  constructor(options: LocalBackendOptions = {}) {
    super();
    this.#limits = options.limits ?? DEFAULT_LOG_LIMITS;
    this.#pacesUnread = options.pacesUnread ?? false;
    this.#clock = options.clock ?? systemClock;
    this.#hostEnv = options.hostEnv ?? process.env;
    this.#guard = options.guard?.(this.#openTerminals);
    this.sightings =
      process.platform === 'linux' && canListProcesses() ? new Sightings(options.door) : undefined;
    this.#numbers = options.numbers;
    this.#sandboxes = options.sandboxes;
    // The kernel takes time to make pipes, so the pool uses real time and not the injected clock.
    this.#pipes = new PipePool((options.pipes ?? pipeMaker)(this.#openTerminals), systemClock, readyPipes());
    this.#registry = new ProcessRegistry({
      retentionMs: options.retentionMs ?? DEFAULT_RETENTION_MS,
      clock: this.#clock,
      onEnd: (process) => this.#unwatch(process),
    });
  }

  /** Found out when first needed: checking for terminals takes some milliseconds. */
  get capabilities(): BackendCapabilities {
    this.#capabilities ??= capabilitiesOfThisMachine();
    return {
      ...this.#capabilities,
      anonymousPipes: this.#pipes.available,
      sandbox: this.#sandboxes?.available === true,
    };
  }

  get onDidChange(): ExecBackend['onDidChange'] {
    return this.#registry.onDidChange;
  }

  async start(params: StartParams): Promise<ExecProcess> {
    if (this.#shutDown) {
      throw new ExecError({ kind: 'shutDown' });
    }
    checkForm(params);
    const { processId } = params;
    const [program, ...args] = params.argv;
    if (program === undefined) {
      throw new ExecError({ kind: 'argvEmpty' });
    }
    const process = await this.#registry.start(processId, async (cancelled) =>
      this.#startProcess(await this.#numbered(params), [program, ...args], cancelled),
    );
    return process.hold();
  }

  async remove(processId: string): Promise<void> {
    const process = this.#registry.removable(processId);
    if (process !== undefined) {
      // The process's descendants may hold its output open, which no reader will read.
      await process.letGo();
      this.#registry.forget(process);
    }
  }

  list(): Promise<readonly ProcessInfo[]> {
    return Promise.resolve(this.#registry.started.map((process) => process.info()));
  }

  async isListening(port: number): Promise<boolean> {
    checkPort(port);
    return this.#ports.isListening(port);
  }

  async shutdown(options?: StopOptions): Promise<void> {
    this.#shutDown = true;
    // Only starts wait for pipes, and starts are cancelled.
    this.#pipes.dispose();
    // A process that cannot be stopped must not keep the others from being stopped; the guard tries it once more.
    await Promise.allSettled([
      ...this.#registry.cancelStarts(),
      ...this.#registry.started.map(async (process) => {
        await process.end(options);
        this.#registry.forget(process);
      }),
    ]);
    await this.#sandboxes?.settled();
    this.#guard?.dispose();
    this.#registry.dispose();
  }

  protected override find(processId: string): StartingProcess | StartedProcess | undefined {
    return this.#registry.get(processId);
  }

  /**
   * The mark that identifies everything that a process has started; undefined if it has no mark, or there is no such
   * process.
   */
  markOf(processId: string): string | undefined {
    return this.#registry.started.find((process) => process.processId === processId)?.mark;
  }

  /** The POSIX session that a process leads; undefined if it leads no session, or there is no such process. */
  sessionOf(processId: string): SessionIdentity | undefined {
    return this.#registry.started.find((process) => process.processId === processId)?.identity;
  }

  /** Names a file in which the guard lists what it has stopped, if this process ends without stopping it. */
  reportGuardedEndsTo(file: string): void {
    this.#guard?.reportTo(file);
  }

  /** Prepares what takes time at the first start. */
  prepare(): void {
    this.#pipes.prepare();
  }

  /**
   * Loads everything that any start needs, so that the files of this program may be removed afterwards. A part that
   * cannot be loaded is missing in the capabilities, and is tried again when it is needed.
   */
  async loadEverything(): Promise<void> {
    this.prepare();
    if (this.capabilities.terminals) {
      await loadNodePty().catch(() => undefined);
    }
  }

  /** Starts a program that is not a session, as {@link startHelper} does. */
  startHelper(argv: readonly [string, ...string[]], options: HelperOptions): Promise<ChildProcess> {
    return startHelper(argv, options, this.#openTerminals, this.#guard);
  }

  /**
   * Starts a program that is not a session in a sandbox, in the root directory.
   *
   * @throws ExecError if there can be no such sandbox here.
   */
  async startSandboxedHelper(
    argv: readonly [string, ...string[]],
    env: Readonly<Record<string, string>>,
    sandbox: Sandbox,
  ): Promise<SandboxedHelper> {
    const sandboxed = await this.#wrap({ argv, cwd: '/', env }, sandbox);
    return startSandboxedHelper(sandboxed, ({ argv: wrapper, ...options }) =>
      this.startHelper(wrapper, { ...options, detached: true, windowsHide: true }),
    );
  }

  async #numbered(params: StartParams): Promise<StartParams> {
    const { owned, metadata = {} } = params;
    const isAgents = metadataIn(metadata, 'origin').kind === 'agent';
    return this.#numbers === undefined || owned !== true || isAgents
      ? params
      : { ...params, metadata: { ...metadata, number: await this.#numbers.next() } };
  }

  async #startProcess(
    params: StartParams,
    argv: readonly [string, ...string[]],
    cancelled: AbortSignal,
  ): Promise<LocalProcess> {
    const socketsAtStart = this.#ports.lookAtStart();
    const inherited = params.inherited && (this.#inherited ??= ownInherited());
    const host = { env: this.#hostEnv, mark: this.#marks.next(), inherited };
    const request = await prepareStart(params, argv, host);
    const sandboxed =
      params.sandbox && (await this.#wrap(viaShell(request, { inSandbox: true }), params.sandbox));
    let pipes: ChildPipes | undefined;
    try {
      pipes = params.tty ? undefined : await ChildPipes.take(this.#pipes, request);
      await this.#forks.pass();
      return await this.#fork({ params, request, sandboxed, pipes, socketsAtStart }, cancelled);
    } catch (error) {
      await sandboxed?.end();
      throw error;
    } finally {
      pipes?.close();
    }
  }

  #wrap(request: ChildRequest, sandbox: Sandbox): Promise<SandboxedStart> {
    if (this.#sandboxes === undefined) {
      throw new ExecError({ kind: 'unsupported', feature: 'sandbox' });
    }
    this.#guard?.sweep(this.#sandboxes.notes);
    return this.#sandboxes.wrap(request, sandbox).catch((error: unknown) => {
      throw startError(error, request);
    });
  }

  async #fork(
    prepared: {
      readonly params: StartParams;
      readonly request: PreparedStart;
      readonly sandboxed: SandboxedStart | undefined;
      readonly pipes: ChildPipes | undefined;
      readonly socketsAtStart: Promise<number | undefined>;
    },
    cancelled: AbortSignal,
  ): Promise<LocalProcess> {
    const { params, request, sandboxed, pipes } = prepared;
    throwIfCancelled(params.processId, cancelled);
    const started = new LocalProcess({
      params,
      mark: request.mark,
      size: request.size,
      limits: this.#limits,
      pacesUnread: this.#pacesUnread,
      clock: this.#clock,
      guard: this.#guard,
      sandboxed,
      portListeners: (viewer) => this.#ports.listenersFor(viewer, prepared.socketsAtStart),
      onChange: (changed) => this.#registry.changed(changed),
      onRelease: (released) => this.#registry.released(released),
      onStop: (report) => this.#didStop.fire({ processId: params.processId, report }),
    });
    try {
      await started.attachChild(
        await startChild(request, sandboxed?.request, pipes, started, this.#openTerminals),
      );
      if (cancelled.aborted) {
        await started.terminate();
        started.abandon();
        throwIfCancelled(params.processId, cancelled);
      }
    } catch (error) {
      this.#unwatch(started);
      throw error;
    }
    this.#registry.add(started);
    return started;
  }

  /**
   * The process of this backend to which the process with these ancestors belongs; the nearest ancestor comes first.
   */
  #processOf(lineage: readonly Kin[]): string | undefined {
    const all = this.#registry.started;
    for (const kin of lineage) {
      const owner = all.find((process) => process.includes(kin));
      if (owner !== undefined) {
        return owner.processId;
      }
    }
    return undefined;
  }

  #unwatch({ identity }: LocalProcess): void {
    if (identity !== undefined) {
      this.#guard?.unwatchWhenEmpty(identity);
    }
  }
}

function capabilitiesOfThisMachine(): Omit<BackendCapabilities, 'anonymousPipes' | 'sandbox'> {
  const terminals = terminalTrouble() === undefined;
  return {
    terminals,
    resize: terminals,
    initialSize: terminals,
    closeStdin: true,
    list: true,
    attach: true,
    stop: true,
    survivors: CAN_FIND_MARKS,
    inputMode: terminals && process.platform !== 'win32',
    inputWait: process.platform === 'linux',
    portProbe: LocalPorts.areListed ? 'list' : 'connection',
    listeners: LocalPorts.areListed,
    usage: isUsageKnown(),
    ownership: true,
    metadata: true,
    startedWith: true,
    changes: true,
    views: false,
    keptOutput: false,
    outputTimes: true,
    signals: sendableSignals(),
  };
}

function throwIfCancelled(processId: string, cancelled: AbortSignal): void {
  if (cancelled.aborted) {
    throw new ExecError({ kind: 'startCancelled', processId });
  }
}
