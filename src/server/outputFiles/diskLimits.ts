import type { ParamsOf } from '../../protocol/index.js';
import { DEFAULT_DISK_LIMITS } from '../limits.js';

/** The limits of output on disk. Clients set them with `host/keep`. They are asked each time. */
export class DiskLimits {
  /** Whether the output of a process is kept if no client has said otherwise. */
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
