import {
  CTRL_D,
  type Disposable,
  Emitter,
  type Event,
  type ExecBackend,
  type ExecProcess,
  metadataIn,
  type MetadataPatch,
  never,
  type StopOptions,
  type StopReport,
  type Survivor,
} from '../core/index.js';

import type { AgentEnvironment, Attention, Controller, HostedProcess } from './host.js';

type SharedProcessOptions = Pick<
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

/**
 * Calls a person to a session until the result is disposed or this program ends. The call is in the metadata of the
 * session, so every window that shows the session has it. It is not known here whether there is a window.
 */
export function callWindows({ process }: HostedProcess, why: Attention): Disposable {
  const say = (waitsFor: Attention | null) => {
    // A server that cannot store metadata has no windows that would read it.
    process
      .describe({ waitsFor } satisfies MetadataPatch, { whenGone: { patch: { waitsFor: null } } })
      .catch(() => undefined);
  };
  say(why);
  return { dispose: () => say(null) };
}
