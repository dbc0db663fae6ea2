import { binaryType, firstOdd, isBinary, lastOddEnd, LOOKED_AT } from './binary.js';

/** A part of a chunk that is text, or binary, as a whole. */
export interface ChunkPart {
  readonly from: number;
  /** The place behind it. */
  readonly end: number;
  /** `behind`: text behind binary output at the end of the chunk. If more of that follows, it was a part of it. */
  readonly kind: 'text' | 'binary' | 'behind';
}

/** Fewer bytes behind binary output that look like text are some of it. */
const LEAST_TEXT = 4;
const LINE_END = 0x0a;

/**
 * Parts text and binary output in a chunk: what programs write one after another comes in one chunk if they are quick, and
 * no word of theirs may be lost beside an archive. Only the first piece of a text, and those with a NUL, are looked at: to
 * count the bytes of each would cost as much as to render them.
 *
 * @param behind Whether it follows binary output of the same stream. Without it, whatever is text with it is text as well.
 */
export function chunkParts(chunk: Uint8Array, behind: boolean): readonly ChunkPart[] {
  const parts: ChunkPart[] = [];
  const add = (kind: ChunkPart['kind'], end: number) => {
    const last = parts.at(-1);
    if (last?.kind === kind) {
      parts[parts.length - 1] = { ...last, end };
    } else if (end > (last?.end ?? 0)) {
      parts.push({ from: last?.end ?? 0, end, kind });
    }
  };
  let binary = behind;
  for (let at = 0; at < chunk.length;) {
    const next = binary || at === 0 ? at : pieceWithNul(chunk, at);
    if (next > at) {
      add('text', next);
      at = next;
      continue;
    }
    const piece = chunk.subarray(at, at + LOOKED_AT);
    const now = isBinary(piece, binary);
    if (now && !binary) {
      add('text', at + linesBefore(piece));
    }
    const last = parts.at(-1);
    if (!now && last?.kind === 'binary') {
      parts[parts.length - 1] = { ...last, end: textBehind(chunk, at, at + piece.length) };
    }
    at += piece.length;
    add(now ? 'binary' : 'text', at);
    binary = now;
  }
  const last = parts.at(-1);
  if (last?.kind === 'binary') {
    parts[parts.length - 1] = { ...last, end: textBehind(chunk, last.end, last.end) };
    add('behind', last.end);
  }
  return parts;
}

/** The next piece with a NUL, which next to no text has; the end of the chunk if there is none. */
function pieceWithNul(chunk: Uint8Array, from: number): number {
  const nul = chunk.indexOf(0, from);
  return nul === -1 ? chunk.length : nul - (nul % LOOKED_AT);
}

/** The length of the whole lines of text before binary output, none if that is a file from its beginning on. */
function linesBefore(piece: Uint8Array): number {
  const type = binaryType(piece);
  const isFile = type !== undefined && !type.startsWith('text ');
  return isFile ? 0 : piece.subarray(0, firstOdd(piece)).lastIndexOf(LINE_END) + 1;
}

/**
 * Where text begins that follows binary output.
 *
 * @param end The place behind the last piece that is binary, and where the text ends if there is none.
 * @param seen How far the text goes on that is known.
 */
function textBehind(chunk: Uint8Array, end: number, seen: number): number {
  const piece = chunk.subarray((Math.ceil(end / LOOKED_AT) - 1) * LOOKED_AT, end);
  const from = end - piece.length + lastOddEnd(piece);
  const lineEnd = chunk.subarray(from, seen).indexOf(LINE_END);
  if (end - from < LEAST_TEXT || lineEnd === -1) {
    return end;
  }
  // A text in another encoding ends with its line.
  return binaryType(piece)?.startsWith('text ') === true ? Math.min(from + lineEnd + 1, end) : from;
}
