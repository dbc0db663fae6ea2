import { ExecError } from '../../core/index.js';
import { SessionProcess } from './sessionProcess.js';

/** A process that is being started. */
interface Starting {
  readonly handle: string;
  /** Resolves when the start has succeeded or failed; never rejects. */
  readonly settled: Promise<unknown>;
}

/** The most names of withdrawn starts that are remembered. */
const MOST_WITHDRAWN = 1_000;

type Known = SessionProcess | Starting;

/** The processes of one client by its own names for them, also those that are being started. */
export class NamedProcesses {
  readonly #most: number;
  readonly #known = new Map<string, Known>();

  /** The names of starts that the client has given up; a start may arrive after that, or have to wait. */
  readonly #withdrawn = new Set<string>();

  /** @param most The most processes that the client may have started and that are not closed. */
  constructor(most: number) {
    this.#most = most;
  }

  /** The processes that have been started. */
  get all(): readonly SessionProcess[] {
    return [...this.#known.values()].filter((known) => known instanceof SessionProcess);
  }

  /** The handles of all of them, in the order of their names. */
  get handles(): readonly string[] {
    return [...this.#known.values()].map(handleOf);
  }

  /** The names by the handles; of several names for one process the oldest. */
  get names(): ReadonlyMap<string, string> {
    const newestFirst = [...this.#known].reverse();
    return new Map(newestFirst.map(([processId, known]) => [handleOf(known), processId]));
  }

  get(processId: string): Known | undefined {
    return this.#known.get(processId);
  }

  /**
   * The process with a name, once it has been started; undefined if there is no such process, or its start has failed.
   */
  async started(processId: string): Promise<SessionProcess | undefined> {
    const known = this.#known.get(processId);
    if (known === undefined || known instanceof SessionProcess) {
      return known;
    }
    await known.settled;
    const then = this.#known.get(processId);
    return then instanceof SessionProcess ? then : undefined;
  }

  /** The handle of the process with that name. */
  handleNamed(processId: string): string | undefined {
    const known = this.#known.get(processId);
    return known && handleOf(known);
  }

  /** The name of the process with that handle, the oldest of several. Makes no list of all names. */
  nameOf(handle: string): string | undefined {
    for (const [processId, known] of this.#known) {
      if (handleOf(known) === handle) {
        return processId;
      }
    }
    return undefined;
  }

  /** Names a process that is being started. The name is free again if that fails. */
  setStarting(processId: string, handle: string, start: Promise<unknown>): void {
    const settled = start
      .catch(() => this.#known.delete(processId))
      .finally(() => this.#withdrawn.delete(processId));
    this.#known.set(processId, { handle, settled });
  }

  /** Notes that a start is given up. */
  withdraw(processId: string): void {
    this.#withdrawn.add(processId);
    const [oldest] = this.#withdrawn;
    if (this.#withdrawn.size > MOST_WITHDRAWN && oldest !== undefined) {
      this.#withdrawn.delete(oldest);
    }
  }

  /** @throws ExecError if the start of that name is given up. */
  throwIfWithdrawn(processId: string): void {
    if (this.#withdrawn.has(processId)) {
      throw new ExecError({ kind: 'startCancelled', processId });
    }
  }

  set(known: SessionProcess): void {
    this.#known.set(known.processId, known);
  }

  /** Forgets all names of a process that has been started. @returns the processes that had them. */
  remove(handle: string): readonly SessionProcess[] {
    const removed = this.all.filter(({ process }) => process.processId === handle);
    removed.forEach(({ processId }) => this.#known.delete(processId));
    return removed;
  }

  clear(): void {
    this.#known.clear();
  }

  /** @throws ExecError */
  throwIfTaken(processId: string): void {
    if (this.#known.has(processId)) {
      throw new ExecError({ kind: 'processExists', processId });
    }
  }

  /** @throws ExecError */
  throwIfFull(): void {
    const limit = this.#most;
    // Closed processes stay for a while. They are told apart only if all together are too many.
    if (this.#known.size >= limit && this.#countOpen() >= limit) {
      throw new ExecError({ kind: 'processQuota', limit });
    }
  }

  #countOpen(): number {
    return [...this.#known.values()].filter(
      (known) => !(known instanceof SessionProcess) || (known.own && known.process.info().state !== 'closed'),
    ).length;
  }
}

function handleOf(known: Known): string {
  return known instanceof SessionProcess ? known.process.processId : known.handle;
}
