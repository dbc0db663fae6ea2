import { Alarm, type Clock, delay, type ExecBackend, onAbort, type ServerProgram } from '../core/index.js';
import type { ReceiptBook } from '../machine/index.js';
import { type EnvironmentInfo, serveConnection, type ServerWire, type Transport } from '../protocol/index.js';
import { additionsWith } from './methods/additions.js';
import { Connection, type ConnectionServices } from './connection.js';
import type { DiskLimits } from './outputFiles/diskLimits.js';
import { hostMethods } from './methods/hostMethods.js';
import { LAST_EXITS_MS, LAST_MESSAGES_MS, NEWEST_EXITS_MS, SHUTDOWN_KILL_MS } from './limits.js';
import type { MethodHandlers, ServerEnvironment } from './methods/methodHandlers.js';
import { sightingMethods } from './methods/sightingMethods.js';
import { taskMethods } from './methods/taskMethods.js';
import { DEFAULT_QUOTAS, type Quotas } from './quotas.js';
import { ConnectionSessions, type Reach } from './sessions/connectionSessions.js';
import { KeepWithoutClient, type KeepWithoutClientOptions } from './sessions/keepWithoutClient.js';
import type { OutputFiles } from './outputFiles/outputFiles.js';
import { OutputLimits } from './sessions/ownedProcesses.js';
import { OwnedProcesses } from './sessions/ownedProcesses.js';

export interface ExecServerOptions {
  readonly backend: ExecBackend;
  readonly clock: Clock;
  readonly environment: ServerEnvironment;
  readonly environmentInfo: EnvironmentInfo;
  /** All methods except those that the backend answers. */
  readonly methods: MethodHandlers;
  readonly reach: Reach;
  /** By default {@link DEFAULT_QUOTAS}. */
  readonly quotas?: Quotas | undefined;
  /** The time for which a connection session waits for its client to come back, in milliseconds. */
  readonly detachedMs: number;
  /** The time that a connection has for `initialize`, in milliseconds; without it, any. */
  readonly initializeLimitMs?: number | undefined;
  /**
   * Decides for how long owned processes, and the server, go on without a client, as clients say with `host/keep`. It
   * takes the place of `whenIdle`. `onOver` is called once, when the server has no reason to stay.
   */
  readonly keepWithoutClient?: Pick<KeepWithoutClientOptions, 'onOver' | 'times'> | undefined;
  /** Set by clients with `host/keep`; the backend has the same ones. */
  readonly limits?: OutputLimits | undefined;
  /** The output on disk, and its limits, which clients set with `host/keep`. It ends with the server. */
  readonly disk?: { readonly files: OutputFiles; readonly limits: DiskLimits } | undefined;
  /** How this server runs, if clients are to know. */
  readonly program?: ServerProgram | undefined;
  /** Writes down how owned processes end. */
  readonly receipts?: ReceiptBook | undefined;
  /** Calls `run` after `afterMs` milliseconds without a connection, a session, and an owned process that runs. */
  readonly whenIdle?: { readonly afterMs: number; readonly run: () => void } | undefined;
  /** Gets a line for each fault of ours. */
  readonly log: (line: string) => void;
}

/** Serves clients on any number of transports, with the processes of one backend. */
export class ExecServer {
  readonly #options: ExecServerOptions;
  readonly #sessions: ConnectionSessions;
  readonly #services: ConnectionServices;
  readonly #connections = new Map<Transport, Connection>();
  readonly #idle: Alarm;
  readonly #owned: OwnedProcesses;
  readonly #keep: KeepWithoutClient | undefined;
  readonly #quotas: Quotas;
  #sessionCount = 0;

  constructor(options: ExecServerOptions) {
    this.#options = options;
    this.#idle = new Alarm(options.clock);
    this.#quotas = options.quotas ?? DEFAULT_QUOTAS;
    const { backend, clock, log, keepWithoutClient } = options;
    const limits = options.limits ?? new OutputLimits();
    this.#owned = new OwnedProcesses({ backend, clock, log, limits });
    this.#keep = keepWithoutClient && new KeepWithoutClient({ ...keepWithoutClient, backend, clock, log });
    this.#sessions = new ConnectionSessions({
      backend: options.backend,
      clock: options.clock,
      reach: options.reach,
      detachedMs: options.detachedMs,
      processesOfEach: this.#quotas.processes,
      onCountChange: ({ all, attached, acting }) => {
        this.#sessionCount = all;
        this.#watchIdle();
        this.#keep?.clientsChanged(attached, acting);
      },
    });
    const keep = this.#keep;
    const { environment, environmentInfo, methods, disk, program } = options;
    this.#services = {
      clock: options.clock,
      sessions: this.#sessions,
      environment,
      environmentInfo,
      // The additions are not needed before the first client, and the server listens first: the backend may have to
      // find them out.
      get additions() {
        return additionsWith(backend.capabilities, options.reach, {
          keep: keep !== undefined,
          keptOutput: disk !== undefined,
          sightings: backend.sightings !== undefined,
          program,
        });
      },
      methods: {
        ...methods,
        ...(options.reach === 'server' && taskMethods()),
        ...(options.reach === 'server' && sightingMethods(backend)),
        ...hostMethods({ backend, keep, limits, disk, receipts: options.receipts }),
      },
      outputFiles: disk?.files,
      receipts: options.receipts,
      quotas: this.#quotas,
      initializeLimitMs: options.initializeLimitMs,
    };
    this.#watchIdle();
  }

  readonly accept = (transport: Transport): void => {
    const { log } = this.#options;
    const connect = (own: ServerWire) => {
      const connection = new Connection(own, this.#services);
      this.#connections.set(transport, connection);
      return connection;
    };
    const wire = serveConnection(transport, connect, log, this.#quotas.requests);
    this.#watchIdle();
    wire.onEnd(() => {
      this.#connections.delete(transport);
      this.#watchIdle();
    });
  };

  /**
   * Ends everything: tells clients of the exits that have happened, says goodbye, kills all processes and closes all
   * connections. Clients that take no goodbye are told the ends of the killed processes.
   *
   * @param signal The signal that asks for it, if one does.
   */
  async shutdown(signal?: string): Promise<void> {
    this.#idle.dispose();
    this.#keep?.dispose();
    this.#owned.dispose();
    this.#sessions.dispose();
    this.#options.disk?.files.leave();
    await this.#tellExits();
    this.#connections.forEach((connection) => connection.sayGoodbye(signal));
    const graceMs = { interrupt: 0, hangup: 0, terminate: 0, kill: SHUTDOWN_KILL_MS };
    this.#options.receipts?.allEnd({ kind: 'server', ...(signal !== undefined && { signal }) });
    await this.#options.backend.shutdown({ graceMs });
    await this.#options.disk?.files.end();
    await this.#options.receipts?.close();
    await this.#close('the server was ended');
  }

  async #tellExits(): Promise<void> {
    if (this.#connections.size === 0) {
      return;
    }
    const { clock } = this.#options;
    const late = new AbortController();
    const timer = clock.after(LAST_EXITS_MS, () => late.abort());
    const limit = new Promise<void>((resolve) => onAbort(late.signal, resolve));
    await delay(clock, NEWEST_EXITS_MS);
    // More processes may exit while the exits of others are told.
    for (let owed = this.#owedExits(); owed.length > 0 && !late.signal.aborted; owed = this.#owedExits()) {
      await Promise.race([limit, Promise.all(owed)]);
    }
    timer.dispose();
  }

  #owedExits(): readonly Promise<void>[] {
    return [...this.#connections.values()].flatMap(({ owedExits }) => owedExits);
  }

  async #close(reason: string): Promise<void> {
    const transports = [...this.#connections.keys()];
    const ends = transports.map((transport) => new Promise((resolve) => transport.onEnd(resolve)));
    transports.forEach((transport) => transport.close(reason));
    await Promise.race([Promise.all(ends), delay(this.#options.clock, LAST_MESSAGES_MS)]);
    transports.forEach((transport) => transport.destroy(reason));
  }

  /**
   * Sets the timer for idleness. Sessions keep the server busy: a detached one ends after its time, with its processes.
   */
  #watchIdle(): void {
    const { whenIdle } = this.#options;
    if (whenIdle !== undefined && this.#connections.size === 0 && this.#sessionCount === 0) {
      this.#idle.set(whenIdle.afterMs, () => this.#idleOver(whenIdle.run));
    } else {
      this.#idle.dispose();
    }
  }

  /** Stays for an owned process that runs: only a client ends it. */
  #idleOver(run: () => void): void {
    if (this.#owned.anyRuns) {
      this.#watchIdle();
    } else {
      run();
    }
  }
}
