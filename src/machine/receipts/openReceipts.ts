import os from 'node:os';

import { Alarm, type Clock, systemClock } from '../../core/index.js';
import type { LocalBackend } from '../../local/index.js';
import { ReceiptBook } from './receiptBook.js';
import { NoPlaceForReceipts } from './noPlaceForReceipts.js';
import { receiptPlace, type ReceiptPlace } from './receiptPlace.js';
import { ReceiptWriter } from './receiptWriter.js';
import { settleLost } from './settleLost.js';

/**
 * Nobody writes down before that what was lost with an earlier server, in milliseconds: its guard takes three seconds
 * to stop what is left, and says then what it has stopped. Who reads before sees what is known until then.
 */
const SETTLE_MS = 10_000;

/**
 * Writes receipts of what runs in a backend, and of what was lost with servers before this one.
 *
 * @param window Whether this program is a window that runs its sessions itself.
 */
export function openReceipts(
  backend: LocalBackend,
  log: (line: string) => void,
  window = false,
  clock: Clock = systemClock,
): ReceiptBook {
  const place = receiptPlace(process.env);
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
    writer: place === undefined ? new NoPlaceForReceipts(log) : writerTo(place, backend, log, clock),
  });
}

function writerTo(
  place: ReceiptPlace,
  backend: LocalBackend,
  log: (line: string) => void,
  clock: Clock,
): ReceiptWriter {
  const settling = new Alarm(clock);
  settling.set(SETTLE_MS, () => settle(place, clock, log));
  return new ReceiptWriter({
    place,
    clock,
    log,
    onClose: () => settling.dispose(),
    onBegin: (guardReport) => backend.reportGuardedEndsTo(guardReport),
  });
}

async function settle(place: ReceiptPlace, clock: Clock, log: (line: string) => void): Promise<void> {
  try {
    await settleLost(place, clock.wallTime());
  } catch (error) {
    log(`What was lost with an earlier server cannot be written down: ${String(error)}`);
  }
}
