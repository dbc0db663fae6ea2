import type { Cursor } from './cursor.js';
import { readEvents, type Reader } from './readEvents.js';
import { sizeOfGap } from './sizedGap.js';

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
