import { lstat, mkdir, readFile, readlink, symlink, unlink } from 'node:fs/promises';
import path from 'node:path';

import type { HostVariables } from '../../core/index.js';
import { WRAPPER_MARK, type Wrapper } from './wrapper.js';

/** The outcome for the link. */
export interface Linked {
  /** `taken`: a file of another program has the name, and was left as it is. */
  readonly outcome: 'linked' | 'was there' | 'taken';
  readonly link: string;
  /** Whether shells of this user find it. */
  readonly onPath: boolean;
}

/** The folders in which people keep their own programs, in the order of preference. */
const PLACES = ['.local/bin', 'bin'] as const;

/**
 * Links a wrapper into a folder for programs in the home directory, preferably one that is on the PATH.
 *
 * @throws NodeJS.ErrnoException
 */
export async function linkOnPath(wrapper: Wrapper, home: string, env: HostVariables): Promise<Linked> {
  const onPath = (env['PATH'] ?? '').split(path.delimiter).map((folder) => path.resolve(folder));
  const places = PLACES.map((place) => path.join(home, place));
  const folder = places.find((place) => onPath.includes(place)) ?? path.join(home, PLACES[0]);
  const link = path.join(folder, path.basename(wrapper.file));
  const found = await whatIsAt(link, wrapper.file);
  if (found === 'older') {
    await unlink(link);
  }
  if (found === 'nothing' || found === 'older') {
    await mkdir(folder, { recursive: true });
    await symlink(wrapper.file, link);
  }
  const outcome = found === 'foreign' ? 'taken' : found === 'ours' ? 'was there' : 'linked';
  return { outcome, link, onPath: onPath.includes(folder) };
}

/** `older` is a link to a wrapper of another VS Code, or of one that was removed. */
async function whatIsAt(link: string, wrapper: string): Promise<'nothing' | 'ours' | 'older' | 'foreign'> {
  const found = await lstat(link).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  });
  if (found === undefined) {
    return 'nothing';
  }
  if (!found.isSymbolicLink()) {
    return 'foreign';
  }
  const target = path.resolve(path.dirname(link), await readlink(link));
  if (target === wrapper) {
    return 'ours';
  }
  const text = await readFile(target, 'utf8').catch(() => undefined);
  const gone = text === undefined && target.endsWith(OWN_END);
  return gone || text?.includes(WRAPPER_MARK) === true ? 'older' : 'foreign';
}

/** The end of every path of a wrapper: VS Code names the folder after the extension. */
const OWN_END = path.join('exec-sessions.exec-sessions', 'bin', 'exec-sessions');
