import { spawnSync } from 'node:child_process';
import os from 'node:os';

import { OWN_MOUNTS } from './ownMounts.js';

const MOUNT = 'mount -t tmpfs -o "size=$1" none "$2" && cd "$2" && eval "$3" && shift 3 && exec "$@"';

/**
 * The command that runs the command after it with a disk of its own.
 *
 * @param size In bytes.
 * @param folder The place of the disk, for that command alone.
 * @param prepare Shell commands that run on the disk first.
 */
export function withDisk(size: number, folder: string, prepare = ':'): readonly string[] {
  return [...OWN_MOUNTS, 'sh', '-c', MOUNT, 'sh', String(size), folder, prepare];
}

/** Declares tests of small disks. Some containers allow no mounts, not even of one's own. */
export const describeDisks =
  process.platform === 'linux' && mayMount() ? describe : (): undefined => undefined;

function mayMount(): boolean {
  const [program = '', ...args] = withDisk(4096, os.tmpdir());
  return spawnSync(program, [...args, 'true'], { stdio: 'ignore' }).status === 0;
}
