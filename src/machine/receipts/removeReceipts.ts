import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';

import { hasEnded, receiptLine } from '../../core/index.js';
import { type ReceiptRun, readRuns } from './readRuns.js';
import { markOfRemoval, type ReceiptPlace } from './receiptPlace.js';

/** The most receipts that are kept, the newest ones. */
export const MOST_RECEIPTS = 2_000;

/**
 * Removes the oldest parts while the rest still has the most ends that are kept. Also removes parts without any end.
 * The newest part of a run stays while its server is there.
 *
 * @param wallTime Now, in milliseconds since 1970.
 * @throws Error
 */
export async function pruneReceipts(place: ReceiptPlace, wallTime: number): Promise<void> {
  const runs = await readRuns(place, wallTime);
  const parts = runs.flatMap((run) =>
    run.parts.map((part) => ({ ...part, run, ends: part.receipts.filter(hasEnded).length })),
  );
  parts.sort((one, other) => one.signAt - other.signAt);
  let left = parts.reduce((sum, { ends }) => sum + ends, 0);
  let mayGo = true;
  const staying = new Set<ReceiptRun>();
  for (const { file, run, ends } of parts) {
    mayGo &&= ends === 0 || left - ends >= MOST_RECEIPTS;
    const isInUse = run.isThere && file === run.parts.at(-1)?.file;
    // A later part may take back receipts of earlier ones: the parts after one that stays have to stay too.
    if (isInUse || staying.has(run) || !(mayGo || ends === 0)) {
      staying.add(run);
    } else {
      left -= ends;
      await rm(file, { force: true });
    }
  }
  const gone = runs.filter((run) => !staying.has(run));
  await Promise.all(gone.flatMap(({ others }) => others).map((file) => rm(file, { force: true })));
}

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
      const lines = gone.map(({ id, end }) =>
        receiptLine({ kind: 'removed', id, lost: end?.kind === 'lost' }),
      );
      await writeMark(mark, lines.map((line) => `${line}\n`).join(''));
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
