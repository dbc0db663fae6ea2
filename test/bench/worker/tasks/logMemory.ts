import { ProcessLog } from '../../../../src/core/index.js';
import { memory } from '../memory.js';

export interface LogMemory {
  readonly args: { readonly chunkBytes: number; readonly logs: number };
  /** The memory of a full log, as a multiple of its payload with 13 bytes for each chunk. */
  readonly result: number;
}

const MIB = 1024 * 1024;
const PACKED_CHUNK_BYTES = 13;

/** Fills logs three times over, so that the retained part has moved, and measures their memory. */
export async function logMemory({ chunkBytes, logs }: LogMemory['args']): Promise<LogMemory['result']> {
  const fill = (): ProcessLog => {
    const log = new ProcessLog();
    for (let bytes = 0; bytes < 3 * MIB; bytes += chunkBytes) {
      // As from a stream, each chunk has memory of its own.
      log.appendOutput('stdout', Buffer.alloc(chunkBytes));
    }
    return log;
  };
  fill();
  const before = await memory();
  const kept = Array.from({ length: logs }, fill);
  const held = (await memory()) - before;
  const packed = kept.reduce((sum, { stats }) => {
    const chunks = stats.chunks - stats.evicted.chunks;
    return sum + stats.retainedBytes + chunks * PACKED_CHUNK_BYTES;
  }, 0);
  return held / packed;
}
