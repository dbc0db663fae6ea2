import type { ParamsOf } from '../../protocol/index.js';
import { DEFAULT_DISK_LIMITS } from '../limits.js';

/** How much output is on disk. The last client that sets it decides. It is asked each time. */
export class DiskLimits {
  /** Whether the output is kept of those processes for which nobody has said otherwise. */
  keep = false;
  /** The bytes of each process. */
  bytes: number = DEFAULT_DISK_LIMITS.bytes;
  /** The bytes of all processes together. */
  allBytes: number = DEFAULT_DISK_LIMITS.allBytes;

  set({ keep, bytes, allBytes }: NonNullable<ParamsOf<'host/keep'>['disk']>): void {
    this.keep = keep;
    this.bytes = bytes;
    this.allBytes = allBytes;
  }
}
