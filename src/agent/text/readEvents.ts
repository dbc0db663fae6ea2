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
 * Reads the output after a cursor up to its current end, with a gap in place of any output that is missing.
 *
 * @param through The last number of the output that is read: its end when the caller asked. A program that prints
 *   without a pause would otherwise keep the caller for long.
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
      // All of it is gone by now: reads only the chunks of this answer in its place.
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
    // Reads that are answered at once would otherwise leave no turn of the event loop to other work.
    await nextTurn();
  }
}

/** The chunks of an answer in order, and the output that is missing before, between and after them. */
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
      // The number of bytes evicted after a cursor in the middle of the output is not known exactly.
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

/** The number of bytes of output after a cursor. Bytes that are gone count as far as their number is known. */
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
