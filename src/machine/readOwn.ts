import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';

const { O_RDONLY } = constants;
/** Windows has no such flags, whatever Node's types say. */
const [NO_FOLLOW, NONBLOCK] =
  process.platform === 'win32' ? [0, 0] : [constants.O_NOFOLLOW, constants.O_NONBLOCK];

/** The largest file that is read, in bytes. Programs of ours write much smaller ones. */
const MOST_BYTES = 16 * 1024 * 1024;

/** A file that no program of ours has written. It does not keep others from being read. */
export class StrangeFile extends Error {}

/**
 * Reads a file if it is one of this user: the commands in receipts can be run again. Links are not followed, whoever has
 * put one there. A pipe is not waited for. There may be thousands of small files: promises would take three times as
 * long.
 *
 * @returns undefined if there is no such file.
 * @throws StrangeFile
 * @throws Error if it cannot be read.
 */
export function readOwn<T>(file: string, read: (descriptor: number, stats: Stats) => T): T | undefined {
  const descriptor = unlessMissing(file, () => openSync(file, O_RDONLY | NO_FOLLOW | NONBLOCK));
  if (descriptor === undefined) {
    return undefined;
  }
  try {
    const stats = fstatSync(descriptor);
    if (process.getuid !== undefined && stats.uid !== process.getuid()) {
      throw new StrangeFile(`${file} belongs to another user`);
    }
    if (!stats.isFile()) {
      throw new StrangeFile(`${file} is not a file, but a pipe or the like: move it away`);
    }
    if (stats.size > MOST_BYTES) {
      throw new StrangeFile(`${file} is too large: move it away`);
    }
    return read(descriptor, stats);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * @returns undefined if there is no such file or folder.
 * @throws Error
 */
export function unlessMissing<T>(file: string, look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') {
      return undefined;
    }
    throw code === 'ELOOP' ? new StrangeFile(`${file} is a link: move it away`) : error;
  }
}
