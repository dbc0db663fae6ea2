import { existsSync, rmSync, writeFileSync } from 'node:fs';

import { Alarm, type Clock, deferred, Emitter, messageOf, type ReceiptRecord } from '../../core/index.js';
import { SIGN_MS } from '../runOwner.js';
import { NO_PLACE, StartError, systemReason } from '../startError.js';
import { MOST_RECEIPTS, pruneReceipts } from './removeReceipts.js';
import { ReceiptFile } from './receiptFile.js';
import { guardReportOf, makeReceiptPlace, type ReceiptPlace } from './receiptPlace.js';

/** The time from a new part to the removal of old ones, in milliseconds: a start has more important work to do. */
const PRUNE_MS = 10_000;

interface ReceiptWriterOptions {
  /** Undefined if the user has no place for what programs keep. */
  readonly place: ReceiptPlace | undefined;
  readonly clock: Clock;
  /** Gets a line when receipts cannot be written, and the next one after they could be again. */
  readonly log: (line: string) => void;
  /**
   * Called with the file in which a guard is to report the processes that it has stopped, should this process be
   * killed.
   */
  readonly onBegin?: (guardReport: string) => void;
  readonly partBytes?: number;
}

/**
 * Writes receipts, each as soon as possible, and gives signs of life while a session runs. A disk that refuses is tried
 * again with the next receipt, or half a minute later. Until then the newest receipt of each session waits.
 */
export class ReceiptWriter {
  readonly #options: ReceiptWriterOptions;
  readonly #file: ReceiptFile | undefined;
  readonly #signs: Alarm;
  readonly #pruning: Alarm;
  readonly #didFail = new Emitter<string | undefined>();
  /** The records that no attempt has taken yet, by the ids of their receipts. */
  #waiting = new Map<string, ReceiptRecord>();
  /** Resolved by the attempt that takes these. */
  #attempt = deferred();
  /** Whether a record has come since the last attempt began. */
  #hasNew = false;
  #work: Promise<void> | undefined;
  #begun = false;
  #failure: string | undefined;
  /** The user wants no receipts, which may not be remembered for other servers. */
  #off = false;

  constructor(options: ReceiptWriterOptions) {
    this.#options = options;
    const { place, clock, partBytes } = options;
    this.#file = place && new ReceiptFile(place, partBytes);
    this.#signs = new Alarm(clock);
    this.#pruning = new Alarm(clock);
  }

  /** Fires with the reason why receipts cannot be written, and with undefined once they can be. */
  get onDidFail() {
    return this.#didFail.event;
  }

  /** The reason why receipts cannot be written; undefined if they can. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Whether the user wants receipts. The wish may have been told to another server. */
  get on(): boolean {
    const { place } = this.#options;
    return !this.#off && (place === undefined || !existsSync(place.off));
  }

  set on(on: boolean) {
    this.#off = !on;
    const { place, log } = this.#options;
    try {
      if (place !== undefined && on) {
        rmSync(place.off, { force: true });
      } else if (place !== undefined) {
        makeReceiptPlace(place);
        writeFileSync(place.off, '', { mode: 0o600 });
      }
    } catch (error) {
      log(`Whether receipts are wanted cannot be remembered: ${messageOf(error)}`);
    }
  }

  /** Resolves once the record is in the file, or waits there for a disk that takes it. */
  write(record: ReceiptRecord): Promise<void> {
    const id = record.kind === 'receipt' ? record.receipt.id : record.id;
    this.#waiting.delete(id);
    this.#waiting.set(id, record);
    const { promise } = this.#attempt;
    this.#start();
    return promise;
  }

  /** Resolves when all records that the disk takes are written. */
  async flush(): Promise<void> {
    while (this.#work !== undefined) {
      await this.#work;
    }
  }

  /** Ends it, with its signs of life. */
  async close(): Promise<void> {
    this.#pruning.dispose();
    await this.flush();
    this.#signs.dispose();
    await this.#file?.close().catch((error: unknown) => this.#options.log(messageOf(error)));
  }

  #start(): void {
    this.#hasNew = true;
    this.#work ??= this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    while (this.#hasNew) {
      await this.#writeWaiting();
    }
    this.#work = undefined;
    this.#signLater();
  }

  async #writeWaiting(): Promise<void> {
    this.#hasNew = false;
    const records = this.#waiting;
    const attempt = this.#attempt;
    this.#waiting = new Map();
    this.#attempt = deferred();
    try {
      await this.#writeNow([...records.values()]);
      this.#fails(undefined);
    } catch (error) {
      this.#waiting = new Map([...records, ...this.#waiting]);
      this.#leaveOldest();
      this.#fails(error);
    }
    attempt.resolve();
  }

  async #writeNow(records: readonly ReceiptRecord[]): Promise<void> {
    const { place, onBegin } = this.#options;
    if (place === undefined || this.#file === undefined) {
      throw new StartError(NO_PLACE);
    }
    if (!this.#begun) {
      this.#begun = true;
      onBegin?.(guardReportOf(place, this.#file.run));
    }
    if (await this.#file.write(records)) {
      this.#pruneLater(place);
    }
  }

  /** No more records wait than receipts are kept. */
  #leaveOldest(): void {
    for (const id of [...this.#waiting.keys()].slice(0, -MOST_RECEIPTS)) {
      this.#waiting.delete(id);
    }
  }

  #fails(error: unknown): void {
    const failure = error === undefined ? undefined : this.#reasonOf(error);
    const before = this.#failure;
    this.#failure = failure;
    if (failure !== undefined && before === undefined) {
      this.#options.log(`Receipts cannot be written: ${failure}`);
    }
    if (failure !== before) {
      this.#didFail.fire(failure);
    }
  }

  #reasonOf(error: unknown): string {
    return error instanceof StartError
      ? error.message
      : `cannot write into the folder ${this.#options.place?.folder ?? ''}: ${systemReason(error)}`;
  }

  #signLater(): void {
    if (this.#file?.hasRunning !== true && this.#waiting.size === 0) {
      return;
    }
    this.#signs.setUnlessSet(SIGN_MS, () => {
      // The disk may refuse this too, which the next receipt will tell.
      void this.#file?.sign(this.#options.clock.wallTime()).catch(() => undefined);
      if (this.#waiting.size > 0) {
        this.#start();
      } else {
        this.#signLater();
      }
    });
  }

  #pruneLater(place: ReceiptPlace): void {
    const { clock, log } = this.#options;
    this.#pruning.set(PRUNE_MS, () =>
      pruneReceipts(place, clock.wallTime()).catch((error: unknown) =>
        log(`Old receipts cannot be removed: ${messageOf(error)}`),
      ),
    );
  }
}
