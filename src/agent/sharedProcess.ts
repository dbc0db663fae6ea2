import {
  CTRL_D,
  type Disposable,
  Emitter,
  type Event,
  type ExecBackend,
  type ExecProcess,
  metadataIn,
  never,
  type StopOptions,
  type StopReport,
  type Survivor,
} from '../core/index.js';

import type { AgentEnvironment, Controller, HostedProcess } from './host.js';

export type SharedProcessOptions = Pick<
  HostedProcess,
  'process' | 'backend' | 'environment' | 'commandLine' | 'cwd' | 'title'
>;

/**
 * A process of an agent on a backend alone. People, if there are any, are in windows that show the same process. Their
 * actions are in its metadata.
 */
export class SharedProcess implements HostedProcess {
  readonly process: ExecProcess;
  readonly backend: ExecBackend;
  readonly environment: AgentEnvironment;
  readonly commandLine: string;
  readonly cwd: string;
  readonly title: string | undefined;
  readonly onPersonTypes = never;
  readonly #didChangeController = new Emitter<Controller>();
  readonly #didRemove = new Emitter<void>();
  readonly #personStops = new Emitter<void>();
  readonly #changes: Disposable;
  #told: Controller;
  #stopped: boolean;

  constructor(options: SharedProcessOptions) {
    this.process = options.process;
    this.backend = options.backend;
    this.environment = options.environment;
    this.commandLine = options.commandLine;
    this.cwd = options.cwd;
    this.title = options.title;
    this.#told = this.controller;
    this.#stopped = this.#stoppedByPerson;
    this.#changes = this.backend.onDidChange(({ type, processId }) => {
      if (processId === this.process.processId) {
        this.#changed(type);
      }
    });
  }

  get onDidChangeController(): Event<Controller> {
    return this.#didChangeController.event;
  }

  get onDidRemove(): Event<void> {
    return this.#didRemove.event;
  }

  get onPersonStops(): Event<void> {
    return this.#personStops.event;
  }

  get controller(): Controller {
    return metadataIn(this.process.info().metadata, 'controller');
  }

  stop(options?: StopOptions): Promise<StopReport> {
    return this.process.stop(options);
  }

  survivors(): Promise<readonly Survivor[]> {
    return this.process.survivors();
  }

  endSurvivor(survivor: Survivor, options?: StopOptions): Promise<StopReport> {
    return this.process.endSurvivor(survivor, options);
  }

  async closeInput(): Promise<void> {
    if (this.process.info().tty && !this.backend.capabilities.closeStdin) {
      await this.process.write(CTRL_D);
    } else {
      await this.process.closeStdin();
    }
  }

  release(): void {
    this.#changes.dispose();
    this.#didChangeController.dispose();
    this.#didRemove.dispose();
    this.#personStops.dispose();
    this.process.release();
  }

  get #stoppedByPerson(): boolean {
    return metadataIn(this.process.info().metadata, 'endedBy')?.cause.kind === 'person';
  }

  #changed(type: 'added' | 'changed' | 'removed'): void {
    if (type === 'removed') {
      this.#didRemove.fire();
      this.release();
      return;
    }
    if (this.controller !== this.#told) {
      this.#told = this.controller;
      this.#didChangeController.fire(this.#told);
    }
    if (this.#stoppedByPerson !== this.#stopped) {
      this.#stopped = !this.#stopped;
      if (this.#stopped) {
        this.#personStops.fire();
      }
    }
  }
}
