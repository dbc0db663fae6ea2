import {
  type Disposable,
  Emitter,
  type Event,
  type ExecBackend,
  execErrors,
  quoteCommandLine,
} from '../../core/index.js';
import type {
  EnvironmentDefinition,
  EnvironmentSnapshot,
  EnvironmentState,
  ExecEnvironment,
} from '../list/index.js';
import { EnvironmentError } from '../words/index.js';

/** A backend that was connected to, and the way to let go of it. */
export interface RemoteConnection {
  readonly backend: ExecBackend;
  /** Ends the connection, and with it every log of the backend. What runs there is for its server to keep or end. */
  disconnect(): void;
}

/** Connects to an environment; rejects with what is wrong, or once `signal` is aborted. */
export type ConnectTo = (definition: EnvironmentDefinition, signal: AbortSignal) => Promise<RemoteConnection>;

/** An attempt to connect. It goes on as long as anybody waits for it. */
interface Attempt {
  readonly result: Promise<ExecEnvironment>;
  readonly cancel: AbortController;
  waiting: number;
}

type Resting = { readonly kind: 'disconnected' } | { readonly kind: 'lost'; readonly reason: string };

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
 * One environment that is not this machine: disconnected, connecting, open (connected or recovering, as its backend
 * says), or lost. Each connection is a new backend: what was lost with the old one stays lost.
 */
export class RemoteEnvironment implements Disposable {
  readonly id: string;
  readonly #connectTo: ConnectTo;
  readonly #didChange = new Emitter<RemoteEnvironment>();
  #definition: EnvironmentDefinition;
  #removed = false;
  #phase: Phase = { kind: 'disconnected' };

  constructor(definition: EnvironmentDefinition, connectTo: ConnectTo) {
    this.id = definition.id;
    this.#definition = definition;
    this.#connectTo = connectTo;
  }

  get onDidChange(): Event<RemoteEnvironment> {
    return this.#didChange.event;
  }

  get definition(): EnvironmentDefinition {
    return this.#definition;
  }

  /** Whether nothing is lost if it is forgotten. */
  get idle(): boolean {
    return this.#phase.kind === 'disconnected' || this.#phase.kind === 'lost';
  }

  /** Where something can be started, now or as soon as the connection is back. */
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
      target:
        definition.kind === 'websocket' ? shownAddress(definition.url) : quoteCommandLine(definition.argv),
      state: this.state,
      removed: this.#removed,
    };
  }

  /** The settings have changed; undefined if it is not in them any more. A connection that is open stays as it is. */
  define(definition: EnvironmentDefinition | undefined): void {
    const changed =
      this.#removed !== (definition === undefined) ||
      (definition !== undefined && JSON.stringify(definition) !== JSON.stringify(this.#definition));
    this.#removed = definition === undefined;
    this.#definition = definition ?? this.#definition;
    if (changed) {
      this.#didChange.fire(this);
    }
  }

  /**
   * Connects, unless it is connected. Several who ask at once share one attempt, which ends when all of them have given
   * up.
   *
   * @throws EnvironmentError if it was cancelled; otherwise whatever the connection failed with.
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

  /** Lets go of it, whatever it is doing. Also says that the loss of a lost one has been seen. */
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
        // Before the backend says that it is lost: this end was asked for.
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
    // Those who wait are told; the last of them may have left before it fails.
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
        // At once, and not when the connection has heard of it: whoever asks next begins anew.
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

  /** @throws ExecError also for a connection that was lost as soon as it was there. */
  async #connect(definition: EnvironmentDefinition, signal: AbortSignal): Promise<ExecEnvironment> {
    const connection = await this.#connectTo(definition, signal);
    const state = connection.backend.connection;
    if (signal.aborted || state.kind === 'lost') {
      connection.disconnect();
    }
    signal.throwIfAborted();
    if (state.kind === 'lost') {
      throw execErrors.disconnected(state.reason);
    }
    return this.#open(definition, connection);
  }

  #open(definition: EnvironmentDefinition, connection: RemoteConnection): ExecEnvironment {
    const { backend } = connection;
    const environment: ExecEnvironment = { id: this.id, label: definition.name, backend };
    const follow = () => {
      if (backend.connection.kind === 'lost') {
        watch.dispose();
        this.#enter({ kind: 'lost', reason: backend.connection.reason });
        // Nothing is left to disconnect from, but the backend may hold something.
        connection.disconnect();
      } else {
        this.#didChange.fire(this);
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
    this.#didChange.fire(this);
  }
}

/** An address as it may be shown: its real host, whatever letters it is written in, and no parameters, which may be secret. */
function shownAddress(text: string): string {
  const { protocol, host, pathname } = new URL(text);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}
