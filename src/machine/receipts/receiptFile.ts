import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';

import { type ReceiptRecord, receiptLine } from '../../core/index.js';
import { appendWhole } from '../appendWhole.js';
import { ownerLine } from '../runOwner.js';
import { makeReceiptPlace, partOf, type ReceiptPlace } from './receiptPlace.js';

/** The size of a part, in bytes, from which another one follows it. */
const PART_BYTES = 1024 * 1024;

/**
 * The receipts of this process on disk, in parts that no other process writes to. Each part repeats the receipts of
 * sessions that still run, so that earlier parts are not needed for these. Its calls must not overlap.
 */
export class ReceiptFile {
  /** Unique for ever. */
  readonly run = randomUUID();
  readonly #place: ReceiptPlace;
  readonly #partBytes: number;
  /** The last lines of sessions that run, by their ids. */
  readonly #running = new Map<string, string>();
  #parts = 0;
  #handle: FileHandle | undefined;
  #size = 0;

  constructor(place: ReceiptPlace, partBytes = PART_BYTES) {
    this.#place = place;
    this.#partBytes = partBytes;
  }

  /** Whether a session runs whose start is written. */
  get hasRunning(): boolean {
    return this.#running.size > 0;
  }

  /**
   * Writes all of the records, or none.
   *
   * @returns whether a part was begun with them.
   * @throws Error
   */
  async write(records: readonly ReceiptRecord[]): Promise<boolean> {
    const lines = records.map(receiptLine);
    const handle = await this.#partWithRoom();
    if (handle === undefined) {
      await this.#begin([ownerLine(), ...this.#running.values(), ...lines]);
    } else {
      await this.#append(handle, lines);
    }
    records.forEach((record, index) => this.#remember(record, lines[index] ?? ''));
    return handle === undefined;
  }

  /** Sets the time of the newest part: readers take it for a sign of life. */
  async sign(wallTime: number): Promise<void> {
    const time = new Date(wallTime);
    await this.#handle?.utimes(time, time);
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  async #partWithRoom(): Promise<FileHandle | undefined> {
    const handle = this.#handle;
    const isUsable =
      handle !== undefined &&
      this.#size < this.#partBytes &&
      // A person may have cleared up.
      (await handle.stat()).nlink > 0;
    return isUsable ? handle : undefined;
  }

  async #begin(lines: readonly string[]): Promise<void> {
    await this.close();
    makeReceiptPlace(this.#place);
    this.#parts += 1;
    const file = partOf(this.#place, this.run, this.#parts);
    const handle = await open(file, 'wx', 0o600);
    try {
      this.#size = 0;
      await this.#append(handle, lines);
      this.#handle = handle;
    } catch (error) {
      // A full disk may have had room for the name alone.
      await handle.close();
      await rm(file, { force: true });
      throw error;
    }
  }

  async #append(handle: FileHandle, lines: readonly string[]): Promise<void> {
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    await appendWhole(handle, bytes, this.#size);
    this.#size += bytes.length;
  }

  #remember(record: ReceiptRecord, line: string): void {
    if (record.kind === 'receipt' && record.receipt.end === undefined) {
      this.#running.set(record.receipt.id, line);
    } else {
      this.#running.delete(record.kind === 'receipt' ? record.receipt.id : record.id);
    }
  }
}
