import {
  Alarm,
  type Clock,
  type Disposable,
  type ExecBackend,
  metadataIn,
  type MetadataPatch,
  type ProcessInfo,
  Semaphore,
} from '../../core/index.js';
import { DEFAULT_KEEP_TIMES, EMPTY_SERVER_MS, SHORTEST_KEEP_SECONDS } from '../limits.js';

/** The times for which owned processes go on without any client, in seconds: -1 for ever, 0 for two minutes. */
export interface KeepTimes {
  /** The time for processes of people, and for those of agents that are to be kept (`keep` in their metadata). */
  readonly personSeconds: number;
  /** The time for the other processes of agents. */
  readonly agentSeconds: number;
}

export interface KeepWithoutClientOptions {
  readonly backend: ExecBackend;
  readonly clock: Clock;
  readonly times?: KeepTimes | undefined;
  /** Called once, when the server has no reason to stay. */
  readonly onOver: () => void;
  /** Gets a line for each process that cannot be stopped. */
  readonly log: (line: string) => void;
}

/**
 * Decides what becomes of owned processes and of the server while it has no client.
 *
 * When their time is over, processes are stopped step by step. Their metadata gets
 * `endedBy: {kind: 'keepWithoutClient', at, afterSeconds}`, the time since the last client left.
 *
 * Ended processes stay for the time of people, counted from their end or the last client, so that a client that comes
 * back sees them. Then the server is over. It is over as well after ten minutes without any process and any client that
 * does more than look on.
 *
 * Times are those that the machine runs, whatever its clock says.
 */
export class KeepWithoutClient implements Disposable {
  readonly #options: KeepWithoutClientOptions;
  readonly #alarm: Alarm;
  readonly #changes: Disposable;
  #times: KeepTimes;
  #clients = 0;
  /** The clients that do more than look on. */
  #acting = 0;
  /** The time at which the last client left, or the server began. */
  #since: number;
  /** The time since which no client acts and no process is there, while some client looks on. */
  #idleSince: number;
  /** The times at which ended processes were first seen to have ended, by their ids. */
  readonly #endedAt = new Map<string, number>();
  /** The ids of the processes that were told to stop: that is tried once. */
  readonly #stopped = new Set<string>();
  readonly #looks = new Semaphore(1);
  #over = false;

  constructor(options: KeepWithoutClientOptions) {
    this.#options = options;
    this.#times = options.times ?? DEFAULT_KEEP_TIMES;
    this.#alarm = new Alarm(options.clock);
    this.#since = options.clock.now();
    this.#idleSince = this.#since;
    this.#changes = options.backend.onDidChange(({ type, processId }) => {
      if (type === 'removed') {
        this.#endedAt.delete(processId);
        this.#stopped.delete(processId);
        this.#idleSince = options.clock.now();
      }
      this.#look();
    });
    this.#look();
  }

  setTimes(times: KeepTimes): void {
    this.#times = times;
  }

  /**
   * @param clients The number of connected clients.
   * @param acting The number of those that do more than look on.
   */
  clientsChanged(clients: number, acting = clients): void {
    const now = this.#options.clock.now();
    if (this.#clients > 0 && clients === 0) {
      this.#since = now;
    }
    if (this.#acting > 0 && acting === 0) {
      this.#idleSince = now;
    }
    this.#clients = clients;
    this.#acting = acting;
    this.#look();
  }

  dispose(): void {
    this.#over = true;
    this.#changes.dispose();
    this.#alarm.dispose();
  }

  /** Looks for the next thing to do, one look after the other. */
  #look(): void {
    this.#alarm.dispose();
    if (!this.#over && this.#acting === 0) {
      this.#looks
        .run(() => this.#lookNow())
        .catch((error: unknown) =>
          this.#options.log(`The processes to stop cannot be determined: ${String(error)}`),
        );
    }
  }

  async #lookNow(): Promise<void> {
    const owned = (await this.#options.backend.list()).filter(({ owned: isOwned }) => isOwned === true);
    // While a client looks on, the processes that it can look at go on.
    if (this.#over || this.#acting > 0 || (this.#clients > 0 && owned.length > 0)) {
      return;
    }
    const now = this.#options.clock.now();
    const running = owned.filter((info) => isRunning(info) && !this.#stopped.has(info.processId));
    const due = running.filter((info) => this.#deadline(info) <= now);
    due.forEach((info) => void this.#stop(info));
    const waiting = running.filter((info) => !due.includes(info)).map((info) => this.#deadline(info));
    const stopping = owned.some((info) => isRunning(info) && this.#stopped.has(info.processId));
    const ended = owned.filter((info) => !isRunning(info)).map((info) => this.#endedDeadline(info, now));
    const emptySince = this.#clients === 0 ? this.#since : this.#idleSince;
    const end = owned.length === 0 ? emptySince + EMPTY_SERVER_MS : Math.max(...ended);
    if (waiting.length > 0 || stopping) {
      this.#wakeAt(Math.min(...waiting), now);
    } else if (end <= now) {
      this.dispose();
      this.#options.onOver();
    } else {
      this.#wakeAt(end, now);
    }
  }

  #wakeAt(time: number, now: number): void {
    if (Number.isFinite(time)) {
      this.#alarm.set(time - now, () => this.#look());
    }
  }

  /** The time at which a running process is stopped. */
  #deadline(info: ProcessInfo): number {
    const { personSeconds, agentSeconds } = this.#times;
    if (isKeptForGood(info)) {
      return Number.POSITIVE_INFINITY;
    }
    return this.#since + keepMs(isForAgentAlone(info) ? agentSeconds : personSeconds);
  }

  /** The time until which an ended process keeps the server. */
  #endedDeadline({ processId }: ProcessInfo, now: number): number {
    const endedAt = this.#endedAt.get(processId) ?? now;
    this.#endedAt.set(processId, endedAt);
    return Math.max(this.#since, endedAt) + keepMs(this.#times.personSeconds);
  }

  async #stop({ processId, argv }: ProcessInfo): Promise<void> {
    const { backend, clock, log } = this.#options;
    this.#stopped.add(processId);
    try {
      const process = await backend.attach(processId);
      process.release();
      const afterSeconds = Math.round((clock.now() - this.#since) / 1_000);
      const endedBy = { kind: 'keepWithoutClient', at: clock.wallTime(), afterSeconds };
      // There may be no room for it; that is no reason to go on.
      await process.describe({ endedBy } satisfies MetadataPatch).catch(() => undefined);
      await process.stop();
    } catch (error) {
      log(`${argv[0] ?? ''} could not be stopped: ${String(error)}`);
    }
    this.#look();
  }
}

function isRunning({ state }: ProcessInfo): boolean {
  return state === 'starting' || state === 'running';
}

function isForAgentAlone({ metadata }: ProcessInfo): boolean {
  return metadataIn(metadata, 'origin').kind === 'agent' && !metadataIn(metadata, 'keep');
}

/** Whether a person has started it to go on for as long as the machine runs. */
function isKeptForGood({ metadata }: ProcessInfo): boolean {
  return metadataIn(metadata, 'origin').kind === 'user' && metadataIn(metadata, 'keep');
}

function keepMs(seconds: number): number {
  return seconds < 0 ? Number.POSITIVE_INFINITY : Math.max(seconds, SHORTEST_KEEP_SECONDS) * 1_000;
}
