import { type Disposable, Emitter, type Event } from '../../core/index.js';
import type {
  EnvironmentDefinition,
  EnvironmentSnapshot,
  EnvironmentState,
  ExecEnvironment,
} from '../list/index.js';
import { EnvironmentError } from '../words/index.js';
import type { Place } from './place.js';
import { RemoteEnvironment, type ConnectTo } from './remoteEnvironment.js';

/** A change of an environment. `before` and `after` are the same if something other than its state has changed. */
export interface EnvironmentChange {
  readonly id: string;
  readonly before: EnvironmentState;
  readonly after: EnvironmentState;
}

const DISCONNECTED: EnvironmentState = { kind: 'disconnected' };

/**
 * The places where sessions can run: this machine, and the environments of the settings, which are connected when they
 * are needed.
 */
export class Environments implements Disposable {
  readonly #local: Place;
  readonly #connectTo: ConnectTo;
  readonly #connected: (environment: ExecEnvironment) => void;
  readonly #remote = new Map<string, RemoteEnvironment>();
  readonly #states = new Map<string, EnvironmentState>();
  readonly #didChange = new Emitter<EnvironmentChange>();
  #defined: readonly string[] = [];
  #left = false;

  /**
   * @param options.local This machine.
   * @param options.connected Called with each new connection's environment, before anybody can start something there.
   */
  constructor(options: {
    local: Place;
    connectTo: ConnectTo;
    connected: (environment: ExecEnvironment) => void;
  }) {
    this.#local = options.local;
    this.#connectTo = options.connectTo;
    this.#connected = options.connected;
    this.#local.onDidChange(() => this.#onChange(this.#local));
    this.#states.set(this.#local.id, this.#local.snapshot().state);
  }

  get onDidChange(): Event<EnvironmentChange> {
    return this.#didChange.event;
  }

  /**
   * All environments: this machine, then those of the settings in their order, then those that are only still
   * connected.
   */
  get all(): readonly EnvironmentSnapshot[] {
    const left = [...this.#remote.keys()].filter((id) => !this.#defined.includes(id));
    return [
      ready(this.#local.snapshot()),
      ...[...this.#defined, ...left].flatMap((id) => this.#snapshotOf(id)),
    ];
  }

  get(id: string): EnvironmentSnapshot | undefined {
    return this.all.find((environment) => environment.id === id);
  }

  /** The environment to start processes in; undefined unless it is open. */
  open(id: string): ExecEnvironment | undefined {
    return this.#placeOf(id)?.open;
  }

  definitionOf(id: string): EnvironmentDefinition | undefined {
    return this.#remote.get(id)?.definition;
  }

  /**
   * Takes over the environments of the settings. A connected one that is not among them stays until it is disconnected.
   */
  define(definitions: readonly EnvironmentDefinition[]): void {
    this.#defined = definitions.map(({ id }) => id);
    for (const definition of definitions) {
      const known = this.#remote.get(definition.id);
      if (known === undefined) {
        this.#add(definition);
      } else {
        known.define(definition);
      }
    }
    for (const [id, environment] of this.#remote) {
      if (!this.#defined.includes(id)) {
        environment.define(undefined);
        this.#forgetIfGone(environment);
      }
    }
  }

  /**
   * Returns the environment with its backend, after connecting if necessary.
   *
   * @throws EnvironmentError if the id is unknown or the attempt was cancelled; otherwise the error of the connection.
   */
  async connect(id: string, signal?: AbortSignal): Promise<ExecEnvironment> {
    const place = this.#placeOf(id);
    if (place === undefined) {
      throw new EnvironmentError('unknown', id);
    }
    if (this.#left && place.open === undefined) {
      throw new EnvironmentError('cancelled', place.snapshot().label);
    }
    return place.connect(signal);
  }

  async disconnect(id: string): Promise<void> {
    await this.#placeOf(id)?.disconnect();
  }

  /** Disconnects all environments for good. No environment can be connected afterwards. */
  async disconnectAll(): Promise<void> {
    this.#left = true;
    const all = [this.#local, ...this.#remote.values()];
    await Promise.allSettled(all.map((place) => place.disconnect()));
  }

  dispose(): void {
    this.#didChange.dispose();
    this.#local.dispose();
    for (const environment of this.#remote.values()) {
      environment.dispose();
    }
    this.#remote.clear();
  }

  #add(definition: EnvironmentDefinition): void {
    const environment = new RemoteEnvironment(definition, this.#connectTo);
    this.#remote.set(definition.id, environment);
    environment.onDidChange(() => this.#onChange(environment));
    this.#didChange.fire({ id: definition.id, before: DISCONNECTED, after: DISCONNECTED });
  }

  #onChange(place: Place): void {
    const { id } = place;
    const before = this.#states.get(id) ?? DISCONNECTED;
    const after = place.snapshot().state;
    this.#states.set(id, after);
    if (before.kind === 'connecting' && place.open !== undefined) {
      this.#connected(place.open);
    }
    this.#didChange.fire({ id, before, after });
    const environment = this.#remote.get(id);
    if (environment !== undefined) {
      this.#forgetIfGone(environment);
    }
  }

  #placeOf(id: string): Place | undefined {
    return id === this.#local.id ? this.#local : this.#remote.get(id);
  }

  #forgetIfGone(environment: RemoteEnvironment): void {
    const { id } = environment;
    if (environment.idle && !this.#defined.includes(id) && this.#remote.get(id) === environment) {
      this.#remote.delete(id);
      this.#states.delete(id);
      environment.dispose();
      this.#didChange.fire({ id, before: DISCONNECTED, after: DISCONNECTED });
    }
  }

  #snapshotOf(id: string): readonly EnvironmentSnapshot[] {
    const environment = this.#remote.get(id);
    return environment === undefined ? [] : [environment.snapshot()];
  }
}

/** This machine is always connected: the first session starts the server that it needs. */
function ready(local: EnvironmentSnapshot): EnvironmentSnapshot {
  return local.state.kind === 'disconnected' ? { ...local, state: { kind: 'connected' } } : local;
}
