import { existsSync, rmSync, writeFileSync } from 'node:fs';

import {
  Alarm,
  type Clock,
  messageOf,
  Queue,
  type ReceiptRecord,
  receiptLine,
  type UnwrittenReceipt,
} from '../../core/index.js';
import { StartError, systemReason } from '../startError.js';
import { LineAppender } from './appendLine.js';
import { compactReceipts } from './compactReceipts.js';
import { makeReceiptPlace, type ReceiptPlace } from './receiptPlace.js';
import { beginRun, endRun, guardReportOf, SIGN_MS, signLife } from './serverRun.js';

/** The file is compacted when it is larger than this, and than twice what the last compaction has left, in bytes. */
const COMPACT_BYTES = 4 * 1024 * 1024;
/** The most lines that wait for a disk that takes nothing. */
const MOST_WAITING = 4_000;

export interface ReceiptWriterOptions {
  readonly place: ReceiptPlace;
  readonly clock: Clock;
  /** Gets a line when receipts cannot be written, and the next one after they could be again. */
  readonly log: (line: string) => void;
  /** Called with the file in which a guard is to say what it has stopped, should this process be killed. */
  readonly onBegin?: (guardReport: string) => void;
  readonly onClose?: () => void;
  readonly compactBytes?: number;
}

/** Makes the record of a line, for the server of this name. */
export type MakeRecord = (run: string) => ReceiptRecord;

/** Gets why a record is not written, after each try, and undefined once it is. */
export type Outcome = (unwritten: UnwrittenReceipt | undefined) => void;

interface Waiting {
  readonly record: MakeRecord;
  readonly outcome: Outcome;
}

/**
 * Writes receipts, one after the other and each as soon as it can be, and gives signs of life, by which readers know when
 * this process was there last. Nobody waits for the disk: what it does not take is tried again with the next receipt, or
 * half a minute later.
 */
export class ReceiptWriter {
  readonly #options: ReceiptWriterOptions;
  readonly #appender: LineAppender;
  readonly #signs: Alarm;
  readonly #waiting = new Queue<Waiting>();
  #run: string | undefined;
  #work: Promise<void> | undefined;
  #compactAt: number;
  #failing = false;
  /** The user wants none, which may not be remembered for others. */
  #off = false;

  constructor(options: ReceiptWriterOptions) {
    this.#options = options;
    this.#appender = new LineAppender(options.place.file);
    this.#signs = new Alarm(options.clock);
    this.#compactAt = options.compactBytes ?? COMPACT_BYTES;
  }

  /** Whether the user wants receipts, also one who has said so to another server. */
  get on(): boolean {
    return !this.#off && !existsSync(this.#options.place.off);
  }

  set on(on: boolean) {
    const { place, log } = this.#options;
    this.#off = !on;
    try {
      if (on) {
        rmSync(place.off, { force: true });
      } else {
        makeReceiptPlace(place);
        writeFileSync(place.off, '', { mode: 0o600 });
      }
    } catch (error) {
      log(`Whether receipts are wanted cannot be remembered: ${messageOf(error)}`);
    }
  }

  /** Never throws. Records are written in the order of the calls. */
  write(record: MakeRecord, outcome: Outcome = () => undefined): void {
    this.#waiting.push({ record, outcome });
    if (this.#waiting.size > MOST_WAITING) {
      this.#waiting.shift();
    }
    this.#start();
  }

  /** Resolves when all has been written that the disk takes, and would outlast a failure of the machine. */
  async flush(): Promise<void> {
    while (this.#work !== undefined) {
      await this.#work;
    }
  }

  /**
   * Ends it, with its signs of life.
   *
   * @param complete Whether the ends of all sessions are known; otherwise the last sign says when they were lost.
   */
  async close(complete: boolean): Promise<void> {
    this.#options.onClose?.();
    await this.flush();
    this.#signs.dispose();
    if (complete && this.#run !== undefined && this.#waiting.size === 0) {
      await endRun(this.#options.place, this.#run);
    }
    await this.#appender.close().catch(() => undefined);
  }

  #start(): void {
    this.#work ??= this.#writeAll().finally(() => {
      this.#work = undefined;
      if (this.#waiting.size > 0 && !this.#failing) {
        this.#start();
      }
    });
  }

  async #writeAll(): Promise<void> {
    const { place, clock, log } = this.#options;
    try {
      if (this.#run === undefined || this.#failing) {
        makeReceiptPlace(place);
      }
      this.#run ??= await this.#begin();
      let size = 0;
      for (let next = this.#waiting.first; next !== undefined; next = this.#waiting.first) {
        size = await this.#appender.append(receiptLine(next.record(this.#run)));
        this.#waiting.shift();
        next.outcome(undefined);
      }
      await this.#appender.sync();
      this.#failing = false;
      if (size > this.#compactAt) {
        // Another server may just do the same.
        const left = await compactReceipts(place, clock).catch(() => size);
        this.#compactAt = Math.max(this.#options.compactBytes ?? COMPACT_BYTES, 2 * left);
      }
    } catch (error) {
      if (!this.#failing) {
        log(`Receipts cannot be written to ${place.folder}: ${messageOf(error)}`);
      }
      this.#tellAll(error, !this.#failing);
      this.#failing = true;
    }
    this.#giveSigns();
  }

  /** @param isNew Whether what was written before these has been written. */
  #tellAll(error: unknown, isNew: boolean): void {
    const { folder } = this.#options.place;
    const reason =
      error instanceof StartError
        ? error.message
        : `cannot write into the folder ${folder}: ${systemReason(error)}`;
    [...this.#waiting].forEach(({ outcome }, index) => outcome({ reason, first: isNew && index === 0 }));
  }

  async #begin(): Promise<string> {
    const { place, onBegin } = this.#options;
    const run = await beginRun(place);
    onBegin?.(guardReportOf(place, run));
    return run;
  }

  #giveSigns(): void {
    const { place, clock } = this.#options;
    this.#signs.setUnlessSet(SIGN_MS, () => {
      if (this.#run !== undefined) {
        void signLife(place, this.#run, clock.wallTime());
      }
      if (this.#waiting.size > 0) {
        this.#start();
      }
      this.#giveSigns();
    });
  }
}
