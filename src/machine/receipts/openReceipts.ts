import os from 'node:os';

import { type Clock, systemClock } from '../../core/index.js';
import type { LocalBackend } from '../../local/index.js';
import { ReceiptBook } from './receiptBook.js';
import { receiptPlace } from './receiptPlace.js';
import { ReceiptWriter } from './receiptWriter.js';

/**
 * Writes receipts of the sessions in a backend.
 *
 * @param window Whether this program is a window that runs its sessions itself.
 */
export function openReceipts(
  backend: LocalBackend,
  log: (line: string) => void,
  window = false,
  clock: Clock = systemClock,
): ReceiptBook {
  return new ReceiptBook({
    backend,
    onDidStop: backend.onDidStop,
    markOf: (processId) => backend.markOf(processId),
    leaderOf: (processId) => {
      const { sid, startTime } = backend.sessionOf(processId) ?? {};
      return sid === undefined ? undefined : { pid: sid, ...(startTime !== undefined && { startTime }) };
    },
    window,
    clock,
    log,
    host: os.hostname(),
    writer: new ReceiptWriter({
      place: receiptPlace(process.env),
      clock,
      log,
      onBegin: (guardReport) => backend.reportGuardedEndsTo(guardReport),
    }),
  });
}
