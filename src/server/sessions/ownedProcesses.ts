import {
  Alarm,
  type Clock,
  DEFAULT_LOG_LIMITS,
  type Disposable,
  type ExecBackend,
  type ExecProcess,
  type LogLimits,
  messageOf,
} from '../../core/index.js';
import { LIMITS_INTERVAL_MS, MOST_RETAINED, OWNED_LIMITS } from '../limits.js';
import type { ParamsOf } from '../../protocol/index.js';

interface OwnedProcessesOptions {
  readonly backend: ExecBackend;
  readonly clock: Clock;
  readonly log: (line: string) => void;
  /** The most closed processes, and the most bytes of output of all processes together. Asked each time. */
  readonly limits?: { readonly closed: number; readonly outputBytes: number };
}

/**
 * The owned processes of a server. Their output and the number of closed ones are kept within limits. The processes
 * that closed first are removed first. Then output is evicted: that of closed processes first, and the oldest output of
 * running ones last. Output may exceed its limit for a second.
 */
export class OwnedProcesses implements Disposable {
  readonly #backend: ExecBackend;
  readonly #log: (line: string) => void;
  readonly #limits: { readonly closed: number; readonly outputBytes: number };
  readonly #alarm: Alarm;
  readonly #changes: Disposable;
  /** The owned processes by their ids, in the order of their starts, and the closed ones in the order of their ends. */
  readonly #owned = new Map<string, { readonly process: ExecProcess; readonly wakes: Disposable }>();
  readonly #closed = new Set<string>();

  constructor({ backend, clock, log, limits = OWNED_LIMITS }: OwnedProcessesOptions) {
    this.#backend = backend;
    this.#log = log;
    this.#limits = limits;
    this.#alarm = new Alarm(clock);
    this.#changes = backend.onDidChange(({ type, processId }) => {
      if (type === 'added') {
        void this.#follow(processId);
      } else if (type === 'removed') {
        this.#forget(processId);
      } else if (this.#owned.get(processId)?.process.info().state === 'closed') {
        this.#closed.add(processId);
      }
    });
  }

  /** Whether any of them runs. */
  get anyRuns(): boolean {
    return [...this.#owned.values()].some(({ process }) => process.info().exit === undefined);
  }

  dispose(): void {
    this.#changes.dispose();
    this.#alarm.dispose();
    [...this.#owned.keys()].forEach((processId) => this.#forget(processId));
  }

  async #follow(processId: string): Promise<void> {
    const process = await this.#backend.attach(processId).catch((error: unknown) => {
      this.#log(`The limits do not count ${processId}: ${messageOf(error)}`);
      return undefined;
    });
    if (process?.info().owned !== true) {
      process?.release();
      return;
    }
    const check = () => this.#alarm.setUnlessSet(LIMITS_INTERVAL_MS, () => this.#enforce());
    this.#owned.set(processId, { process, wakes: process.onWake(check) });
    if (process.info().state === 'closed') {
      this.#closed.add(processId);
    }
    check();
  }

  #forget(processId: string): void {
    const owned = this.#owned.get(processId);
    owned?.wakes.dispose();
    owned?.process.release();
    this.#owned.delete(processId);
    this.#closed.delete(processId);
  }

  async #enforce(): Promise<void> {
    const excess = this.#closed.size - this.#limits.closed;
    await Promise.all(
      [...this.#closed].slice(0, Math.max(0, excess)).map((processId) => this.#backend.remove(processId)),
    );
    const closedFirst = [...this.#closed, ...[...this.#owned.keys()].filter((id) => !this.#closed.has(id))];
    const processes = closedFirst.flatMap((processId) => this.#owned.get(processId)?.process ?? []);
    let kept = processes.reduce((sum, process) => sum + retained(process), 0);
    for (const process of processes) {
      const over = kept - this.#limits.outputBytes;
      if (over <= 0) {
        break;
      }
      const before = retained(process);
      process.evictTo(Math.max(0, before - over));
      kept -= before - retained(process);
    }
  }
}

function retained(process: ExecProcess): number {
  return process.info().output.retainedBytes;
}

/**
 * The most output that the owned processes of a server may keep. Clients set it with `host/keep`. It holds for output
 * from then on, so it is asked each time.
 */
export class OutputLimits implements LogLimits {
  /** The limit for each process. */
  bytes = DEFAULT_LOG_LIMITS.bytes;
  chunks = DEFAULT_LOG_LIMITS.chunks;
  /** The bytes of all processes together. */
  outputBytes: number = OWNED_LIMITS.outputBytes;
  /** The number of closed processes. */
  closed: number = OWNED_LIMITS.closed;

  set({ bytes, chunks, allBytes, closed }: NonNullable<ParamsOf<'host/keep'>['output']>): void {
    this.bytes = Math.min(bytes, MOST_RETAINED.bytes);
    this.chunks = Math.min(chunks, MOST_RETAINED.chunks);
    this.outputBytes = allBytes;
    this.closed = closed;
  }
}
