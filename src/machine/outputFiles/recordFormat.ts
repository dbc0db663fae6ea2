import type { MissingOutput, OutputChunk, OutputStream, PrintedAmount } from '../../core/index.js';

/**
 * The form of a file with output.
 *
 * It begins with a head of 16 bytes: the mark, and the number of earlier bytes of output. Records follow, each with its
 * content after a head of 17 bytes. All numbers are big-endian. The head of a record has:
 *
 * - 1 byte: the kind (1 stdout, 2 stderr, 3 pty, 4 a gap)
 * - 6 bytes: the number of the output; for a gap, the number at its beginning
 * - 6 bytes: the time, in milliseconds since 1970
 * - 4 bytes: the length of the content
 *
 * The content of a gap is the number of its end and its bytes, 6 bytes each. {@link UNKNOWN_SIZE} stands for an unknown
 * number of bytes.
 * A record that is not whole, or of another kind, is where the file ends: its writer was killed there.
 */
const MARK = Buffer.from('ESOutput03');
export const FILE_HEAD_BYTES = 16;
export const RECORD_HEAD_BYTES = 17;
/** No program prints that much in one piece: no writer has written such a length. */
const MOST_CONTENT_BYTES = 256 * 1024 * 1024;
const GAP_KIND = 4;
const GAP_BYTES = 12;
const UNKNOWN_SIZE = 2 ** 48 - 1;
const KINDS: readonly OutputStream[] = ['stdout', 'stderr', 'pty'];

/** The meaning of a record. */
export type FileRecord =
  | (OutputChunk & { readonly type: 'output'; readonly at: number })
  | (Omit<MissingOutput, 'chunks'> & { readonly type: 'gap'; readonly at: number });

/** @param before The output before that of the file. */
export function fileHead(before: PrintedAmount): Buffer {
  const head = Buffer.alloc(FILE_HEAD_BYTES);
  MARK.copy(head);
  head.writeUIntBE(before.bytes ?? UNKNOWN_SIZE, MARK.length, 6);
  return head;
}

/** @returns the output before that of the file; undefined if it is no file with output. */
export function readFileHead(head: Buffer): PrintedAmount | undefined {
  return head.subarray(0, MARK.length).equals(MARK) ? sizeIn(head, MARK.length) : undefined;
}

/** A number of bytes that may be unknown. */
function sizeIn(bytes: Buffer, offset: number): PrintedAmount {
  const size = bytes.readUIntBE(offset, 6);
  return size === UNKNOWN_SIZE ? {} : { bytes: size };
}

/** The size of a record in the file. */
export function sizeOfRecord(record: FileRecord): number {
  return RECORD_HEAD_BYTES + (record.type === 'output' ? record.bytes.byteLength : GAP_BYTES);
}

/** Writes a record, for which there must be room. */
export function writeRecord(into: Buffer, offset: number, record: FileRecord): void {
  const isGap = record.type === 'gap';
  into[offset] = isGap ? GAP_KIND : KINDS.indexOf(record.stream) + 1;
  into.writeUIntBE(isGap ? record.fromSeq : record.seq, offset + 1, 6);
  into.writeUIntBE(Math.max(0, record.at), offset + 7, 6);
  into.writeUInt32BE(sizeOfRecord(record) - RECORD_HEAD_BYTES, offset + 13);
  if (isGap) {
    into.writeUIntBE(record.throughSeq, offset + RECORD_HEAD_BYTES, 6);
    into.writeUIntBE(record.bytes ?? UNKNOWN_SIZE, offset + RECORD_HEAD_BYTES + 6, 6);
  } else {
    into.set(record.bytes, offset + RECORD_HEAD_BYTES);
  }
}

/**
 * Reads the record at an offset.
 *
 * @returns the record, whose bytes are part of `bytes`; its size in bytes if `bytes` ends within it; undefined if there
 * is no record.
 */
export function readRecord(bytes: Buffer, offset: number): FileRecord | number | undefined {
  if (bytes.length - offset < RECORD_HEAD_BYTES) {
    return RECORD_HEAD_BYTES;
  }
  const kind = bytes.readUInt8(offset);
  const seq = bytes.readUIntBE(offset + 1, 6);
  const at = bytes.readUIntBE(offset + 7, 6);
  const length = bytes.readUInt32BE(offset + 13);
  const stream = KINDS[kind - 1];
  const isPossible =
    stream === undefined ? kind === GAP_KIND && length === GAP_BYTES : length <= MOST_CONTENT_BYTES;
  if (!isPossible) {
    return undefined;
  }
  const start = offset + RECORD_HEAD_BYTES;
  if (bytes.length - start < length) {
    return RECORD_HEAD_BYTES + length;
  }
  if (stream !== undefined) {
    return { type: 'output', seq, at, stream, bytes: bytes.subarray(start, start + length) };
  }
  return {
    type: 'gap',
    fromSeq: seq,
    throughSeq: bytes.readUIntBE(start, 6),
    at,
    ...sizeIn(bytes, start + 6),
  };
}

/** The last number that a record covers. */
export function lastSeqOf(record: FileRecord): number {
  return record.type === 'output' ? record.seq : record.throughSeq;
}

/** The output for which it stands. */
export function amountOf(record: FileRecord): PrintedAmount {
  return record.type === 'output' ? { bytes: record.bytes.byteLength } : sizeOf(record.bytes);
}

/** The size of a sum is known if that of both parts is. */
export function sumOf(one: PrintedAmount, other: PrintedAmount): PrintedAmount {
  return sizeOf(one.bytes === undefined || other.bytes === undefined ? undefined : one.bytes + other.bytes);
}

function sizeOf(bytes: number | undefined): PrintedAmount {
  return bytes === undefined ? {} : { bytes };
}
