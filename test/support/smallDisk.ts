import { spawnSync } from 'node:child_process';
import os from 'node:os';

import { OWN_MOUNTS } from './ownMounts.js';

const MOUNT = 'mount -t tmpfs -o "size=$1" none "$2" && cd "$2" && eval "$3" && shift 3 && exec "$@"';

/**
 * The command that runs the command behind it with a disk of its own.
 *
 * @param size In bytes.
 * @param folder Where the disk is, for that command alone.
 * @param prepare What a shell does on the disk before.
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
