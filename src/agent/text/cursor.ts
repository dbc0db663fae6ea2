/** A place in a process's output: after chunk `afterSeq`, and `skipBytes` into chunk `afterSeq + 1`. */
export interface Cursor {
  readonly afterSeq: number;
  readonly skipBytes: number;
}

export const START: Cursor = { afterSeq: 0, skipBytes: 0 };

const CURSOR = /^(\d{1,15})(?:\+(\d{1,15}))?$/;

/** Reads `SEQ` or `SEQ+BYTES`; undefined if the text is neither. */
export function parseCursor(text: string): Cursor | undefined {
  const match = CURSOR.exec(text.trim());
  return match === null ? undefined : { afterSeq: Number(match[1]), skipBytes: Number(match[2] ?? 0) };
}

export function formatCursor({ afterSeq, skipBytes }: Cursor): string {
  return skipBytes === 0 ? `${afterSeq}` : `${afterSeq}+${skipBytes}`;
}

/** Negative if `one` is before `other`. */
export function compareCursors(one: Cursor, other: Cursor): number {
  return one.afterSeq - other.afterSeq || one.skipBytes - other.skipBytes;
}
