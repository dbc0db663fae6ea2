import { filetypeinfo } from 'magic-bytes.js';

/** The pieces of a chunk that are looked at, in bytes: enough to tell, and little beside the cost of rendering it. */
export const LOOKED_AT = 4_096;
/** Fewer bytes are never taken for binary: they take little room, and tell too little. */
const MIN_BYTES = 48;
/** A beginning that has the whole signature of any type that is known. */
const SIGNATURE_BYTES = 1_024;

/** Shares of the bytes from which on a chunk is binary. A list with NUL between short names has fewer of both. */
const ODD_SHARE = 0.1;
const NUL_SHARE = 0.25;
/** The same behind binary output, which has pieces that look like text, such as the names in a program. */
const ODD_SHARE_BEHIND = 0.01;
const NUL_SHARE_BEHIND = 0.02;

/** Decodes all of a piece, and puts U+FFFD in place of what is no UTF-8. */
const PIECE = new TextDecoder('utf-8', { ignoreBOM: true });
/** What only binary output has, as far as a look tells: it has to be counted then. */
const ODD = /[\u0000-\u0006\u0010-\u001a\u001c-\u001f\ufffd]/;

/** What a chunk consists of, counted. */
interface Counts {
  readonly length: number;
  readonly nul: number;
  /** Control characters that no text has. */
  readonly controls: number;
  /** Bytes that are no UTF-8. */
  readonly invalid: number;
}

/**
 * Whether a piece of a chunk is binary, or in an encoding that cannot be shown: a model would get a replacement character for
 * most of its bytes.
 *
 * @param behind Whether it follows binary output of the same stream.
 */
export function isBinary(piece: Uint8Array, behind: boolean): boolean {
  if (!behind && piece.length < MIN_BYTES) {
    return false;
  }
  // Most output has nothing odd, and the engine sees that far faster than a count does.
  if (!ODD.test(PIECE.decode(piece))) {
    return false;
  }
  const most = {
    odd: piece.length * (behind ? ODD_SHARE_BEHIND : ODD_SHARE),
    nul: piece.length * (behind ? NUL_SHARE_BEHIND : NUL_SHARE),
  };
  const { nul, controls, invalid } = countOf(piece, most);
  return controls + invalid > most.odd || nul > most.nul;
}

/** What binary output is, by its first chunk; undefined if that does not tell. */
export function binaryType(first: Uint8Array): string | undefined {
  const beginning = first.subarray(0, SIGNATURE_BYTES);
  const { length, nul, controls } = countOf(beginning);
  // The signatures are too short to tell such a text from a file.
  if (controls === 0 && nul === 0) {
    return 'text that is not UTF-8';
  }
  if (controls === 0 && nul > length * NUL_SHARE && !hasTwoNul(beginning)) {
    return 'text in UTF-16';
  }
  return filetypeinfo(beginning)[0]?.typename;
}

/** Whether NUL stands behind NUL: files are filled with it, but in UTF-16 it is one half of most characters. */
function hasTwoNul(bytes: Uint8Array): boolean {
  return bytes.some((byte, at) => byte === 0 && bytes[at + 1] === 0);
}

/** The place of the first byte that no text has; that of the end if there is none. */
export function firstOdd(bytes: Uint8Array): number {
  let at = wholeFrom(bytes);
  let size = textSize(bytes, at);
  while (at < bytes.length && size > 0) {
    at += size;
    size = textSize(bytes, at);
  }
  return Math.min(at, bytes.length);
}

/** The place behind the last byte that no text has; 0 if there is none. */
export function lastOddEnd(bytes: Uint8Array): number {
  let end = 0;
  for (let at = wholeFrom(bytes); at < bytes.length;) {
    const size = textSize(bytes, at);
    at += Math.max(size, 1);
    end = size === 0 ? at : end;
  }
  return end;
}

/** The bytes of the character at a place; 0 if no text has it. */
function textSize(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] ?? 0;
  if (byte < 0x20) {
    return isTextControl(byte) ? 1 : 0;
  }
  return byte < 0x80 ? 1 : characterSize(bytes, at);
}

/** The first place behind a character that is split at the beginning. */
function wholeFrom(bytes: Uint8Array): number {
  let at = 0;
  while (at < 3 && isContinuation(bytes[at])) {
    at += 1;
  }
  return at;
}

/** @param most What is enough to know: with more than this it counts no further. */
function countOf(bytes: Uint8Array, most = { odd: Infinity, nul: Infinity }): Counts {
  let nul = 0;
  let controls = 0;
  let invalid = 0;
  let at = wholeFrom(bytes);
  while (at < bytes.length && controls + invalid <= most.odd && nul <= most.nul) {
    const byte = bytes[at] ?? 0;
    const size = byte < 0x80 ? 1 : characterSize(bytes, at);
    if (byte === 0) {
      nul += 1;
    } else if (byte < 0x20 && !isTextControl(byte)) {
      controls += 1;
    } else if (size === 0) {
      invalid += 1;
    }
    at += Math.max(size, 1);
  }
  return { length: bytes.length, nul, controls, invalid };
}

/** The bytes of the character in UTF-8 that begins here, which may be split at the end; 0 if there is none. */
function characterSize(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] ?? 0;
  const size = byte < 0xc2 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf5 ? 4 : 0;
  for (let next = 1; next < size && at + next < bytes.length; next++) {
    if (!isContinuation(bytes[at + next])) {
      return 0;
    }
  }
  return size;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** Bell, backspace, tab, line ends, shift out and in, and escape: what terminals and printers have always taken. */
function isTextControl(byte: number): boolean {
  return (byte >= 0x07 && byte <= 0x0f) || byte === 0x1b;
}
