import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

const { O_CREAT, O_RDONLY, O_RDWR, O_APPEND } = constants;
/** Windows has no such flags, whatever Node's types say. */
const [NO_FOLLOW, NONBLOCK] =
  process.platform === 'win32' ? [0, 0] : [constants.O_NOFOLLOW, constants.O_NONBLOCK];

/**
 * Opens a file to read it, unless it is none, or somebody else's: what is in receipts can be run again. Links are not
 * followed, whoever has put one there, and nobody waits for the other end of a pipe.
 *
 * @throws Error
 */
export function openOwn(file: string): Promise<FileHandle> {
  return openWith(file, O_RDONLY);
}

/** Opens a file as {@link openOwn} does, to append to it as well. It is made if there is none. */
export function openOwnToAppend(file: string): Promise<FileHandle> {
  return openWith(file, O_RDWR | O_CREAT | O_APPEND);
}

async function openWith(file: string, flags: number): Promise<FileHandle> {
  const handle = await open(file, flags | NO_FOLLOW | NONBLOCK, 0o600).catch((error: unknown) => {
    throw (error as NodeJS.ErrnoException).code === 'ELOOP'
      ? new Error(`${file} is a link: move it away`)
      : error;
  });
  const stats = await handle.stat();
  if (stats.isFile() && !isSomebodyElses(stats)) {
    return handle;
  }
  await handle.close();
  throw new Error(
    isSomebodyElses(stats)
      ? `${file} belongs to somebody else`
      : `${file} is no file, but a pipe or the like: move it away`,
  );
}

/**
 * The text of such a file.
 *
 * @throws Error
 */
export async function readOwn(file: string): Promise<string> {
  const handle = await openOwn(file);
  try {
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

function isSomebodyElses({ uid }: { readonly uid: number }): boolean {
  return process.getuid !== undefined && uid !== process.getuid();
}
