import { readSync } from 'node:fs';

const PIECE_BYTES = 64 * 1024;
/** An upper bound: the program may write as fast as this reads. */
const MOST_BYTES = 1024 * 1024;

/**
 * Reads from a non-blocking descriptor what is available at this moment, and leaves its end to other code. Each piece
 * is new memory, because other code may still use the pieces that were read before.
 */
export function readNow(fd: number, onBytes: (bytes: Buffer) => void): void {
  for (let total = 0; total < MOST_BYTES;) {
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
