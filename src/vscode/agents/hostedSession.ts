import type { AgentEnvironment, Controller, HostedProcess } from '../../agent/index.js';
import {
  type Disposable,
  Emitter,
  type Event,
  type ExecBackend,
  type ExecProcess,
  never,
  type StopOptions,
  type StopReport,
  type Survivor,
} from '../../core/index.js';
import type { Session, SessionList } from '../../sessions/list/index.js';
import type { Stopper } from '../stopper.js';

/** A session of the list that an agent holds. The list keeps the process even if the agent releases it. */
export class HostedSession implements HostedProcess {
  readonly session: Session;
  readonly process: ExecProcess;
  readonly #stopper: Pick<Stopper, 'stop'>;
  readonly #didRemove = new Emitter<void>();
  readonly #personStops = new Emitter<void>();
  /** The number of agents' stops that are under way. During one, a person's stop cannot be told from it. */
  #stops = 0;
  #stopping = false;
  readonly #subscriptions: readonly Disposable[];

  /** @param session A session that was started by an agent. */
  constructor(session: Session, list: SessionList, stopper: Pick<Stopper, 'stop'>) {
    this.session = session;
    this.process = session.process;
    this.#stopper = stopper;
    this.#subscriptions = [
      session.onDidChange(() => this.#noticeStop()),
      list.onDidChange((change) => {
        if (change.type === 'removed' && change.session === session) {
          this.#didRemove.fire();
          this.release();
        }
      }),
    ];
  }

  get backend(): ExecBackend {
    return this.session.environment.backend;
  }

  get environment(): AgentEnvironment {
    const { id, label } = this.session.environment;
    return { id, label };
  }

  get commandLine(): string {
    return this.session.commandLine;
  }

  get cwd(): string {
    return this.session.request.cwd;
  }

  get title(): string | undefined {
    return this.session.title;
  }

  get controller(): Controller {
    return this.session.control?.controller ?? 'agent';
  }

  get onDidChangeController(): Event<Controller> {
    return this.session.control?.onDidChangeController ?? never;
  }

  get onDidRemove(): Event<void> {
    return this.#didRemove.event;
  }

  get onPersonStops(): Event<void> {
    return this.#personStops.event;
  }

  get onPersonTypes(): Event<string> {
    return this.session.control?.onPersonTypes ?? never;
  }

  async stop(options: StopOptions = {}): Promise<StopReport> {
    this.#stops += 1;
    try {
      return await this.#stopper.stop(this.session, options.signal, options.graceMs);
    } finally {
      this.#stops -= 1;
    }
  }

  survivors(): Promise<readonly Survivor[]> {
    return this.session.lookForSurvivors();
  }

  endSurvivor(survivor: Survivor, options?: StopOptions): Promise<StopReport> {
    return this.session.endSurvivor(survivor, options);
  }

  closeInput(): Promise<void> {
    return this.session.closeInput();
  }

  release(): void {
    for (const subscription of this.#subscriptions) {
      subscription.dispose();
    }
    this.#didRemove.dispose();
    this.#personStops.dispose();
  }

  #noticeStop(): void {
    const { stopping } = this.session.snapshot();
    if (stopping && !this.#stopping && this.#stops === 0) {
      this.#personStops.fire();
    }
    this.#stopping = stopping;
  }
}
