import type { ExecProcess, OutputEvent, ReadResponse } from '../../core/index.js';

import type { Cursor } from './cursor.js';
import { nextTurn } from './steps.js';
import { sizedGap, sizeOfGap, type TextGap } from './sizedGap.js';

export type Reader = Pick<ExecProcess, 'read'>;

/** The bytes of one read. */
const READ_BYTES = 64 * 1024;
/** Reading stops after this many bytes. With a process that writes faster than we read it would never end. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Reads the output behind a cursor up to its current end, with a gap in place of any output that is missing.
 *
 * @param through The number of the output behind which nothing is read: its end, as it was when somebody asked. A program
 *   that prints without a pause would keep whoever reads on to its end for long.
 * @returns Whether the output is over.
 */
export async function* readEvents(
  reader: Reader,
  from: Cursor,
  through = Number.POSITIVE_INFINITY,
): AsyncGenerator<OutputEvent | TextGap, boolean> {
  let { afterSeq } = from;
  let end = through;
  let bytes = 0;
  for (;;) {
    const answer = await reader.read({ afterSeq, maxBytes: READ_BYTES });
    const events = eventsOf(answer, afterSeq);
    if (events.some((event) => event.type === 'gap' && event.throughSeq >= end)) {
      // All of it is gone by now. In its place what comes first is read, and no more.
      end = answer.chunks.at(-1)?.seq ?? end;
    }
    for (const event of events) {
      if (event.type === 'output' && event.seq > end) {
        return false;
      }
      yield event;
      bytes += event.type === 'output' ? event.bytes.length : 0;
      afterSeq = event.type === 'output' ? event.seq : event.throughSeq;
    }
    if (answer.chunks.length === 0) {
      return answer.closed;
    }
    if (bytes >= MAX_BYTES || (afterSeq >= end && !answer.closed)) {
      return false;
    }
    // Reads that are answered at once would otherwise leave no turn of the event loop to others.
    await nextTurn();
  }
}

/** The chunks of an answer and what is missing before, between and behind them, in order. */
function eventsOf(answer: ReadResponse, afterSeq: number): readonly (OutputEvent | TextGap)[] {
  const events: (OutputEvent | TextGap)[] = [];
  let behind = afterSeq;
  const { evicted } = answer;
  if (evicted !== undefined && evicted.throughSeq > behind) {
    const gap: TextGap = {
      type: 'gap',
      fromSeq: behind + 1,
      throughSeq: evicted.throughSeq,
      chunks: evicted.throughSeq - behind,
      // How many bytes were evicted behind a cursor in the middle of the output is not known exactly.
      ...(behind === 0 && !hasMissingBefore(answer, evicted.throughSeq) && { bytes: evicted.bytes }),
    };
    events.push(sizedGap(gap, evicted));
    behind = evicted.throughSeq;
  }
  const missing = [...(answer.missing ?? [])].filter(({ throughSeq }) => throughSeq > behind);
  const takeMissing = (before: number) => {
    while (missing[0] !== undefined && missing[0].fromSeq < before) {
      const [gap] = missing.splice(0, 1);
      if (gap !== undefined) {
        events.push({ type: 'gap', ...gap });
      }
    }
  };
  for (const chunk of answer.chunks) {
    takeMissing(chunk.seq);
    events.push({ type: 'output', ...chunk });
  }
  takeMissing(answer.nextSeq);
  return events;
}

function hasMissingBefore({ missing }: ReadResponse, throughSeq: number): boolean {
  return (missing ?? []).some(({ fromSeq }) => fromSeq <= throughSeq);
}

/** How many bytes of output there are behind a cursor, those that are gone included as far as their size is known. */
export async function newBytes(reader: Reader, from: Cursor): Promise<number> {
  let bytes = 0;
  for await (const event of readEvents(reader, from)) {
    if (event.type === 'output') {
      bytes += event.bytes.length - (event.seq === from.afterSeq + 1 ? from.skipBytes : 0);
    } else {
      bytes += sizeOfGap(event) ?? 0;
    }
  }
  return bytes;
}
