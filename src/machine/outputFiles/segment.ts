import { constants } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';

import type { KeptOutput, MissingOutput, OutputChunk, PrintedAmount } from '../../core/index.js';
import { appendWhole } from '../appendWhole.js';
import {
  amountOf,
  FILE_HEAD_BYTES,
  fileHead,
  type FileRecord,
  lastSeqOf,
  readFileHead,
  readRecord,
  RECORD_HEAD_BYTES,
  sizeOfRecord,
  sumOf,
} from './recordFormat.js';

/** The distance of the places that are remembered, in bytes: to find a number, at most that much is read. */
const INDEX_BYTES = 64 * 1024;
const READ_BYTES = 256 * 1024;
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_RDWR } = constants;

/** A number, and the offset of a record after which all others have higher ones. */
interface Place {
  readonly seq: number;
  readonly offset: number;
}

/** Records that are written together, as bytes. */
export interface SegmentBatch {
  readonly bytes: Buffer;
  /** The first and the last number in it. */
  readonly fromSeq: number;
  readonly throughSeq: number;
  /** The output in it, including the output that its gaps stand for. */
  readonly amount: PrintedAmount;
}

/** The part of a file that was read, and whether more output follows. */
export interface SegmentPart extends KeptOutput {
  readonly bytes: number;
  readonly more: boolean;
}

/** One file with output: a part of the output of a session. Its calls must not overlap. */
export class Segment {
  readonly path: string;
  /** The output before it. */
  readonly before: PrintedAmount;
  /** The first number in it. */
  readonly fromSeq: number;
  readonly #places: Place[];
  #handle: FileHandle | undefined;
  #size: number;
  #throughSeq: number;
  #through: PrintedAmount;

  private constructor(
    path: string,
    state: {
      before: PrintedAmount;
      through: PrintedAmount;
      fromSeq: number;
      throughSeq: number;
      size: number;
      places: Place[];
    },
    handle: FileHandle | undefined,
  ) {
    this.path = path;
    this.before = state.before;
    this.fromSeq = state.fromSeq;
    this.#throughSeq = state.throughSeq;
    this.#through = state.through;
    this.#size = state.size;
    this.#places = state.places;
    this.#handle = handle;
  }

  /** Makes a file that only its owner can read, for output from a number on. */
  static async create(path: string, before: PrintedAmount, fromSeq: number): Promise<Segment> {
    const handle = await open(path, O_RDWR | O_CREAT | O_EXCL, 0o600);
    const places = [{ seq: fromSeq - 1, offset: FILE_HEAD_BYTES }];
    const state = {
      before,
      through: before,
      fromSeq,
      throughSeq: fromSeq - 1,
      size: 0,
      places,
    };
    const segment = new Segment(path, state, handle);
    try {
      await segment.#append(fileHead(before));
      return segment;
    } catch (error) {
      await segment.remove();
      throw error;
    }
  }

  /**
   * Loads a file that another program may have written.
   *
   * @returns undefined if it has no output.
   */
  static async load(path: string): Promise<Segment | undefined> {
    // Windows has no such flag.
    const handle = await open(path, O_RDONLY | ((O_NOFOLLOW as number | undefined) ?? 0));
    try {
      const head = Buffer.alloc(FILE_HEAD_BYTES);
      await handle.read(head, 0, FILE_HEAD_BYTES, 0);
      const before = readFileHead(head);
      if (before === undefined) {
        return undefined;
      }
      const places: Place[] = [];
      let first: number | undefined;
      let last = 0;
      let through = before;
      let size = FILE_HEAD_BYTES;
      for await (const { record, offset, end } of recordsIn(handle, FILE_HEAD_BYTES)) {
        first ??= record.type === 'gap' ? record.fromSeq : record.seq;
        if (offset >= (places.at(-1)?.offset ?? Number.NEGATIVE_INFINITY) + INDEX_BYTES) {
          places.push({ seq: places.length === 0 ? first - 1 : last, offset });
        }
        last = lastSeqOf(record);
        through = sumOf(through, amountOf(record));
        size = end;
      }
      return first === undefined
        ? undefined
        : new Segment(path, { before, through, fromSeq: first, throughSeq: last, size, places }, undefined);
    } finally {
      await handle.close();
    }
  }

  /** The size of the file. */
  get size(): number {
    return this.#size;
  }

  /** The last number in it. */
  get throughSeq(): number {
    return this.#throughSeq;
  }

  /** The output before its end. */
  get through(): PrintedAmount {
    return this.#through;
  }

  /** Appends records. If it fails, no record of the batch is in the file. */
  async append(batch: SegmentBatch): Promise<void> {
    const offset = this.#size;
    await this.#append(batch.bytes);
    if (offset >= (this.#places.at(-1)?.offset ?? 0) + INDEX_BYTES) {
      this.#places.push({ seq: batch.fromSeq - 1, offset });
    }
    this.#throughSeq = batch.throughSeq;
    this.#through = sumOf(this.#through, batch.amount);
  }

  /** Reads output after a number, up to a size; the first chunk always fits. */
  async read(afterSeq: number, maxBytes: number): Promise<SegmentPart> {
    const from = this.#places.findLast(({ seq }) => seq <= afterSeq)?.offset ?? FILE_HEAD_BYTES;
    const chunks: OutputChunk[] = [];
    const missing: MissingOutput[] = [];
    let bytes = 0;
    const handle = this.#handle ?? (await open(this.path, O_RDONLY));
    try {
      for await (const { record } of recordsIn(handle, from, this.#size)) {
        if (lastSeqOf(record) <= afterSeq) {
          continue;
        }
        if (record.type === 'gap') {
          missing.push(missingOf(record));
          continue;
        }
        if (chunks.length > 0 && bytes + record.bytes.byteLength > maxBytes) {
          return { chunks, missing, bytes, more: true };
        }
        const { seq, stream } = record;
        // A copy, since the memory that it was read into is used again.
        chunks.push({ seq, stream, bytes: new Uint8Array(record.bytes) });
        bytes += record.bytes.byteLength;
      }
      return { chunks, missing, bytes, more: false };
    } finally {
      if (handle !== this.#handle) {
        await handle.close();
      }
    }
  }

  /**
   * The number of the last output before a time, in milliseconds since 1970; if all came later, the number before the
   * first.
   */
  async seqBefore(time: number): Promise<number> {
    let before = this.fromSeq - 1;
    const handle = this.#handle ?? (await open(this.path, O_RDONLY));
    try {
      for await (const { record } of recordsIn(handle, FILE_HEAD_BYTES, this.#size)) {
        if (record.at >= time) {
          break;
        }
        before = lastSeqOf(record);
      }
      return before;
    } finally {
      if (handle !== this.#handle) {
        await handle.close();
      }
    }
  }

  /** Nothing will be appended any more. */
  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  async remove(): Promise<void> {
    await this.close();
    await rm(this.path, { force: true });
  }

  async #append(bytes: Buffer): Promise<void> {
    const handle = this.#handle;
    if (handle === undefined) {
      throw new Error('The file is closed.');
    }
    await appendWhole(handle, bytes, this.#size);
    this.#size += bytes.length;
  }
}

function missingOf({ fromSeq, throughSeq, bytes }: Extract<FileRecord, { type: 'gap' }>): MissingOutput {
  return { fromSeq, throughSeq, chunks: throughSeq - fromSeq + 1, ...(bytes !== undefined && { bytes }) };
}

/**
 * The records of a file from an offset on, each with its place. They end at an offset, or before the first record that
 * is not whole.
 */
async function* recordsIn(
  handle: FileHandle,
  from: number,
  end = Number.POSITIVE_INFINITY,
): AsyncGenerator<{ readonly record: FileRecord; readonly offset: number; readonly end: number }> {
  let bytes = Buffer.alloc(0);
  let wanted = READ_BYTES;
  for (let start = from; end - start >= RECORD_HEAD_BYTES;) {
    const most = Math.min(wanted, end - start);
    bytes = bytes.length < most ? Buffer.alloc(most) : bytes;
    const { bytesRead } = await handle.read(bytes, 0, most, start);
    const there = bytes.subarray(0, bytesRead);
    let read = 0;
    let next = readRecord(there, read);
    while (typeof next === 'object') {
      const offset = start + read;
      read += sizeOfRecord(next);
      yield { record: next, offset, end: start + read };
      next = readRecord(there, read);
    }
    if (next === undefined || (read === 0 && next <= wanted)) {
      return;
    }
    wanted = Math.max(READ_BYTES, next);
    start += read;
  }
}
