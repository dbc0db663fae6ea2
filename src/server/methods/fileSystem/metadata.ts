import { lstat, realpath, stat } from 'node:fs/promises';

import { type ParamsOf, type ResultOf, uriFromPath } from '../../../protocol/index.js';
import { pathOf, throughLink } from './fileAnswers.js';
import { withoutLinks } from './noFollow.js';

export async function getMetadata(params: ParamsOf<'fs/getMetadata'>): Promise<ResultOf<'fs/getMetadata'>> {
  const file = pathOf(params);
  const own =
    params.followSymlinks === false ? await withoutLinks(file, (entry) => lstat(entry)) : await lstat(file);
  const isSymlink = own.isSymbolicLink();
  if (isSymlink && params.followSymlinks === false) {
    throw throughLink();
  }
  const stats = isSymlink ? await stat(file) : own;
  return {
    isDirectory: stats.isDirectory(),
    isFile: stats.isFile(),
    isSymlink,
    size: stats.size,
    createdAtMs: Math.floor(stats.birthtimeMs),
    modifiedAtMs: Math.floor(stats.mtimeMs),
  };
}

export async function canonicalize(
  params: ParamsOf<'fs/canonicalize'>,
): Promise<ResultOf<'fs/canonicalize'>> {
  return { path: uriFromPath(await realpath(pathOf(params))) };
}
