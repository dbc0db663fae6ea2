import {
  type Disposable,
  Emitter,
  type Event,
  type ExecBackend,
  ExecError,
  type LossReason,
  memberText,
  quoteCommandLine,
} from '../../core/index.js';
import type {
  EnvironmentDefinition,
  EnvironmentSnapshot,
  EnvironmentState,
  ExecEnvironment,
} from '../list/index.js';
import { EnvironmentError } from '../words/index.js';
import type { Place } from './place.js';

/** A connected backend, and the way to disconnect it. */
export interface RemoteConnection {
  readonly backend: ExecBackend;
  /**
   * Ends the connection, and with it every log of the backend. Its server decides whether the processes keep running.
   */
  disconnect(): void;
}

/** Connects to an environment. Rejects with the connection's error, or once `signal` is aborted. */
export type ConnectTo<D = EnvironmentDefinition> = (
  definition: D,
  signal: AbortSignal,
) => Promise<RemoteConnection>;

/** This machine, for an environment of it that is connected when it is needed. */
export interface LocalDefinition {
  readonly id: string;
  readonly name: string;
  readonly kind: 'local';
}

type AnyDefinition = EnvironmentDefinition | LocalDefinition;

/** An attempt to connect. It continues as long as anybody waits for it. */
interface Attempt {
  readonly result: Promise<ExecEnvironment>;
  readonly cancel: AbortController;
  waiting: number;
}

type Resting = { readonly kind: 'disconnected' } | { readonly kind: 'lost'; readonly reason: LossReason };

type Phase =
  | Resting
  | { readonly kind: 'connecting'; readonly attempt: Attempt }
  | {
      readonly kind: 'open';
      readonly connection: RemoteConnection;
      readonly environment: ExecEnvironment;
      readonly watch: Disposable;
    };

/**
 * One environment whose processes run outside of this program. It is disconnected, connecting, open (connected or
 * recovering, as its backend says), or lost. Each connection has a new backend, so sessions that were lost with the old
 * one stay lost.
 */
export class RemoteEnvironment<D extends AnyDefinition = EnvironmentDefinition> implements Place {
  readonly id: string;
  readonly #connectTo: ConnectTo<D>;
  readonly #didChange = new Emitter<void>();
  #definition: D;
  #removed = false;
  #phase: Phase = { kind: 'disconnected' };

  constructor(definition: D, connectTo: ConnectTo<D>) {
    this.id = definition.id;
    this.#definition = definition;
    this.#connectTo = connectTo;
  }

  get onDidChange(): Event<void> {
    return this.#didChange.event;
  }

  get definition(): D {
    return this.#definition;
  }

  /** Whether there is no connection and no attempt, so that nothing is lost if the environment is forgotten. */
  get idle(): boolean {
    return this.#phase.kind === 'disconnected' || this.#phase.kind === 'lost';
  }

  /** The environment to start processes in, now or as soon as the connection is back; undefined if it is not open. */
  get open(): ExecEnvironment | undefined {
    return this.#phase.kind === 'open' ? this.#phase.environment : undefined;
  }

  get state(): EnvironmentState {
    const phase = this.#phase;
    switch (phase.kind) {
      case 'open':
        return phase.connection.backend.connection;
      case 'connecting':
        return { kind: 'connecting' };
      case 'disconnected':
      case 'lost':
        return phase;
    }
  }

  snapshot(): EnvironmentSnapshot {
    const definition = this.#definition;
    return {
      id: this.id,
      label: definition.name,
      kind: definition.kind,
      target: targetOf(definition),
      state: this.state,
      removed: this.#removed,
      host: this.open?.backend.host,
    };
  }

  /**
   * Takes over the changed settings: undefined if the environment is no longer in them. An open connection stays
   * unchanged.
   */
  define(definition: D | undefined): void {
    const changed =
      this.#removed !== (definition === undefined) ||
      (definition !== undefined && JSON.stringify(definition) !== JSON.stringify(this.#definition));
    this.#removed = definition === undefined;
    this.#definition = definition ?? this.#definition;
    if (changed) {
      this.#didChange.fire();
    }
  }

  /**
   * Connects, unless there is a connection. Concurrent callers share one attempt, which ends when all of them have
   * given up.
   *
   * @throws EnvironmentError if the attempt was cancelled; otherwise the error of the connection.
   */
  async connect(signal?: AbortSignal): Promise<ExecEnvironment> {
    if (this.#phase.kind === 'open') {
      return this.#phase.environment;
    }
    if (signal?.aborted === true) {
      throw this.#cancelled();
    }
    const attempt = this.#phase.kind === 'connecting' ? this.#phase.attempt : this.#begin(this.#phase);
    attempt.waiting += 1;
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        attempt.waiting -= 1;
        if (attempt.waiting === 0) {
          attempt.cancel.abort();
        }
        reject(this.#cancelled());
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      attempt.result.then(resolve, reject).finally(() => signal?.removeEventListener('abort', giveUp));
    });
  }

  /**
   * Ends the connection, or the attempt to make one. The state `lost` becomes `disconnected`: the loss has been seen.
   */
  async disconnect(): Promise<void> {
    const phase = this.#phase;
    switch (phase.kind) {
      case 'disconnected':
        return;
      case 'connecting':
        phase.attempt.cancel.abort();
        await phase.attempt.result.catch(() => undefined);
        return;
      case 'lost':
        this.#enter({ kind: 'disconnected' });
        return;
      case 'open':
        // Stop watching first: the backend reports every end as a loss, but this one was asked for.
        phase.watch.dispose();
        this.#enter({ kind: 'disconnected' });
        phase.connection.disconnect();
    }
  }

  dispose(): void {
    this.#didChange.dispose();
    void this.disconnect().catch(() => undefined);
  }

  #begin(before: Resting): Attempt {
    const cancel = new AbortController();
    const connecting = this.#connect(this.#definition, cancel.signal);
    const attempt: Attempt = { result: this.#attempt(before, connecting, cancel.signal), cancel, waiting: 0 };
    // The callers get the error. This handles it if the last of them has left before the attempt fails.
    attempt.result.catch(() => undefined);
    this.#enter({ kind: 'connecting', attempt });
    return attempt;
  }

  async #attempt(
    before: Resting,
    connecting: Promise<ExecEnvironment>,
    signal: AbortSignal,
  ): Promise<ExecEnvironment> {
    const cancelled = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => {
        // Change the phase at once, without waiting for the connection to react to the abort, so that the next caller
        // begins a new attempt.
        if (this.#phase.kind === 'connecting') {
          this.#enter(before);
        }
        reject(this.#cancelled());
      });
    });
    try {
      return await Promise.race([connecting, cancelled]);
    } catch (error) {
      if (!signal.aborted) {
        this.#enter(before);
      }
      throw error;
    }
  }

  /** @throws ExecError also for a connection that was lost as soon as it was made. */
  async #connect(definition: D, signal: AbortSignal): Promise<ExecEnvironment> {
    const connection = await this.#connectTo(definition, signal);
    const state = connection.backend.connection;
    if (signal.aborted || state.kind === 'lost') {
      connection.disconnect();
    }
    signal.throwIfAborted();
    if (state.kind === 'lost') {
      throw new ExecError({ kind: 'disconnected', reason: state.reason });
    }
    return this.#open(definition, connection);
  }

  #open(definition: D, connection: RemoteConnection): ExecEnvironment {
    const { backend } = connection;
    const { kind, name: label } = definition;
    // These lead to the session server of an account, the others to a server that somebody has put there.
    const ownsSessions = kind !== 'websocket' && kind !== 'command';
    const environment: ExecEnvironment = { id: this.id, label, backend, ownsSessions };
    const follow = () => {
      if (backend.connection.kind === 'lost') {
        watch.dispose();
        this.#enter({ kind: 'lost', reason: backend.connection.reason });
        // The connection is gone already, but the backend may still hold resources.
        connection.disconnect();
      } else {
        this.#didChange.fire();
      }
    };
    const watch = backend.onDidChangeConnection(follow);
    this.#enter({ kind: 'open', connection, environment, watch });
    return environment;
  }

  #cancelled(): EnvironmentError {
    return new EnvironmentError('cancelled', this.#definition.name);
  }

  #enter(phase: Phase): void {
    this.#phase = phase;
    this.#didChange.fire();
  }
}

function targetOf(definition: AnyDefinition): string {
  switch (definition.kind) {
    case 'local':
      return '';
    case 'websocket':
      return shownAddress(definition.url);
    case 'command':
    case 'shell':
      return quoteCommandLine(definition.argv);
    case 'ssh':
    case 'docker':
    case 'podman':
    case 'kubernetes':
    case 'slurm':
      return memberText({ engine: definition.kind, name: definition.target });
  }
}

/**
 * An address that is safe to show: its real host, whatever letters it is written in, and no parameters, which may be
 * secret.
 */
function shownAddress(text: string): string {
  const { protocol, host, pathname } = new URL(text);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}
