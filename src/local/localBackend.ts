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
  type LogLimits,
  type ProcessInfo,
  ProcessRegistry,
  type StartedProcess,
  type StartingProcess,
  type StartParams,
  type StopOptions,
  systemClock,
} from '../core/index.js';
import { SIGNAL_NAMES } from './exitStatus.js';
import type { Guard } from './guard/guard.js';
import { startHelper, type HelperOptions } from './helperProgram.js';
import { LocalProcess } from './localProcess.js';
import { OneATurn } from './oneATurn.js';
import { OpenTerminals } from './openTerminals.js';
import { isListening } from './portProbe.js';
import { prepareStart, startChild } from './startChild.js';

/** How long a closed process that nobody holds can still be read, in milliseconds. */
export const DEFAULT_RETENTION_MS = 30_000;

export interface LocalBackendOptions {
  readonly limits?: LogLimits;
  readonly retentionMs?: number;
  readonly clock?: Clock;
  /** The variables that env policies inherit; by default those of this process. */
  readonly hostEnv?: Readonly<Record<string, string | undefined>>;
  /** Ends the processes that are left when this process dies. Without one, children on pipes would outlive a kill. */
  readonly guard?: ((openTerminals: OpenTerminals) => Guard) | undefined;
}

/** Runs processes on this machine: on pipes through child_process, on terminals through node-pty. */
export class LocalBackend extends CallsById implements ExecBackend {
  readonly capabilities: BackendCapabilities = {
    resize: true,
    initialSize: true,
    closeStdin: true,
    list: true,
    attach: true,
    stop: true,
    inputMode: process.platform !== 'win32',
    portProbe: true,
    signals: SIGNAL_NAMES,
  };

  readonly host: HostInfo = { platform: process.platform, homeDir: os.homedir() };
  readonly connection: ConnectionState = { kind: 'connected' };
  readonly onDidChangeConnection = new Emitter<ConnectionState>().event;

  readonly #limits: LogLimits;
  readonly #clock: Clock;
  readonly #hostEnv: Readonly<Record<string, string | undefined>>;
  readonly #openTerminals = new OpenTerminals();
  readonly #guard: Guard | undefined;
  readonly #forks = new OneATurn();
  readonly #registry: ProcessRegistry<LocalProcess>;
  #shutDown = false;

  constructor(options: LocalBackendOptions = {}) {
    super();
    this.#limits = options.limits ?? DEFAULT_LOG_LIMITS;
    this.#clock = options.clock ?? systemClock;
    this.#hostEnv = options.hostEnv ?? process.env;
    this.#guard = options.guard?.(this.#openTerminals);
    this.#registry = new ProcessRegistry({
      retentionMs: options.retentionMs ?? DEFAULT_RETENTION_MS,
      clock: this.#clock,
      onEnd: (process) => this.#unwatch(process),
    });
  }

  get onDidChange(): ExecBackend['onDidChange'] {
    return this.#registry.onDidChange;
  }

  async start(params: StartParams): Promise<ExecProcess> {
    const { processId } = params;
    const [program, ...args] = params.argv;
    if (this.#shutDown) {
      throw new ExecError({ kind: 'shutDown' });
    }
    if (program === undefined) {
      throw new ExecError({ kind: 'argvEmpty' });
    }
    const process = await this.#registry.start(processId, (cancelled) =>
      this.#startProcess(params, [program, ...args], cancelled),
    );
    return process.hold();
  }

  list(): Promise<readonly ProcessInfo[]> {
    return Promise.resolve(this.#registry.started.map((process) => process.info()));
  }

  async isListening(port: number): Promise<boolean> {
    checkPort(port);
    return isListening(port);
  }

  async shutdown(options?: StopOptions): Promise<void> {
    this.#shutDown = true;
    // A process that cannot be stopped does not keep the others from being stopped, and the guard tries it once more.
    await Promise.allSettled([
      ...this.#registry.cancelStarts(),
      ...this.#registry.started.map(async (process) => {
        await process.stop(options);
        process.abandon();
        this.#registry.forget(process);
      }),
    ]);
    this.#guard?.dispose();
    this.#registry.dispose();
  }

  protected override find(processId: string): StartingProcess | StartedProcess | undefined {
    return this.#registry.get(processId);
  }

  /** Starts a program that is no session, as {@link startHelper} does. */
  startHelper(argv: readonly [string, ...string[]], options: HelperOptions): ChildProcess {
    return startHelper(argv, options, this.#openTerminals, this.#guard);
  }

  async #startProcess(
    params: StartParams,
    argv: readonly [string, ...string[]],
    cancelled: AbortSignal,
  ): Promise<LocalProcess> {
    const { processId } = params;
    const request = await prepareStart(params, argv, this.#hostEnv);
    await this.#forks.pass();
    throwIfCancelled(processId, cancelled);

    const started = new LocalProcess({
      params,
      size: request.size,
      limits: this.#limits,
      clock: this.#clock,
      // The guard is told at once: the process exists already if this host is killed before the start is complete. Only
      // a host that is killed within the turn that forks leaves it behind: nobody else knows of it yet.
      onFork: (identity) => this.#guard?.watch(identity),
      onChange: (changed) => this.#registry.changed(changed),
      onRelease: (released) => this.#registry.released(released),
    });
    try {
      started.attachChild(await startChild(request, started, this.#openTerminals));
      if (cancelled.aborted) {
        await started.terminate();
        started.abandon();
        throwIfCancelled(processId, cancelled);
      }
    } catch (error) {
      this.#unwatch(started);
      throw error;
    }
    this.#registry.add(started);
    return started;
  }

  #unwatch({ identity }: LocalProcess): void {
    if (identity !== undefined) {
      this.#guard?.unwatchWhenEmpty(identity);
    }
  }
}

function throwIfCancelled(processId: string, cancelled: AbortSignal): void {
  if (cancelled.aborted) {
    throw new ExecError({ kind: 'startCancelled', processId });
  }
}
