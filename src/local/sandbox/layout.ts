import { stat } from 'node:fs/promises';
import path from 'node:path';

import { ExecError, type Sandbox } from '../../core/index.js';
import { findPlace, type FoundPlace, namesIn } from './findPlace.js';

/** Folders of this program, by absolute paths. */
export interface OwnFolders {
  /** A program in a sandbox finds them empty. */
  readonly covered: readonly string[];
  /** It can only read them. */
  readonly readOnly: readonly string[];
  /** Sockets to which it cannot connect. */
  readonly sockets: readonly string[];
}

/** The file system of a sandbox. */
export interface Layout {
  /** The options of bubblewrap that make it. */
  readonly mounts: readonly string[];
  /**
   * Folders that have to exist by then, and to stay. The program could make those that are missing. Those that exist
   * may be mount points of another sandbox, which ends earlier.
   */
  readonly mountPoints: readonly string[];
}

/** These stay as they are below each writable folder: programs outside of the sandbox run commands that they name. */
const PROTECTED = ['.git', '.agents', '.codex', '.aws'];

type Access = 'read' | 'write' | 'covered' | 'socket';

/**
 * Lays out the file system of a sandbox, with real paths: bubblewrap mounts nothing on a link.
 *
 * @throws ExecError for a place that is not an absolute path, or for a replaceable link on the way to a read-only one.
 */
export async function layoutOf({ places }: Sandbox, own: OwnFolders): Promise<Layout> {
  places.forEach((place) => checkPath(place.path));
  // A drive that does not answer keeps this start waiting, and no other.
  await Promise.all(places.map((place) => stat(place.path).catch(() => undefined)));
  const asked = (access: Access) =>
    places.filter((place) => place.access === access).map((place) => place.path);
  const writable = findAll(asked('write'));
  const folders = writable.filter(({ stats }) => stats?.isDirectory()).map((place) => place.path);
  const inFolders = folders.flatMap((folder) => PROTECTED.map((name) => path.join(folder, name)));
  const isWritable = new Set(writable.map((place) => place.path));
  const kept = findAll([...asked('read'), ...inFolders]).filter((place) => !isWritable.has(place.path));
  const covered = findAll(own.covered);
  const readOnly = findAll(own.readOnly);

  const access = new Map<string, Access>();
  there(kept).forEach((place) => access.set(place, 'read'));
  there(writable).forEach((place) => access.set(place, 'write'));
  checkLinks(kept, [...asked('write'), ...folders], access);
  there(readOnly).forEach((folder) => setAll(access, folder, 'read'));
  there(covered).forEach((folder) => setAll(access, folder, 'covered'));
  there(findAll(own.sockets)).forEach((socket) => setAll(access, socket, 'socket'));
  const mountPoints = new Set([...holdPlaces([...kept, ...covered, ...readOnly], access), ...there(covered)]);
  return { mountPoints: [...mountPoints], mounts: mountsOf(access) };
}

function checkPath(place: string): void {
  if (place.includes('\0')) {
    throw new ExecError({ kind: 'nulCharacter', where: 'a place of the sandbox' });
  }
  if (!path.isAbsolute(place)) {
    throw new ExecError({ kind: 'cwdNotAbsolute', cwd: place });
  }
}

interface Place extends FoundPlace {
  /** The path that it was looked up by. */
  readonly asked: string;
}

/** Bubblewrap makes these itself; of the machine's devices, only shared memory can be had as it is. */
const isMade = (file: string): boolean =>
  isIn(file, '/proc') || (isIn(file, '/dev') && !isIn(file, '/dev/shm'));

function findAll(paths: readonly string[]): readonly Place[] {
  return [...new Set(paths)].flatMap((asked) => {
    const found = findPlace(asked);
    return found === undefined || isMade(found.path) ? [] : [{ ...found, asked }];
  });
}

const there = (found: readonly Place[]): readonly string[] =>
  found.filter(({ stats }) => stats !== undefined).map((place) => place.path);

/** Refuses links on the way to read-only places. Those on the way to a writable folder are the client's affair. */
function checkLinks(kept: readonly Place[], writable: readonly string[], access: Map<string, Access>): void {
  for (const { asked, links } of kept) {
    const depths = writable.filter((place) => isIn(asked, place)).map((place) => namesIn(place).length);
    const depth = Math.max(-1, ...depths);
    const link = links.find(
      (one) =>
        one.depth > depth && one.replaceable && nearest(access, path.dirname(one.path)).access === 'write',
    );
    if (link !== undefined) {
      throw new ExecError({ kind: 'sandboxLink', path: link.path });
    }
  }
}

/** Gives a folder and everything below it one access, unless that is covered already. */
function setAll(access: Map<string, Access>, folder: string, to: Access): void {
  if (nearest(access, folder).access === 'covered') {
    return;
  }
  for (const place of access.keys()) {
    if (isIn(place, folder)) {
      access.delete(place);
    }
  }
  access.set(folder, to);
}

/**
 * Finds the folders that a program could make, or put something else in place of.
 *
 * @returns the folders to hold. A place in a folder that its owner has made read-only is not one: that folder stays as
 * it is.
 */
function holdPlaces(places: readonly Place[], access: Map<string, Access>): readonly string[] {
  const mountPoints = new Set<string>();
  for (const { path: place, stats, missing } of places) {
    const mountPoint = missing?.path ?? place;
    const folder = path.dirname(mountPoint);
    if (missing?.makeable === 'never' || nearest(access, folder).access !== 'write') {
      continue;
    }
    if (missing?.makeable === 'afterChmod') {
      access.set(folder, 'read');
    } else if (missing !== undefined || stats?.isDirectory() === true) {
      mountPoints.add(mountPoint);
      access.set(mountPoint, access.get(mountPoint) ?? 'read');
    }
  }
  return [...mountPoints];
}

function mountsOf(access: ReadonlyMap<string, Access>): readonly string[] {
  const root = access.get('/') ?? 'read';
  const made = new Map<string, Access>([['/', root]]);
  const mounts = [...mount('/', root), '--dev', '/dev', '--proc', '/proc', ...mount('/proc/sys', 'read')];
  for (const [place, to] of [...access].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const above = nearest(made, place);
    if (to === above.access) {
      continue;
    }
    // A folder that is no mount could be moved away with everything that is mounted below it.
    const folders = above.access === 'write' ? foldersBetween(above.path, place) : [];
    for (const folder of folders) {
      made.set(folder, 'write');
      mounts.push(...mount(folder, 'write'));
    }
    made.set(place, to);
    mounts.push(...mount(place, to));
  }
  return mounts;
}

function mount(place: string, access: Access): readonly string[] {
  switch (access) {
    case 'covered':
      return ['--perms', '0555', '--tmpfs', place, '--remount-ro', place];
    case 'socket':
      return ['--ro-bind', '/dev/null', place];
    case 'read':
      return ['--ro-bind', place, place];
    case 'write':
      return ['--bind', place, place];
  }
}

/** The most specific entry for a path. */
function nearest(access: ReadonlyMap<string, Access>, file: string): { path: string; access: Access } {
  const found = access.get(file);
  if (found !== undefined) {
    return { path: file, access: found };
  }
  return file === '/' ? { path: file, access: 'read' } : nearest(access, path.dirname(file));
}

function foldersBetween(above: string, below: string): readonly string[] {
  const folder = path.dirname(below);
  return folder === above ? [] : [...foldersBetween(above, folder), folder];
}

function isIn(file: string, folder: string): boolean {
  return file === folder || file.startsWith(folder === '/' ? folder : `${folder}/`);
}
