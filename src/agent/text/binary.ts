import { filetypeinfo } from 'magic-bytes.js';

import { utf8Length } from './tokens.js';

/** The size of a block in bytes: enough to tell what it is. Less text between binary output is a part of that. */
const BLOCK = 4_096;
/** Fewer bytes are never taken for binary: they take little room, and tell too little. */
const MIN_BYTES = 48;
/** A beginning that has the whole signature of any type that is known. */
const SIGNATURE_BYTES = 1_024;

/** The shares from which on bytes count as binary. A list with NUL between short names has smaller ones. */
const SHARES = { odd: 0.1, nul: 0.25 };
/** The same shares after binary output. Pieces of it look like text, such as the names in a program. */
const SHARES_AFTER = { odd: 0.01, nul: 0.02 };

const LINE_END = 0x0a;
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
   * `after`: a little text after binary output, at the end of the chunk. If more binary output follows, the text was a
   * part of it.
   */
  readonly kind: 'text' | 'binary' | 'after';
}

/**
 * Tells binary output in a chunk from the lines of text around it. Programs that write quickly one after another share
 * a chunk.
 *
 * @param after Whether the chunk follows binary output of the same stream.
 */
export function chunkParts(chunk: Uint8Array, after: boolean): readonly ChunkPart[] {
  const parts: ChunkPart[] = [];
  let shown = 0;
  for (const { from, end } of binaryIn(chunk, after)) {
    parts.push({ from: shown, end: from, kind: 'text' }, { from, end, kind: 'binary' });
    shown = end;
  }
  const isShort = shown > 0 && chunk.length - shown < BLOCK;
  parts.push({ from: shown, end: chunk.length, kind: isShort ? 'after' : 'text' });
  return parts.filter((part) => part.end > part.from);
}

/** The binary output in a chunk, found block by block. A block ends before the first NUL in text. */
function binaryIn(
  chunk: Uint8Array,
  after: boolean,
): readonly { readonly from: number; readonly end: number }[] {
  const found: { readonly from: number; readonly isText: boolean; end: number }[] = [];
  let isAfter = after;
  for (let at = 0, before = 0; at < chunk.length;) {
    let end = at + BLOCK + splitBytes(chunk.subarray(at + BLOCK));
    const block = chunk.subarray(at, end);
    const binary = isBinary(block, isAfter);
    if (binary && (at === 0 || !isAfter)) {
      const from = at === 0 && (after || isFile(chunk)) ? 0 : lineOfOdd(chunk.subarray(0, end), before);
      if (from - (found.at(-1)?.end ?? -BLOCK) >= BLOCK) {
        found.push({ from, isText: isText(binaryType(chunk.subarray(from))), end: from });
      }
    }
    const last = found.at(-1);
    if (last !== undefined && (binary || isAfter)) {
      const piece = chunk.subarray(before, end);
      const isOver = !binary || end >= chunk.length;
      last.end = before + piece.length - (isOver ? textAfter(piece, last.isText) : 0);
    }
    const nul = block.indexOf(0);
    if (!binary && !isAfter && nul > 0) {
      end = at + nul;
    }
    before = at;
    at = end;
    isAfter = binary;
  }
  return found;
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
 * Whether some bytes are binary, or in an encoding that cannot be shown. A model would get a replacement character for
 * most of such bytes.
 */
function isBinary(piece: Uint8Array, after: boolean): boolean {
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

/** The beginning of the line with the first character from `from` on that no text has. */
function lineOfOdd(bytes: Uint8Array, from: number): number {
  const rest = bytes.subarray(from);
  const text = decode(rest);
  const odd = from + splitBytes(rest) + utf8Length(text.slice(0, text.search(ODD)));
  return bytes.subarray(0, odd).lastIndexOf(LINE_END) + 1;
}

/** The bytes of the text after binary output, or after a text in another encoding, which ends with its line. */
function textAfter(chunk: Uint8Array, inOtherEncoding: boolean): number {
  // A character that is split at the end belongs to the text.
  const split = splitAtEnd(chunk);
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(chunk.subarray(0, chunk.length - split));
  let from = text.length;
  while (from > 0 && !ODD.test(text.charAt(from - 1))) {
    from -= 1;
  }
  const lineEnd = text.indexOf('\n', from);
  if (lineEnd === -1) {
    return 0;
  }
  return utf8Length(text.slice(inOtherEncoding ? lineEnd + 1 : from)) + split;
}

/** The bytes at the end that are the beginning of a character of UTF-8, and not all of it. */
function splitAtEnd(bytes: Uint8Array): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count += 1) {
    const byte = bytes[bytes.length - count] ?? 0;
    if ((byte & 0xc0) !== 0x80) {
      return count < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1) ? count : 0;
    }
  }
  return 0;
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
