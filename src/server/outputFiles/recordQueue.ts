import type { PrintedAmount } from '../../core/index.js';
import {
  amountOf,
  type FileRecord,
  lastSeqOf,
  type SegmentBatch,
  sizeOfRecord,
  sumOf,
  writeRecord,
} from '../../machine/index.js';

const FIRST_BYTES = 1024;
/** The size from which a batch takes no further record. */
const BATCH_BYTES = 256 * 1024;
/** Batches that are kept for reuse while output keeps coming. */
const MOST_SPARE = 4;

/**
 * The records that wait to be written, as bytes. A record that does not fit into the bound is left out, and a gap takes
 * its place. The disk may be slower than the program, and the program is never held back.
 */
export class RecordQueue {
  readonly #mostBytes: number;
  /** All but the last take no more. */
  readonly #batches: {
    bytes: Buffer;
    used: number;
    fromSeq: number;
    throughSeq: number;
    amount: PrintedAmount;
  }[] = [];
  #spare: Buffer[] = [];
  #bytes = 0;
  #gap: Extract<FileRecord, { type: 'gap' }> | undefined;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  get isEmpty(): boolean {
    return this.#batches.length === 0;
  }

  /** How many batches wait. */
  get batches(): number {
    return this.#batches.length;
  }

  /** Whether the records are so many that they should be written at once. */
  get isFull(): boolean {
    return this.#bytes >= BATCH_BYTES;
  }

  /** Copies a record, or counts it as part of a gap. */
  push(record: FileRecord): void {
    if (this.#bytes > 0 && this.#bytes + sizeOfRecord(record) > this.#mostBytes) {
      this.#gap = this.#gap === undefined ? gapFor(record) : joined(this.#gap, record);
      return;
    }
    this.#endGap();
    this.#add(record);
  }

  /** Takes the oldest records. */
  take(): SegmentBatch | undefined {
    const batch = this.#batches.shift();
    if (batch === undefined) {
      return undefined;
    }
    this.#bytes -= batch.used;
    if (this.#batches.length === 0) {
      this.#endGap();
    }
    const { fromSeq, throughSeq, amount } = batch;
    return { bytes: batch.bytes.subarray(0, batch.used), fromSeq, throughSeq, amount };
  }

  /** Takes back the memory of a batch that has been written. */
  giveBack({ bytes }: SegmentBatch): void {
    if (this.isEmpty) {
      this.#spare = [];
    } else if (this.#spare.length < MOST_SPARE && bytes.buffer.byteLength >= BATCH_BYTES) {
      this.#spare.push(Buffer.from(bytes.buffer));
    }
  }

  clear(): void {
    this.#batches.length = 0;
    this.#spare = [];
    this.#bytes = 0;
    this.#gap = undefined;
  }

  #endGap(): void {
    const gap = this.#gap;
    this.#gap = undefined;
    if (gap !== undefined) {
      this.#add(gap);
    }
  }

  #add(record: FileRecord): void {
    const size = sizeOfRecord(record);
    let batch = this.#batches.at(-1);
    if (batch === undefined || batch.used >= BATCH_BYTES) {
      const fromSeq = record.type === 'gap' ? record.fromSeq : record.seq;
      batch = {
        bytes: this.#spare.pop() ?? allocate(FIRST_BYTES),
        used: 0,
        fromSeq,
        throughSeq: 0,
        amount: { bytes: 0 },
      };
      this.#batches.push(batch);
    }
    if (batch.used + size > batch.bytes.length) {
      const larger = allocate(Math.max(batch.bytes.length * 2, batch.used + size));
      batch.bytes.copy(larger, 0, 0, batch.used);
      batch.bytes = larger;
    }
    writeRecord(batch.bytes, batch.used, record);
    batch.used += size;
    batch.throughSeq = lastSeqOf(record);
    batch.amount = sumOf(batch.amount, amountOf(record));
    this.#bytes += size;
  }
}

/** Memory of its own, and not a part of what Node shares among small buffers. */
function allocate(bytes: number): Buffer {
  return Buffer.from(new ArrayBuffer(bytes));
}

function gapFor(record: FileRecord): Extract<FileRecord, { type: 'gap' }> {
  return record.type === 'gap'
    ? record
    : {
        type: 'gap',
        fromSeq: record.seq,
        throughSeq: record.seq,
        at: record.at,
        bytes: record.bytes.byteLength,
      };
}

function joined(
  { bytes, ...gap }: Extract<FileRecord, { type: 'gap' }>,
  record: FileRecord,
): Extract<FileRecord, { type: 'gap' }> {
  const more = record.type === 'gap' ? record.bytes : record.bytes.byteLength;
  const known = bytes !== undefined && more !== undefined;
  return { ...gap, throughSeq: lastSeqOf(record), ...(known && { bytes: bytes + more }) };
}
