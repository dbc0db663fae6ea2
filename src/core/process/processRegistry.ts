import type { StartedProcess, StartingProcess } from '../callsById.js';
import type { Clock } from '../clock.js';
import { ExecError } from '../errors.js';
import { type Disposable, Emitter } from '../events.js';
import type { BackendChange } from './execBackend.js';
import type { HeldProcess } from './processHandle.js';

interface Starting extends StartingProcess {
  /** Resolves when the start has succeeded or its id is free again; never rejects. */
  finished: Promise<unknown>;
}

interface Started<P extends HeldProcess> extends StartedProcess<P> {
  /** Whether the end of its log has been noted. */
  ended: boolean;
  /** Runs from the end of the log on, unless the process is owned. */
  retention: Disposable | undefined;
  expired: boolean;
}

interface ProcessRegistryOptions<P extends HeldProcess> {
  /**
   * The time for which an ended process can still be found, in milliseconds, if it is not owned and no caller holds it.
   */
  readonly retentionMs: number;
  readonly clock: Clock;
  /** Called once for a listed process whose log has ended. */
  readonly onEnd?: (process: P) => void;
  /** Called when a process is forgotten. */
  readonly onForget?: (process: P) => void;
}

/**
 * The processes that a backend knows, by their ids. A start takes its id at once. An owned process keeps its id until
 * it is removed. Another one keeps it until the retention time after the end of its log is over and no caller holds it.
 */
export class ProcessRegistry<P extends HeldProcess> {
  readonly #options: ProcessRegistryOptions<P>;
  readonly #entries = new Map<string, Starting | Started<P>>();
  readonly #didChange = new Emitter<BackendChange>();
  readonly onDidChange = this.#didChange.event;

  constructor(options: ProcessRegistryOptions<P>) {
    this.#options = options;
  }

  get started(): readonly P[] {
    return [...this.#entries.values()].flatMap((entry) => (entry.state === 'started' ? [entry.process] : []));
  }

  get(processId: string): StartingProcess | StartedProcess<P> | undefined {
    return this.#entries.get(processId);
  }

  /**
   * Takes an id while a process is started. The id is free again if that fails.
   *
   * @param run Starts the process, and {@link add}s it. Its signal is aborted if the start is cancelled.
   * @throws ExecError if the id is taken; what `run` throws.
   */
  async start<T>(processId: string, run: (cancelled: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#entries.has(processId)) {
      throw new ExecError({ kind: 'processExists', processId });
    }
    const cancellation = new AbortController();
    const starting: Starting = {
      state: 'starting',
      cancel: () => cancellation.abort(),
      finished: Promise.resolve(),
    };
    this.#entries.set(processId, starting);
    const work = run(cancellation.signal);
    starting.finished = work.catch(() => this.#entries.delete(processId));
    return work;
  }

  /**
   * Cancels every start that is under way.
   *
   * @returns promises that resolve when the starts have failed; they never reject.
   */
  cancelStarts(): readonly Promise<unknown>[] {
    return [...this.#entries.values()].flatMap((entry) => {
      if (entry.state === 'started') {
        return [];
      }
      entry.cancel();
      return [entry.finished];
    });
  }

  /** Lists a process that has started. */
  add(process: P): void {
    const { processId } = process;
    this.#entries.set(processId, {
      state: 'started',
      process,
      ended: false,
      retention: undefined,
      expired: false,
    });
    this.#didChange.fire({ type: 'added', processId });
    // The process may have ended before it was listed.
    this.changed(process);
  }

  /** Reports a change of a listed process; the time of retention begins when its log has ended. */
  changed(process: P): void {
    const entry = this.#entryOf(process);
    if (entry === undefined) {
      return;
    }
    this.#didChange.fire({ type: 'changed', processId: process.processId });
    if (!process.log.ended || entry.ended) {
      return;
    }
    entry.ended = true;
    this.#options.onEnd?.(process);
    if (!process.owned) {
      entry.retention = this.#options.clock.after(this.#options.retentionMs, () => {
        entry.expired = true;
        this.released(process);
      });
    }
  }

  /** Forgets a process whose retention is over, unless a caller holds it. */
  released(process: P): void {
    if (this.#entryOf(process)?.expired === true && !process.held) {
      this.forget(process, { expired: true });
    }
  }

  /**
   * The process with this id if it can be removed; undefined if it is unknown.
   *
   * @throws ExecError if it has not exited.
   */
  removable(processId: string): P | undefined {
    const entry = this.#entries.get(processId);
    if (entry?.state === 'starting') {
      throw new ExecError({ kind: 'processStarting', processId });
    }
    if (entry?.process.info().state === 'running') {
      throw new ExecError({ kind: 'processRunning', processId });
    }
    return entry?.process;
  }

  /**
   * Forgets a process at once, even if a caller holds it.
   *
   * @param cause.expired Passed on in the event: no call has removed the process.
   */
  forget(process: P, cause: { readonly expired?: true } = {}): void {
    const entry = this.#entryOf(process);
    if (entry !== undefined) {
      const { processId } = process;
      entry.retention?.dispose();
      this.#entries.delete(processId);
      this.#options.onForget?.(process);
      this.#didChange.fire({ type: 'removed', processId, ...cause });
    }
  }

  /** Forgets everything; no event is fired afterwards. */
  dispose(): void {
    this.started.forEach((process) => this.forget(process));
    this.#entries.clear();
    this.#didChange.dispose();
  }

  #entryOf(process: P): Started<P> | undefined {
    const entry = this.#entries.get(process.processId);
    return entry?.state === 'started' && entry.process === process ? entry : undefined;
  }
}
