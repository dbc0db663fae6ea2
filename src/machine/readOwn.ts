import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';

const { O_RDONLY } = constants;
/** Windows has no such flags, whatever Node's types say. */
const [NO_FOLLOW, NONBLOCK] =
  process.platform === 'win32' ? [0, 0] : [constants.O_NOFOLLOW, constants.O_NONBLOCK];

/**
 * Reads a file if it is one of this user: the commands in receipts can be run again. Links are not followed, whoever has
 * put one there. A pipe is not waited for. There may be thousands of small files: promises would take three times as
 * long.
 *
 * @returns undefined if there is no such file.
 * @throws Error
 */
export function readOwn<T>(file: string, read: (descriptor: number, stats: Stats) => T): T | undefined {
  const descriptor = unlessMissing(file, () => openSync(file, O_RDONLY | NO_FOLLOW | NONBLOCK));
  if (descriptor === undefined) {
    return undefined;
  }
  try {
    const stats = fstatSync(descriptor);
    if (process.getuid !== undefined && stats.uid !== process.getuid()) {
      throw new Error(`${file} belongs to another user`);
    }
    if (!stats.isFile()) {
      throw new Error(`${file} is not a file, but a pipe or the like: move it away`);
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
    throw code === 'ELOOP' ? new Error(`${file} is a link: move it away`) : error;
  }
}
