import { readSync } from 'node:fs';

import type { ProcessLog } from '../../core/index.js';
import type { Child } from './child.js';

/**
 * Waits until everything that can be read without waiting has been read: until a turn of the event loop brings nothing,
 * or `done` says so. One poll of libuv reads every readable stream, up to 2 MiB of each.
 *
 * @param readSoFar A count that grows with everything that is read.
 */
export async function untilQuiet(readSoFar: () => number, done: () => boolean): Promise<void> {
  for (let turn = 0; turn < MAX_TURNS && !done(); turn++) {
    const before = readSoFar();
    await pollOnce();
    if (readSoFar() === before) {
      return;
    }
  }
}

/** An upper bound: a descendant may write for ever, and the exit must be reported at some point. */
const MAX_TURNS = 64;

/** The first callback may belong to the current turn; between it and the second there is a whole poll. */
function pollOnce(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => setImmediate(resolve));
  });
}

/** An upper bound of what can be unread: two full pipes, or a terminal, hold less. */
const UNREAD_BYTES = 256 * 1024;

/** Reads what killed processes had written: a slow reader may have kept us from that. */
export async function readUnread(log: ProcessLog, child: Child | undefined): Promise<void> {
  const before = log.stats.bytes;
  const read = () => log.stats.bytes - before;
  child?.setPaused(false);
  child?.setAwaited?.(true);
  // The remaining holders of the output may write without end.
  await untilQuiet(read, () => log.ended || read() > UNREAD_BYTES);
}

const PIECE_BYTES = 64 * 1024;
/** An upper bound: the program may write as fast as this reads. */
const MOST_AVAILABLE_BYTES = 1024 * 1024;

/**
 * Reads from a non-blocking descriptor what is available at this moment, and leaves its end to other code. Each piece
 * is new memory, because other code may still use the pieces that were read before.
 */
export function readNow(fd: number, onBytes: (bytes: Buffer) => void): void {
  for (let total = 0; total < MOST_AVAILABLE_BYTES;) {
    const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
    let size: number;
    try {
      size = readSync(fd, piece, 0, PIECE_BYTES, null);
    } catch {
      return; // EAGAIN: nothing is left for now; or the descriptor is at its end, which its stream finds out.
    }
    if (size === 0) {
      return;
    }
    onBytes(piece.subarray(0, size));
    total += size;
  }
}
