import {
  type BackendChange,
  type Clock,
  type Disposable,
  Emitter,
  type StartedProcess,
  type StartingProcess,
} from '../../core/index.js';
import type { RemoteProcess } from './remoteProcess.js';

export interface Starting extends StartingProcess {
  readonly process: RemoteProcess;
  readonly cancelled: boolean;
  /** Settles, and never rejects, when the start has succeeded or its id is free again. */
  finished: Promise<unknown>;
}

export interface Started extends StartedProcess {
  readonly process: RemoteProcess;
  /** Runs from the end on; undefined once it has run out. */
  retention: Disposable | undefined;
  expired: boolean;
}

/** The processes that a backend knows, by the ids that its callers have for them. */
export class ProcessRegistry {
  readonly #retentionMs: number;
  readonly #clock: Clock;
  readonly #onForget: (process: RemoteProcess) => void;
  readonly #entries = new Map<string, Starting | Started>();
  readonly #didChange = new Emitter<BackendChange>();
  readonly onDidChange = this.#didChange.event;

  /** @param options.onForget Nobody asks for that process any more. */
  constructor(options: { retentionMs: number; clock: Clock; onForget: (process: RemoteProcess) => void }) {
    this.#retentionMs = options.retentionMs;
    this.#clock = options.clock;
    this.#onForget = options.onForget;
  }

  get entries(): readonly (Starting | Started)[] {
    return [...this.#entries.values()];
  }

  get started(): readonly RemoteProcess[] {
    return this.entries.flatMap((entry) => (entry.state === 'started' ? [entry.process] : []));
  }

  get(processId: string): Starting | Started | undefined {
    return this.#entries.get(processId);
  }

  /**
   * Holds an id for a process that is being started.
   *
   * @param onCancel Called once if it is cancelled.
   */
  reserve(process: RemoteProcess, onCancel: () => void): Starting {
    let cancelled = false;
    const starting: Starting = {
      state: 'starting',
      process,
      get cancelled() {
        return cancelled;
      },
      cancel: () => {
        if (!cancelled) {
          cancelled = true;
          onCancel();
        }
      },
      finished: Promise.resolve(),
    };
    this.#entries.set(process.processId, starting);
    return starting;
  }

  /** The start has come to nothing. */
  free({ process }: Starting): void {
    this.#entries.delete(process.processId);
    this.#onForget(process);
  }

  add(process: RemoteProcess): void {
    const { processId } = process;
    this.#entries.set(processId, { state: 'started', process, retention: undefined, expired: false });
    this.#didChange.fire({ type: 'added', processId });
    // It may have closed before it was listed.
    this.changed(process);
  }

  changed(process: RemoteProcess): void {
    const entry = this.#entryOf(process);
    if (entry === undefined) {
      return;
    }
    this.#didChange.fire({ type: 'changed', processId: process.processId });
    if (process.log.ended) {
      entry.retention ??= this.#clock.after(this.#retentionMs, () => {
        entry.expired = true;
        this.released(process);
      });
    }
  }

  /** Forgets a process that has been over for long enough, unless somebody holds it. */
  released(process: RemoteProcess): void {
    const entry = this.#entryOf(process);
    if (entry?.expired === true && !process.held) {
      this.#forget(entry);
    }
  }

  /** Forgets everything, and tells nobody anything any more. */
  dispose(): void {
    for (const entry of this.entries) {
      this.#forget(entry);
    }
    this.#didChange.dispose();
  }

  #entryOf(process: RemoteProcess): Started | undefined {
    const entry = this.#entries.get(process.processId);
    return entry?.state === 'started' && entry.process === process ? entry : undefined;
  }

  #forget(entry: Starting | Started): void {
    const { process } = entry;
    if (entry.state === 'started') {
      entry.retention?.dispose();
    }
    this.#entries.delete(process.processId);
    this.#onForget(process);
    this.#didChange.fire({ type: 'removed', processId: process.processId });
  }
}
