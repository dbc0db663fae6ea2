import { Alarm, type Clock, type ExecBackend } from '../core/index.js';
import { type EnvironmentInfo, serveConnection, type Transport } from '../protocol/index.js';
import { additionsWith } from './methods/additions.js';
import { Connection, type ConnectionServices } from './connection.js';
import { hostMethods } from './methods/hostMethods.js';
import { SHUTDOWN_KILL_MS } from './limits.js';
import type { MethodHandlers, ServerEnvironment } from './methods/methodHandlers.js';
import { ConnectionSessions, type Reach } from './sessions/connectionSessions.js';

export interface ExecServerOptions {
  readonly backend: ExecBackend;
  readonly clock: Clock;
  readonly environment: ServerEnvironment;
  readonly environmentInfo: EnvironmentInfo;
  /** All methods except those that the backend answers. */
  readonly methods: MethodHandlers;
  readonly reach: Reach;
  /** The time for which a connection session waits for its client to come back, in milliseconds. */
  readonly detachedMs: number;
  /** Calls `run` after `afterMs` milliseconds without a connection and a session. */
  readonly whenIdle?: { readonly afterMs: number; readonly run: () => void } | undefined;
  /** Gets a line for each fault of ours. */
  readonly log: (line: string) => void;
}

/** Serves clients on any number of transports, with the processes of one backend. */
export class ExecServer {
  readonly #options: ExecServerOptions;
  readonly #sessions: ConnectionSessions;
  readonly #services: ConnectionServices;
  readonly #transports = new Set<Transport>();
  readonly #idle: Alarm;
  #sessionCount = 0;

  constructor(options: ExecServerOptions) {
    this.#options = options;
    this.#idle = new Alarm(options.clock);
    this.#sessions = new ConnectionSessions({
      backend: options.backend,
      clock: options.clock,
      detachedMs: options.detachedMs,
      onCountChange: (count) => {
        this.#sessionCount = count;
        this.#watchIdle();
      },
    });
    const { backend, environment, environmentInfo, methods } = options;
    this.#services = {
      sessions: this.#sessions,
      environment,
      environmentInfo,
      additions: additionsWith(backend.capabilities),
      methods: { ...methods, ...hostMethods(backend) },
    };
    this.#watchIdle();
  }

  readonly accept = (transport: Transport): void => {
    const { reach, log } = this.#options;
    this.#transports.add(transport);
    this.#watchIdle();
    const wire = serveConnection(transport, (own) => new Connection(own, this.#services, reach), log);
    wire.onEnd(() => {
      this.#transports.delete(transport);
      this.#watchIdle();
    });
  };

  /** Drops all connections and kills all processes at once. */
  async shutdown(): Promise<void> {
    this.#idle.dispose();
    this.#sessions.dispose();
    for (const transport of [...this.#transports]) {
      transport.destroy('the server was ended');
    }
    const graceMs = { interrupt: 0, hangup: 0, terminate: 0, kill: SHUTDOWN_KILL_MS };
    await this.#options.backend.shutdown({ graceMs });
  }

  /**
   * Sets the timer for idleness. Sessions keep the server busy: a detached one ends after its time, with its processes.
   */
  #watchIdle(): void {
    const { whenIdle } = this.#options;
    if (whenIdle !== undefined && this.#transports.size === 0 && this.#sessionCount === 0) {
      this.#idle.set(whenIdle.afterMs, whenIdle.run);
    } else {
      this.#idle.dispose();
    }
  }
}
