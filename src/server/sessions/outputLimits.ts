import { DEFAULT_LOG_LIMITS, type LogLimits } from '../../core/index.js';
import type { ParamsOf } from '../../protocol/index.js';
import { MOST_RETAINED, OWNED_LIMITS } from '../limits.js';

/**
 * The most output that the owned processes of a server may keep. The last client that sets it decides. It holds for
 * output from then on, so it is asked each time.
 */
export class OutputLimits implements LogLimits {
  /** The limit for each process. */
  bytes = DEFAULT_LOG_LIMITS.bytes;
  chunks = DEFAULT_LOG_LIMITS.chunks;
  /** The bytes of all processes together. */
  outputBytes: number = OWNED_LIMITS.outputBytes;
  /** The number of closed processes. */
  closed: number = OWNED_LIMITS.closed;

  set({ bytes, chunks, allBytes, closed }: NonNullable<ParamsOf<'host/keep'>['output']>): void {
    this.bytes = Math.min(bytes, MOST_RETAINED.bytes);
    this.chunks = Math.min(chunks, MOST_RETAINED.chunks);
    this.outputBytes = allBytes;
    this.closed = closed;
  }
}
