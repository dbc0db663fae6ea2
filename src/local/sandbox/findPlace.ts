import { accessSync, constants, lstatSync, readlinkSync, type Stats } from 'node:fs';
import path from 'node:path';

/** A link on the way to a place. */
interface CrossedLink {
  /** The real path of the link itself. */
  readonly path: string;
  /** How many names of the place's own path lead to it. */
  readonly depth: number;
  /** Whether the user could put something else there. */
  readonly replaceable: boolean;
}

interface Missing {
  readonly path: string;
  /** Whether the user can make something there, or could after a change of the folder's mode. */
  readonly makeable: 'now' | 'afterChmod' | 'never';
}

/** A place with all links on the way to it followed. */
export interface FoundPlace {
  readonly path: string;
  /** Undefined if it is missing. */
  readonly stats: Stats | undefined;
  /** The first name on the way that is missing. */
  readonly missing?: Missing;
  readonly links: readonly CrossedLink[];
}

/** The most links on the way to a file, as in Linux. */
const MOST_LINKS = 40;

/**
 * Finds the place that an absolute path leads to. It looks without waiting: that takes a tenth of the time.
 *
 * @returns undefined if a program of this user cannot reach it in a sandbox. There root loses its privileges, and is to
 * the files of other users like any user.
 */
export function findPlace(start: string): FoundPlace | undefined {
  const names = namesIn(start);
  const links: CrossedLink[] = [];
  const { length } = names;
  let own = length;
  let at = '/';
  let stats = lstatSync(at);
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    own = Math.min(own, names.length);
    if (!mayEnter(stats)) {
      return undefined;
    }
    const next = path.join(at, name);
    let found;
    try {
      found = lstatSync(next);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
        return undefined;
      }
      const missing = { path: next, makeable: makeable(at, stats) };
      return { path: path.join(next, ...names), stats: undefined, missing, links };
    }
    if (found.isSymbolicLink()) {
      links.push({ path: next, depth: length - own, replaceable: makeable(at, stats) !== 'never' });
      if (links.length > MOST_LINKS) {
        return undefined;
      }
      const target = readlinkSync(next);
      names.unshift(...namesIn(target));
      at = target.startsWith('/') ? '/' : at;
      stats = lstatSync(at);
    } else {
      at = next;
      stats = found;
    }
  }
  return { path: at, stats, links };
}

export function namesIn(file: string): string[] {
  return file.split('/').filter((name) => name !== '' && name !== '.');
}

function makeable(folder: string, stats: Stats): Missing['makeable'] {
  const isOwner = stats.uid === process.getuid?.();
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return isOwner || process.getuid?.() !== 0 || hasRight(stats, 0o3) ? 'now' : 'never';
  } catch (error) {
    return isOwner && (error as NodeJS.ErrnoException).code === 'EACCES' ? 'afterChmod' : 'never';
  }
}

/** Whether a folder can be looked into in the sandbox. The system answers this itself for any user but root. */
function mayEnter(stats: Stats): boolean {
  return process.getuid?.() !== 0 || stats.uid === 0 || hasRight(stats, 0o1);
}

/** Whether the mode gives these rights to a user who is not the owner. */
function hasRight({ mode, gid }: Stats, rights: number): boolean {
  const granted = process.getgroups?.().includes(gid) === true ? mode >> 3 : mode;
  return (granted & rights) === rights;
}
