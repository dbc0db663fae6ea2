import { type Disposable, Emitter, type Event } from '../../core/index.js';
import type {
  EngineDefinition,
  EnvironmentDefinition,
  EnvironmentSnapshot,
  EnvironmentState,
  ExecEnvironment,
} from '../list/index.js';
import { EnvironmentError } from '../words/index.js';
import { memberDefinition } from './memberId.js';
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
 * The places where sessions can run: this machine, the environments of the settings, and the members of engines. They
 * are connected when they are needed. A member is kept only while it is connected.
 */
export class Environments implements Disposable {
  readonly #local: Place;
  readonly #connectTo: ConnectTo;
  readonly #connected: (environment: ExecEnvironment) => void;
  readonly #remote = new Map<string, RemoteEnvironment>();
  readonly #states = new Map<string, EnvironmentState>();
  readonly #didChange = new Emitter<EnvironmentChange>();
  #defined: readonly string[] = [];
  #engines: readonly EngineDefinition[] = [];
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

  get engines(): readonly EngineDefinition[] {
    return this.#engines;
  }

  /** Also a member of an engine that is not connected. */
  get(id: string): EnvironmentSnapshot | undefined {
    return this.all.find((environment) => environment.id === id) ?? this.#newMember(id)?.snapshot();
  }

  /** The environment to start processes in; undefined unless it is open. */
  open(id: string): ExecEnvironment | undefined {
    return this.#placeOf(id)?.open;
  }

  definitionOf(id: string): EnvironmentDefinition | undefined {
    return this.#remote.get(id)?.definition ?? memberDefinition(id, this.#engines);
  }

  /**
   * Takes over the environments and engines of the settings. A connected one that is not among them stays until it is
   * disconnected.
   */
  define(definitions: readonly EnvironmentDefinition[], engines: readonly EngineDefinition[] = []): void {
    const changed =
      JSON.stringify(engines) === JSON.stringify(this.#engines) ? [] : [...engines, ...this.#engines];
    this.#engines = changed.length === 0 ? this.#engines : engines;
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
        environment.define(memberDefinition(id, engines));
        this.#forgetIfGone(environment);
      }
    }
    for (const { id } of changed) {
      this.#didChange.fire({ id, before: DISCONNECTED, after: DISCONNECTED });
    }
  }

  /**
   * Returns the environment with its backend, after connecting if necessary.
   *
   * @throws EnvironmentError if the id is unknown or the attempt was cancelled; otherwise the error of the connection.
   */
  async connect(id: string, signal?: AbortSignal): Promise<ExecEnvironment> {
    const known = this.#placeOf(id);
    const member = known === undefined ? this.#newMember(id) : undefined;
    const place = known ?? member;
    if (place === undefined) {
      throw new EnvironmentError('unknown', id);
    }
    if (this.#left && place.open === undefined) {
      throw new EnvironmentError('cancelled', place.snapshot().label);
    }
    if (member !== undefined) {
      this.#keep(member);
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
    this.#keep(new RemoteEnvironment(definition, this.#connectTo));
    this.#didChange.fire({ id: definition.id, before: DISCONNECTED, after: DISCONNECTED });
  }

  #keep(environment: RemoteEnvironment): void {
    this.#remote.set(environment.id, environment);
    environment.onDidChange(() => this.#onChange(environment));
  }

  /** A member of an engine as an environment that nobody keeps yet. */
  #newMember(id: string): RemoteEnvironment | undefined {
    const definition = memberDefinition(id, this.#engines);
    return definition && new RemoteEnvironment(definition, this.#connectTo);
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
