import { lstat, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';

import { type ParamsOf, type ResultOf, WireCode, WireError } from '../../../protocol/index.js';
import { isOsError } from '../osErrors.js';
import { invalidRequest, pathOf, throughLink } from './fileAnswers.js';
import { withoutLinks } from './noFollow.js';
import { removeTree } from './removeTree.js';

/** Removes a file, a directory, or a link; never the target of a link. */
export async function remove(params: ParamsOf<'fs/remove'>): Promise<ResultOf<'fs/remove'>> {
  const file = pathOf(params);
  const recursive = params.recursive !== false;
  const follow = params.followSymlinks !== false;
  if (path.parse(file).root === file) {
    throw invalidRequest('path must name an entry');
  }
  if (recursive && !follow) {
    throw new WireError(WireCode.internal, 'recursive no-follow removal is unsupported');
  }
  try {
    await (follow ? removeEntry(file, recursive) : withoutLinks(file, removeUnlinked));
  } catch (error) {
    if (params.force === false || !isOsError(error, 'ENOENT')) {
      throw error;
    }
  }
  return {};
}

async function removeEntry(file: string, recursive: boolean): Promise<void> {
  if (!(await lstat(file)).isDirectory()) {
    await unlink(file);
  } else if (recursive) {
    await removeTree(file);
  } else {
    await rmdir(file);
  }
}

async function removeUnlinked(entry: string): Promise<void> {
  const stats = await lstat(entry);
  if (stats.isSymbolicLink()) {
    throw throughLink();
  }
  await (stats.isDirectory() ? rmdir(entry) : unlink(entry));
}
