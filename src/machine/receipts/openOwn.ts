import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

const { O_RDONLY } = constants;
/** Windows has no such flags, whatever Node's types say. */
const [NO_FOLLOW, NONBLOCK] =
  process.platform === 'win32' ? [0, 0] : [constants.O_NOFOLLOW, constants.O_NONBLOCK];

/**
 * Opens a file to read it, if it is a file of this user: the commands in receipts can be run again. Links are not
 * followed, whoever has put one there. A pipe is not waited for.
 *
 * @throws Error
 */
export async function openOwn(file: string): Promise<FileHandle> {
  const handle = await open(file, O_RDONLY | NO_FOLLOW | NONBLOCK).catch((error: unknown) => {
    throw (error as NodeJS.ErrnoException).code === 'ELOOP'
      ? new Error(`${file} is a link: move it away`)
      : error;
  });
  const stats = await handle.stat();
  const isSomebodyElses = process.getuid !== undefined && stats.uid !== process.getuid();
  if (stats.isFile() && !isSomebodyElses) {
    return handle;
  }
  await handle.close();
  throw new Error(
    isSomebodyElses
      ? `${file} belongs to somebody else`
      : `${file} is no file, but a pipe or the like: move it away`,
  );
}
