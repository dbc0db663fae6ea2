import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, readFile, readlink, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { bootId, processNamespace } from '../marks/processPlace.js';
import { startTimeOf, stillRuns } from '../marks/processTable.js';

/**
 * The sticky bit tells that a folder was made here. It comes with the folder, and other programs do not set it. The user
 * may fill the folder meanwhile, and it then stays: by `git init`, or as a private folder of a server.
 */
const MODE = 0o1700;
const ALL_BITS = 0o7777;
/** The folder by which a sandbox holds a mount point. It is empty, so git does not list it. */
const HOLD = /^exec-sessions-[\da-f-]{36}$/;
/**
 * The name of a note: the process that made the sandbox, its start time, and the sandbox. The note itself has the run
 * of the machine, the namespace of the process, and the folders. Each ends with a NUL.
 */
const NOTE = /^((\d+)\.(\d*))\.([\da-f-]{36})$/;

/**
 * Folders that are missing, and that a sandbox mounts something on. A mount ends, inside of the sandbox too, when any
 * program removes its folder. Each sandbox therefore makes a folder of its own in each of them. The kernel removes no
 * folder with another one in it, so servers need no lock, not even servers of two machines with the same disk.
 */
export class MountPoints {
  /** The paths of the notes of this process begin with this and a dot. */
  readonly own: string;
  readonly #notes: string;
  #swept: Promise<void> | undefined;

  /** @param notes A private folder that exists. */
  constructor(notes: string) {
    this.own = path.join(notes, `${process.pid}.${startTimeOf(process.pid) ?? ''}`);
    this.#notes = notes;
  }

  /**
   * Makes the folders that are missing, and holds them and those that are empty.
   *
   * @param folders Paths without links. Folders that this user cannot make or write stay as they are: programs in the
   *   sandbox cannot do it either.
   * @returns a function that releases them. It removes folders that were made here, are empty, and that no other
   *   sandbox holds.
   * @throws NodeJS.ErrnoException Nothing stays in that case.
   */
  async make(folders: readonly string[]): Promise<() => Promise<void>> {
    await (this.#swept ??= sweepMountPoints(this.#notes));
    const isUnused = await Promise.all(folders.map(isMissingOrEmpty));
    const unused = folders.filter((_, index) => isUnused[index]);
    if (unused.length === 0) {
      return () => Promise.resolve();
    }
    const sandbox = randomUUID();
    const file = `${this.own}.${sandbox}`;
    const made = new Set<string>();
    const release = () => undo(file, unused, made);
    try {
      await writeFile(file, [bootId(), processNamespace(), ...unused, ''].join('\0'), {
        flag: 'wx',
        mode: 0o600,
      });
      for (const folder of unused) {
        if ((await makeAndHold(folder, holdOf(file)).catch(unless('EACCES', 'EPERM', 'EROFS'))) === 'made') {
          made.add(folder);
        }
      }
    } catch (error) {
      await release();
      throw error;
    }
    return release;
  }
}

/**
 * Releases everything that sandboxes of ended processes held. Never rejects.
 *
 * @param ending The notes of a process that has closed its files, and may still be listed: see {@link MountPoints.own}.
 */
export async function sweepMountPoints(notes: string, ending?: string): Promise<void> {
  for (const name of await readdir(notes).catch(() => [])) {
    const [, owner, pid, startTime] = NOTE.exec(name) ?? [];
    if (owner === undefined) {
      continue;
    }
    const file = path.join(notes, name);
    const text = await readFile(file, 'utf8').catch(() => '');
    // The folders of a note that is not whole were not made yet.
    const [boot = bootId(), namespace = processNamespace(), ...folders] = text.split('\0').slice(0, -1);
    const runs = boot === bootId() && stillRuns({ pid: Number(pid), startTime });
    // In another namespace the number of a process says nothing.
    if ((namespace === processNamespace() && !runs) || path.join(notes, owner) === ending) {
      await undo(file, folders);
    }
  }
}

/**
 * @param file The note. It may be gone, like everything else.
 * @param made Folders that this process has made: not every disk keeps the sticky bit.
 */
async function undo(
  file: string,
  folders: readonly string[],
  made: ReadonlySet<string> = new Set(),
): Promise<void> {
  for (const folder of folders) {
    await inFolder(folder, (same) => rmdir(path.join(same, holdOf(file)))).catch(() => undefined);
    await removeMade(folder, made).catch(() => undefined);
  }
  await rm(file, { force: true }).catch(() => undefined);
}

/** Removes a folder, and those above it that another sandbox has made and could not remove while this one was there. */
async function removeMade(folder: string, made: ReadonlySet<string>): Promise<void> {
  await inParent(folder, async (same) => {
    const { mode } = await lstat(same);
    if (!made.has(folder) && (mode & ALL_BITS) !== MODE) {
      throw new Error(`${folder} was there before`);
    }
    await rmdir(same);
  });
  await removeMade(path.dirname(folder), made);
}

/** The name of the folder by which a sandbox holds its mount points. */
function holdOf(note: string): string {
  return `exec-sessions-${path.extname(note).slice(1)}`;
}

/** A folder of sandboxes in it does not count. */
async function isMissingOrEmpty(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).every((entry) => HOLD.test(entry));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

async function makeAndHold(folder: string, hold: string): Promise<'made' | 'found'> {
  for (;;) {
    const made = await inParent(folder, (same) =>
      mkdir(same, { mode: MODE }).then(() => 'made' as const, unless('EEXIST')),
    );
    const held = await inFolder(folder, (same) => mkdir(path.join(same, hold)).then(() => true)).catch(
      unless('ENOENT'),
    );
    // Another sandbox that ended may just have removed it.
    if (held === true) {
      return made ?? 'found';
    }
  }
}

function inParent<T>(folder: string, use: (same: string) => Promise<T>): Promise<T> {
  return inFolder(path.dirname(folder), (parent) => use(path.join(parent, path.basename(folder))));
}

/**
 * Uses a folder by a path that stays the same one when a link takes the place of the folder, or of one above it.
 *
 * @throws NodeJS.ErrnoException ENOENT if it is not at its path any more.
 */
async function inFolder<T>(folder: string, use: (same: string) => Promise<T>): Promise<T> {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const same = `/proc/self/fd/${handle.fd}`;
    if ((await readlink(same)) !== folder) {
      throw Object.assign(new Error(`${folder} has been moved`), { code: 'ENOENT' });
    }
    return await use(same);
  } finally {
    await handle.close();
  }
}

/** Lets errors with these codes pass. */
function unless(...codes: readonly string[]): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (!codes.includes(error.code ?? '')) {
      throw error;
    }
  };
}
