const LINE_END = 0x0a;
const TAB = 0x09;
const FIRST_PRINTABLE = 0x20;
const DELETE = 0x7f;

/** Whole lines of a chunk, from a place in it on. */
export interface PlainLines {
  readonly lines: number;
  /** The place after them, in bytes. */
  readonly end: number;
}

/**
 * The longest run of lines from a place on that need no rendering. They are ASCII without control characters other than
 * tabs, not too long, and each differs from the one before.
 *
 * @param maxUnits How long a line may be.
 */
export function plainLines(bytes: Uint8Array, from: number, maxUnits: number): PlainLines {
  let lines = 0;
  let start = from;
  let lengthBefore = -1;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte >= FIRST_PRINTABLE && byte < DELETE) {
      continue;
    }
    if (byte === LINE_END) {
      const length = at - start;
      // Lines in a row mostly differ at their ends.
      const isAlike = length === lengthBefore && (length === 0 || bytes[at - 1] === bytes[start - 2]);
      if (length > maxUnits || (isAlike && isRepeated(bytes, start, length))) {
        break;
      }
      lines += 1;
      lengthBefore = length;
      start = at + 1;
    } else if (byte !== TAB) {
      break;
    }
  }
  return { lines, end: start };
}

/** Whether a line equals the one of the same length before it. */
function isRepeated(bytes: Uint8Array, start: number, length: number): boolean {
  for (let at = start; at < start + length; at++) {
    if (bytes[at] !== bytes[at - length - 1]) {
      return false;
    }
  }
  return true;
}
