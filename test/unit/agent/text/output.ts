import fc from 'fast-check';

import {
  ProcessLog,
  type GapEvent,
  type OutputEvent,
  type OutputStream,
} from '../../../../src/core/index.js';
import {
  OutputDigest,
  pageForward,
  START,
  type Cursor,
  type Digest,
  type Page,
  type Reader,
} from '../../../../src/agent/text/index.js';

/** A budget that no output here exceeds. */
export const PLENTY = 1_000_000;

export type Piece = string | Uint8Array | readonly [OutputStream, string];

/** Output events with the numbers from 1 on. */
export function outputOf(pieces: readonly Piece[], stream: OutputStream = 'pty'): OutputEvent[] {
  return pieces.map((piece, index) => ({
    type: 'output',
    seq: index + 1,
    ...(typeof piece === 'string' || piece instanceof Uint8Array
      ? { stream, bytes: Buffer.from(piece) }
      : { stream: piece[0], bytes: Buffer.from(piece[1]) }),
  }));
}

export interface DigestSetup {
  readonly tty?: boolean;
  readonly columns?: number;
  readonly maxTokens?: number;
  readonly from?: Cursor;
  readonly final?: boolean;
  readonly goneThrough?: number;
  readonly fullScreen?: boolean;
}

export function digestOf(
  events: readonly (OutputEvent | GapEvent)[],
  {
    tty = true,
    columns = 80,
    maxTokens = PLENTY,
    from = START,
    final = true,
    goneThrough = 0,
    fullScreen,
  }: DigestSetup = {},
): Promise<Digest> {
  const digest = new OutputDigest({ tty, columns, maxTokens, from, fullScreen });
  for (const event of events) {
    digest.push(event);
  }
  return digest.finish({ final, goneThrough: () => goneThrough });
}

/** The text of a terminal's output that arrives in these pieces. */
export async function textOf(...pieces: Piece[]): Promise<string> {
  return (await digestOf(outputOf(pieces))).text;
}

/** A log of the output, for readers. It is closed unless `open` is true. */
export function logOf(
  events: readonly (OutputEvent | GapEvent)[],
  options: { open?: boolean } = {},
): ProcessLog {
  const log = new ProcessLog();
  for (const event of events) {
    if (event.type === 'output') {
      log.appendOutput(event.stream, event.bytes);
    } else {
      log.appendMissing(event.throughSeq, event.bytes);
    }
  }
  if (options.open !== true) {
    log.appendExit({ exitCode: 0 });
    log.appendClose();
  }
  return log;
}

export function pageOf(
  reader: Reader,
  from: Cursor,
  { tty = true, columns = 80, maxTokens = PLENTY }: DigestSetup = {},
): Promise<Page> {
  return pageForward(reader, { from, tty, columns, maxTokens });
}

/** Cuts bytes into pieces at places that a property has made up. */
export function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const cuts = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort(
    (one, other) => one - other,
  );
  const ends = [...cuts, bytes.length];
  return ends
    .map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end))
    .filter(({ length }) => length > 0);
}

export const places = fc.array(fc.nat(), { maxLength: 12 });

/** Writes out repeated lines that a note stands for. */
export function expanded(text: string): string {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const times = /^\[the line above (?:1 more time|([\d,]+) times more)\]$/.exec(line);
    if (times === null) {
      lines.push(line);
    } else {
      const above = lines.at(-1) ?? '';
      const count = Number((times[1] ?? '1').replaceAll(',', ''));
      lines.push(...Array.from({ length: count }, () => above));
    }
  }
  return lines.join('\n');
}
