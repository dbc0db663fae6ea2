import os from 'node:os';

import { systemClock } from '../core/index.js';
import type { LocalBackend } from '../local/index.js';
import { receiptPlace, ReceiptWriter, settleLost } from '../machine/index.js';
import { ReceiptBook } from './sessions/receiptBook.js';

/**
 * Writes receipts of what runs in a backend, and of what was lost with servers before this one.
 *
 * @returns undefined if the user has no place for them.
 */
export function openReceipts(backend: LocalBackend, log: (line: string) => void): ReceiptBook | undefined {
  const place = receiptPlace(process.env);
  if (place === undefined) {
    return undefined;
  }
  settleLost(place, systemClock.wallTime()).catch((error: unknown) =>
    log(`What was lost with an earlier server cannot be written down: ${String(error)}`),
  );
  const writer = new ReceiptWriter({ place, clock: systemClock, log });
  return new ReceiptBook({
    backend,
    onDidStop: backend.onDidStop,
    markOf: (processId) => backend.markOf(processId),
    clock: systemClock,
    host: os.hostname(),
    writer,
  });
}
