import process from 'node:process';

import { systemClock } from '../../src/core/index.js';
import { receiptPlaceIn, ReceiptWriter } from '../../src/machine/index.js';
import { sampleReceipt } from '../support/sampleReceipt.js';

/** Writes receipts of so many sessions, with names that begin with `name`: a line at the start and two at the end. */
const [folder = '', name = '', sessions = '', compactBytes = ''] = process.argv.slice(2);
const writer = new ReceiptWriter({
  place: receiptPlaceIn(folder),
  clock: systemClock,
  log: (line) => process.stderr.write(`${line}\n`),
  compactBytes: Number(compactBytes),
});
async function main(): Promise<void> {
  for (let index = 0; index < Number(sessions); index += 1) {
    for (const revision of [0, 1, 2]) {
      const receipt = sampleReceipt(`${name}-${index}`, revision === 0 ? undefined : 1_000 + revision);
      writer.write((run) => ({ kind: 'receipt', revision, run, receipt }));
    }
    // A server does not write so many at once.
    if (index % 10 === 9) {
      await writer.flush();
    }
  }
  await writer.flush();
  process.stdout.write('written\n');
  if (process.argv.includes('--stay')) {
    setInterval(() => undefined, 1_000);
  } else {
    await writer.close(true);
    process.exit(0);
  }
}

void main();
