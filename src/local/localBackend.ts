import type { ChildProcess } from 'node:child_process';
import os from 'node:os';

import {
  type BackendCapabilities,
  type BackendChange,
  CallsById,
  checkPort,
  type Clock,
  type ConnectionState,
  DEFAULT_LOG_LIMITS,
  type Disposable,
  Emitter,
  type ExecBackend,
  execErrors,
  type ExecProcess,
  type HostInfo,
  type LogLimits,
  type ProcessInfo,
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
  /** The variables that environment policies inherit; by default those of this process. */
  readonly hostEnvironment?: Readonly<Record<string, string | undefined>>;
  /** Ends the processes that are left when this process dies. Without one, children on pipes would outlive a kill. */
  readonly guard?: ((openTerminals: OpenTerminals) => Guard) | undefined;
}

interface Starting extends StartingProcess {
  cancelled: boolean;
  /** Settles, and never rejects, when the start has succeeded or its id is free again. */
  finished: Promise<unknown>;
}

interface Started extends StartedProcess {
  readonly process: LocalProcess;
  /** Runs from the close on; undefined once it has fired. */
  retention: Disposable | undefined;
  expired: boolean;
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
  readonly #retentionMs: number;
  readonly #clock: Clock;
  readonly #hostEnvironment: Readonly<Record<string, string | undefined>>;
  readonly #openTerminals = new OpenTerminals();
  readonly #guard: Guard | undefined;
  readonly #forks = new OneATurn();
  readonly #entries = new Map<string, Starting | Started>();
  readonly #didChange = new Emitter<BackendChange>();
  #shutDown = false;

  constructor(options: LocalBackendOptions = {}) {
    super();
    this.#limits = options.limits ?? DEFAULT_LOG_LIMITS;
    this.#retentionMs = options.retentionMs ?? DEFAULT_RETENTION_MS;
    this.#clock = options.clock ?? systemClock;
    this.#hostEnvironment = options.hostEnvironment ?? process.env;
    this.#guard = options.guard?.(this.#openTerminals);
  }

  get onDidChange(): ExecBackend['onDidChange'] {
    return this.#didChange.event;
  }

  async start(params: StartParams): Promise<ExecProcess> {
    const { processId } = params;
    const [program, ...args] = params.argv;
    if (this.#shutDown) {
      throw execErrors.shutDown();
    }
    if (program === undefined) {
      throw execErrors.argvEmpty();
    }
    if (this.#entries.has(processId)) {
      throw execErrors.processExists(processId);
    }
    const starting: Starting = {
      state: 'starting',
      cancelled: false,
      cancel: () => (starting.cancelled = true),
      finished: Promise.resolve(),
    };
    this.#entries.set(processId, starting);
    const work = this.#startProcess(params, [program, ...args], starting);
    starting.finished = work.catch(() => this.#entries.delete(processId));
    const process = await work;
    return process.hold();
  }

  list(): Promise<readonly ProcessInfo[]> {
    const infos = [...this.#entries.values()].flatMap((entry) =>
      entry.state === 'started' ? [entry.process.info()] : [],
    );
    return Promise.resolve(infos);
  }

  async isListening(port: number): Promise<boolean> {
    checkPort(port);
    return isListening(port);
  }

  async shutdown(options?: StopOptions): Promise<void> {
    this.#shutDown = true;
    const entries = [...this.#entries.entries()];
    // A process that cannot be stopped does not keep the others from being stopped, and the guard tries it once more.
    await Promise.allSettled(
      entries.map(async ([processId, entry]) => {
        if (entry.state === 'starting') {
          entry.cancel();
          await entry.finished;
          return;
        }
        await entry.process.stop(options);
        entry.process.abandon();
        this.#forget(processId, entry);
      }),
    );
    this.#guard?.dispose();
    this.#didChange.dispose();
  }

  protected override find(processId: string): Starting | Started | undefined {
    return this.#entries.get(processId);
  }

  /** Starts a program that is no session, as {@link startHelper} does. */
  startHelper(argv: readonly [string, ...string[]], options: HelperOptions): ChildProcess {
    return startHelper(argv, options, this.#openTerminals, this.#guard);
  }

  async #startProcess(
    params: StartParams,
    argv: readonly [string, ...string[]],
    starting: Starting,
  ): Promise<LocalProcess> {
    const { processId } = params;
    const request = await prepareStart(params, argv, this.#hostEnvironment);
    await this.#forks.pass();
    this.#throwIfCancelled(processId, starting);

    const started = new LocalProcess({
      params,
      size: request.size,
      limits: this.#limits,
      clock: this.#clock,
      // The guard is told at once: the process exists already if this host is killed before the start is complete.
      onFork: (identity) => this.#guard?.watch(identity),
      onChange: (changed) => this.#onChange(changed),
      onRelease: (released) => this.#forgetIfExpired(released),
    });
    try {
      started.attachChild(await startChild(request, started, this.#openTerminals));
      if (starting.cancelled) {
        await started.terminate();
        started.abandon();
        this.#throwIfCancelled(processId, starting);
      }
    } catch (error) {
      this.#unwatch(started);
      throw error;
    }
    const entry: Started = { state: 'started', process: started, retention: undefined, expired: false };
    this.#entries.set(processId, entry);
    this.#didChange.fire({ type: 'added', processId });
    // It may have closed before it was listed.
    this.#onChange(started);
    return started;
  }

  #throwIfCancelled(processId: string, starting: Starting): void {
    if (starting.cancelled) {
      throw execErrors.startCancelled(processId);
    }
  }

  #onChange(process: LocalProcess): void {
    const entry = this.#entries.get(process.processId);
    if (entry?.state !== 'started' || entry.process !== process) {
      return;
    }
    this.#didChange.fire({ type: 'changed', processId: process.processId });
    if (!process.log.closed) {
      return;
    }
    this.#unwatch(process);
    entry.retention ??= this.#clock.after(this.#retentionMs, () => {
      entry.expired = true;
      this.#forgetIfExpired(process);
    });
  }

  #unwatch({ identity }: LocalProcess): void {
    if (identity !== undefined) {
      this.#guard?.unwatchWhenEmpty(identity);
    }
  }

  #forgetIfExpired(process: LocalProcess): void {
    const entry = this.#entries.get(process.processId);
    if (entry?.state === 'started' && entry.process === process && entry.expired && !process.held) {
      this.#forget(process.processId, entry);
    }
  }

  #forget(processId: string, entry: Started): void {
    entry.retention?.dispose();
    if (this.#entries.get(processId) === entry) {
      this.#entries.delete(processId);
      this.#didChange.fire({ type: 'removed', processId });
    }
  }
}
