import { hasEnded, receiptLine } from '../../core/index.js';
import { LineAppender } from './appendLine.js';
import { readKnown, settled } from './readReceipts.js';
import type { ReceiptPlace } from './receiptPlace.js';
import { endRun, readRuns, removeIdleReports } from './serverRun.js';

/**
 * Writes down which sessions were lost with servers that have ended without a word, and forgets those servers. Two that
 * do it at the same time write the same.
 *
 * @param wallTime Now, in milliseconds since 1970.
 */
export async function settleLost(place: ReceiptPlace, wallTime: number): Promise<void> {
  await removeIdleReports(place);
  const runs = await readRuns(place, wallTime);
  const gone = [...runs].flatMap(([name, state]) => (state.runs ? [] : [name]));
  if (gone.length === 0) {
    return;
  }
  const { known } = await readKnown(place);
  const appender = new LineAppender(place.file);
  try {
    for (const one of known) {
      // A server that is not known here has begun only since then.
      const isOver = hasEnded(one.receipt) || !gone.includes(one.run);
      const receipt = isOver ? undefined : settled(one, runs);
      if (receipt !== undefined) {
        await appender.append(
          receiptLine({ kind: 'receipt', revision: one.revision + 1, run: one.run, receipt }),
        );
      }
    }
    await appender.sync();
  } finally {
    await appender.close();
  }
  await Promise.all(gone.map((name) => endRun(place, name)));
}
