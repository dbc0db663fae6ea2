import { filetypeinfo } from 'magic-bytes.js';

import { utf8Length } from './tokens.js';

/** The bytes of a chunk that are looked at: enough to tell, and little beside the cost of rendering it. */
const LOOKED_AT = 4_096;
/** Fewer bytes are never taken for binary: they take little room, and tell too little. */
const MIN_BYTES = 48;
/** A beginning that has the whole signature of any type that is known. */
const SIGNATURE_BYTES = 1_024;
/** Fewer characters that look like text after binary output count as a part of it. */
const LEAST_TEXT = 4;

/** The shares from which on bytes count as binary. A list with NUL between short names has smaller ones. */
const SHARES = { odd: 0.1, nul: 0.25 };
/** The same shares after binary output. Pieces of it look like text, such as the names in a program. */
const SHARES_AFTER = { odd: 0.01, nul: 0.02 };

const NUL = /\0/g;
/** Other control characters that no text has. */
const CONTROLS = /[\u0001-\u0006\u0010-\u001a\u001c-\u001f]/g;
/** Stands for bytes that are not UTF-8. */
const INVALID = /\ufffd/g;
const ODD = /[\u0000-\u0006\u0010-\u001a\u001c-\u001f\ufffd]/;

/** A part of a chunk that is text, or binary, as a whole. */
export interface ChunkPart {
  readonly from: number;
  /** The place after it. */
  readonly end: number;
  /**
   * `after`: text after binary output, at the end of the chunk. If more binary output follows, the text was a part of
   * it.
   */
  readonly kind: 'text' | 'binary' | 'after';
}

/**
 * Tells binary output in a chunk from the lines of text before and after it. Programs that write quickly one after
 * another share a chunk. Only the beginning of a chunk is looked at, and the place of its first NUL.
 *
 * @param after Whether the chunk follows binary output of the same stream.
 */
export function chunkParts(chunk: Uint8Array, after: boolean): readonly ChunkPart[] {
  const begins = isBinary(chunk, after);
  const nul = chunk.indexOf(0);
  if (!begins && (nul === -1 || !isBinary(chunk.subarray(nul), after))) {
    return [{ from: 0, end: chunk.length, kind: 'text' }];
  }
  const from = begins && (after || isFile(chunk)) ? 0 : linesBefore(chunk);
  const end = chunk.length - textAfter(chunk, isText(binaryType(chunk.subarray(from))));
  const parts: readonly ChunkPart[] = [
    { from: 0, end: from, kind: 'text' },
    { from, end, kind: 'binary' },
    { from: end, end: chunk.length, kind: 'after' },
  ];
  return parts.filter((part) => part.end > part.from);
}

/** Whether a type of output that cannot be shown is text all the same. */
export function isText(type: string | undefined): boolean {
  return type?.startsWith('text ') === true;
}

/** The type of binary output, judged by its first chunk; undefined if that does not tell. */
export function binaryType(first: Uint8Array): string | undefined {
  const beginning = first.subarray(0, SIGNATURE_BYTES);
  const text = decode(beginning);
  const nul = count(text, NUL);
  // The signatures are too short to tell such a text from a file.
  if (count(text, CONTROLS) === 0 && nul === 0) {
    return 'text that is not UTF-8';
  }
  // Files are filled with NUL, but in UTF-16 it is one half of most characters.
  if (count(text, CONTROLS) === 0 && nul > beginning.length * SHARES.nul && !text.includes('\0\0')) {
    return 'text in UTF-16';
  }
  return filetypeinfo(beginning)[0]?.typename;
}

function isFile(chunk: Uint8Array): boolean {
  const type = binaryType(chunk);
  return type !== undefined && !isText(type);
}

/**
 * Whether the beginning of some bytes is binary, or in an encoding that cannot be shown. A model would get a
 * replacement character for most of such bytes.
 */
function isBinary(bytes: Uint8Array, after: boolean): boolean {
  const piece = bytes.subarray(0, LOOKED_AT);
  if (!after && piece.length < MIN_BYTES) {
    return false;
  }
  const text = decode(piece);
  if (!ODD.test(text)) {
    return false;
  }
  const shares = after ? SHARES_AFTER : SHARES;
  const odd = count(text, CONTROLS) + count(text, INVALID);
  return odd > piece.length * shares.odd || count(text, NUL) > piece.length * shares.nul;
}

/** The bytes of the whole lines of text before binary output. */
function linesBefore(chunk: Uint8Array): number {
  const skipped = splitBytes(chunk);
  const text = decode(chunk);
  const lineEnd = text.lastIndexOf('\n', text.search(ODD));
  return lineEnd === -1 ? 0 : skipped + utf8Length(text.slice(0, lineEnd + 1));
}

/** The bytes of the text after binary output, or after a text in another encoding, which ends with its line. */
function textAfter(chunk: Uint8Array, inOtherEncoding: boolean): number {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(chunk);
  let from = text.length;
  while (from > 0 && !ODD.test(text.charAt(from - 1))) {
    from -= 1;
  }
  const lineEnd = text.indexOf('\n', from);
  if (lineEnd === -1 || text.length - from < LEAST_TEXT) {
    return 0;
  }
  return utf8Length(text.slice(inOtherEncoding ? lineEnd + 1 : from));
}

/** The text of some bytes, without the rest of a character that is split at an end. */
function decode(bytes: Uint8Array): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return decoder.decode(bytes.subarray(splitBytes(bytes)), { stream: true });
}

/** The bytes at the beginning that belong to a character that is split there. */
function splitBytes(bytes: Uint8Array): number {
  const whole = bytes.subarray(0, 3).findIndex((byte) => (byte & 0xc0) !== 0x80);
  return whole === -1 ? Math.min(3, bytes.length) : whole;
}

function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0;
}
