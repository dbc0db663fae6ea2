import process from 'node:process';

import { systemClock } from '../../src/core/index.js';
import { receiptPlaceIn, ReceiptWriter } from '../../src/machine/index.js';
import { sampleReceipt } from '../support/sampleReceipt.js';

/** Writes receipts of so many sessions, with names that begin with `name`: a line at the start and two at the end. */
const [folder = '', name = '', sessions = '', partBytes = ''] = process.argv.slice(2);
const writer = new ReceiptWriter({
  place: receiptPlaceIn(folder),
  clock: systemClock,
  log: (line) => process.stderr.write(`${line}\n`),
  partBytes: Number(partBytes),
});
async function main(): Promise<void> {
  for (let index = 0; index < Number(sessions); index += 1) {
    for (const end of [undefined, 1_001, 1_002]) {
      await writer.write({ kind: 'receipt', receipt: sampleReceipt(`${name}-${index}`, end) });
    }
  }
  process.stdout.write('written\n');
  if (process.argv.includes('--stay')) {
    await writer.write({ kind: 'receipt', receipt: sampleReceipt('runs') });
    process.stdout.write('stays\n');
    setInterval(() => undefined, 1_000);
  } else {
    await writer.close();
    process.exit(0);
  }
}

void main();
