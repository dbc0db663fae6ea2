import type { AgentEnvironment, Controller, HostedProcess } from '../../agent/host.js';
import {
  Emitter,
  type Disposable,
  type Event,
  type ExecBackend,
  type ExecProcess,
} from '../../core/index.js';
import type { StopOptions, StopReport } from '../../core/index.js';
import type { Session, SessionList } from '../../sessions/index.js';
import type { Stopper } from '../stopper.js';

/** A session of the list as an agent holds it. The list keeps the process, whether the agent does or not. */
export class HostedSession implements HostedProcess {
  readonly session: Session;
  readonly process: ExecProcess;
  readonly #stopper: Stopper;
  readonly #didChangeController = new Emitter<Controller>();
  readonly #didRemove = new Emitter<void>();
  readonly #subscriptions: readonly (Disposable | undefined)[];

  /** @param session Started by an agent. */
  constructor(session: Session, list: SessionList, stopper: Stopper) {
    this.session = session;
    this.process = session.process;
    this.#stopper = stopper;
    this.#subscriptions = [
      session.control?.onDidChangeController((controller) => this.#didChangeController.fire(controller)),
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
    return this.#didChangeController.event;
  }

  get onDidRemove(): Event<void> {
    return this.#didRemove.event;
  }

  stop(options: StopOptions = {}): Promise<StopReport> {
    return this.#stopper.stop(this.session, options.signal, options.graceMs);
  }

  closeInput(): Promise<void> {
    return this.session.closeInput();
  }

  release(): void {
    for (const subscription of this.#subscriptions) {
      subscription?.dispose();
    }
    this.#didChangeController.dispose();
    this.#didRemove.dispose();
  }
}
