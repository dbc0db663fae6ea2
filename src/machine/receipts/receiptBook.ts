import {
  Alarm,
  type Clock,
  delay,
  type Disposable,
  type Event,
  type ExecBackend,
  type ExecProcess,
  makeReceipt,
  messageOf,
  type MetadataPatch,
  type ProcessInfo,
  type Receipt,
  type ReceiptCause,
  type ReceiptLeader,
  type ReceiptLeftover,
  type StopReport,
  type StopStep,
} from '../../core/index.js';
import type { ReceiptWriter } from './receiptWriter.js';

/** The time in which news after the end of a session is collected and written together, in milliseconds. */
const AMEND_MS = 300;
/**
 * The time that the processes of a session may take to end with it, in milliseconds: until then they do not count as
 * left.
 */
const ENDING_MS = 1_000;
/** The longest time for which a slow disk holds up the answer to a start, in milliseconds. */
const START_WAITS_MS = 250;

interface ReceiptBookOptions {
  readonly backend: Pick<ExecBackend, 'attach' | 'capabilities' | 'list' | 'onDidChange'>;
  /** Fires when a stop of one of its processes is over. */
  readonly onDidStop: Event<{ readonly processId: string; readonly report: StopReport }>;
  /** The mark of the processes that a process starts. */
  readonly markOf: (processId: string) => string | undefined;
  /** The process that leads it. */
  readonly leaderOf: (processId: string) => ReceiptLeader | undefined;
  /** Whether a window runs the processes itself, and not the session server. */
  readonly window?: boolean;
  readonly clock: Clock;
  readonly log: (line: string) => void;
  /** The name of this machine. */
  readonly host: string;
  /** The writer of the receipts. */
  readonly writer: Pick<ReceiptWriter, 'close' | 'failure' | 'on' | 'onDidFail' | 'write'>;
}

/** The facts about a session whose receipt is written. */
interface Entry {
  readonly process: ExecProcess;
  readonly mark: string | undefined;
  readonly leader: ReceiptLeader | undefined;
  readonly window: boolean;
  readonly amend: Alarm;
  /** Whether its end was written. */
  isOver: boolean;
  /** The receipt and the names in it as they were written last, as JSON. */
  written: string;
  names: string;
  /** Resolves once that is on the disk, or the disk has refused it. */
  attempt: Promise<void>;
  steps: readonly StopStep[];
  left: readonly ReceiptLeftover[];
  endedBy: ReceiptCause | undefined;
}

/**
 * Writes the receipts of the owned processes of a backend, including those that it has already. A process gets a line
 * at its start, and one the moment that its exit is known. It gets one more line if later news comes, such as the rest
 * of its output, who has stopped it, and its survivors.
 */
export class ReceiptBook implements Disposable {
  readonly #options: ReceiptBookOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #listening: readonly Disposable[];

  constructor(options: ReceiptBookOptions) {
    this.#options = options;
    this.#listening = [
      options.backend.onDidChange(({ type, processId }) => {
        if (type === 'added') {
          void this.#follow(processId);
        } else {
          this.#changed(processId, type === 'removed');
        }
      }),
      options.onDidStop(({ processId, report }) => this.#stopped(processId, report)),
      options.writer.onDidFail((reason) =>
        this.#entries.forEach(({ process }) => tellUnwritten(process, reason)),
      ),
    ];
    this.#followAll();
  }

  /** Sets whether receipts are written, also by later servers. Receipts of sessions that still run are taken back. */
  set on(on: boolean) {
    const { writer } = this.#options;
    if (writer.on === on) {
      return;
    }
    writer.on = on;
    if (on) {
      this.#followAll();
    }
    for (const [id, entry] of on ? [] : this.#entries) {
      const { process, amend } = entry;
      amend.dispose();
      if (process.info().exit === undefined) {
        void writer.write({ kind: 'removed', id });
      }
      if (writer.failure !== undefined) {
        tellUnwritten(process, undefined);
      }
      this.#entries.delete(id);
    }
  }

  /**
   * Resolves once the start of a process is written, which then outlasts a kill of this program. A disk that refuses
   * it, or is slow, holds up no start.
   */
  async begun(processId: string): Promise<void> {
    if (!this.#entries.has(processId)) {
      await this.#follow(processId);
    }
    const over = new AbortController();
    const limit = delay(this.#options.clock, START_WAITS_MS, over.signal);
    await Promise.race([this.#entries.get(processId)?.attempt, limit]);
    over.abort();
  }

  /** This program ends, and all its sessions with it. That is their cause, where no other one is known. */
  allEnd(cause: ReceiptCause): void {
    for (const entry of this.#entries.values()) {
      if (entry.process.info().exit === undefined) {
        entry.endedBy = cause;
      }
    }
  }

  /** Writes the rest, and ends. */
  async close(): Promise<void> {
    this.#entries.forEach((entry) => this.#write(entry));
    this.dispose();
    await this.#options.writer.close();
  }

  dispose(): void {
    this.#listening.forEach((one) => one.dispose());
    this.#entries.forEach(({ amend }) => amend.dispose());
    this.#entries.clear();
  }

  #followAll(): void {
    const follow = ({ processId }: ProcessInfo) => void this.#follow(processId);
    const { backend, log } = this.#options;
    backend.list().then(
      (all) => all.forEach(follow),
      (error: unknown) => log(`Receipts of earlier starts cannot be written: ${messageOf(error)}`),
    );
  }

  async #follow(processId: string): Promise<void> {
    const { backend, clock, writer, leaderOf, log, markOf, window = false } = this.#options;
    const process = await backend.attach(processId).catch((error: unknown) => {
      log(`No receipt is written of ${processId}: ${messageOf(error)}`);
      return undefined;
    });
    process?.release();
    if (process?.info().owned !== true || this.#entries.has(processId) || !writer.on) {
      return;
    }
    const entry: Entry = {
      process,
      mark: markOf(processId),
      leader: leaderOf(processId),
      window,
      amend: new Alarm(clock),
      isOver: false,
      written: '',
      names: '',
      attempt: Promise.resolve(),
      steps: [],
      left: [],
      endedBy: undefined,
    };
    this.#entries.set(processId, entry);
    if (writer.failure !== undefined) {
      tellUnwritten(process, writer.failure);
    }
    if (process.info().exit === undefined) {
      this.#write(entry);
    } else {
      this.#changed(processId, false);
    }
  }

  #changed(processId: string, removed: boolean): void {
    const entry = this.#entries.get(processId);
    if (entry === undefined) {
      return;
    }
    if (entry.process.info().exit === undefined) {
      this.#nameAgain(entry);
      return;
    }
    if (!entry.isOver) {
      this.#write(entry);
      void this.#lookForLeftovers(entry);
    } else {
      this.#amend(entry);
    }
    if (removed) {
      this.#write(entry);
      entry.amend.dispose();
      this.#entries.delete(processId);
    }
  }

  /**
   * A session of an agent gets its number after its start, and any session may get a title: the server may end without
   * a word.
   */
  #nameAgain(entry: Entry): void {
    if (namesIn(this.#receiptOf(entry)) !== entry.names) {
      this.#write(entry);
    }
  }

  #stopped(processId: string, { steps, survivors }: StopReport): void {
    const entry = this.#entries.get(processId);
    if (entry !== undefined && steps.length > 0) {
      entry.steps = steps;
      entry.left = survivors;
      this.#amend(entry);
    }
  }

  async #lookForLeftovers(entry: Entry): Promise<void> {
    const { backend, clock } = this.#options;
    if (backend.capabilities.survivors) {
      await delay(clock, ENDING_MS);
      // Where survivors cannot be found out, the earlier knowledge stays.
      entry.left = await entry.process.survivors().catch(() => entry.left);
      this.#amend(entry);
    }
  }

  #amend(entry: Entry): void {
    if (entry.process.info().exit !== undefined && this.#isFollowed(entry)) {
      entry.amend.setUnlessSet(AMEND_MS, () => this.#write(entry));
    }
  }

  #isFollowed(entry: Entry): boolean {
    return this.#entries.get(entry.process.processId) === entry;
  }

  /** Writes the receipt as it is now, unless it is the same as before. */
  #write(entry: Entry): void {
    const receipt = this.#receiptOf(entry);
    const written = JSON.stringify(receipt);
    if (written === entry.written) {
      return;
    }
    entry.written = written;
    entry.names = namesIn(receipt);
    entry.isOver = receipt.end !== undefined;
    entry.attempt = this.#options.writer.write({ kind: 'receipt', receipt });
  }

  #receiptOf(entry: Entry): Receipt {
    return makeReceipt(entry.process.info(), { ...entry, host: this.#options.host });
  }
}

/** Tells all clients, with the process, why its receipt is not written, or that it is. */
function tellUnwritten(process: ExecProcess, reason: string | undefined): void {
  // Without room in the metadata, or after the process, no client can be told.
  void process.describe({ receiptUnwritten: reason ?? null } satisfies MetadataPatch).catch(() => undefined);
}

/** The names of a session, as JSON. */
function namesIn({ title, number }: Receipt): string {
  return JSON.stringify([title, number]);
}
