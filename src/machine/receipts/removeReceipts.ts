import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';

import { receiptLine } from '../../core/index.js';
import { readRuns } from './readRuns.js';
import { markOfRemoval, type ReceiptPlace } from './receiptPlace.js';

/**
 * Removes receipts by their ids, with a mark for each run that has some of them. Their lines go with their part.
 *
 * @param wallTime Now, in milliseconds since 1970.
 * @throws Error if the marks cannot be written.
 */
export async function removeReceipts(
  place: ReceiptPlace,
  ids: ReadonlySet<string>,
  wallTime: number,
): Promise<void> {
  for (const { name, parts } of await readRuns(place, wallTime)) {
    const gone = parts.flatMap(({ receipts }) => receipts).filter(({ id }) => ids.has(id));
    if (gone.length > 0) {
      const mark = markOfRemoval(place, name, randomUUID());
      await writeMark(mark, gone.map(({ id }) => `${receiptLine({ kind: 'removed', id })}\n`).join(''));
    }
  }
}

async function writeMark(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}
