import type { ParamsOf, ResultOf } from '../../../protocol/index.js';
import { copy } from './copy.js';
import { createDirectory, readDirectory } from './directories.js';
import { canonicalize, getMetadata } from './metadata.js';
import { openFile } from './openFile.js';
import { remove } from './remove.js';
import { walk } from './walk.js';

/** The methods that need nothing but their parameters. Aborting the signal ends those that can take long. */
const methods: { [M in PathMethod]: (params: ParamsOf<M>, signal: AbortSignal) => Promise<ResultOf<M>> } = {
  'fs/createDirectory': createDirectory,
  'fs/getMetadata': getMetadata,
  'fs/canonicalize': canonicalize,
  'fs/readDirectory': readDirectory,
  'fs/walk': walk,
  'fs/remove': remove,
  'fs/copy': copy,
};

export type PathMethod =
  | 'fs/createDirectory'
  | 'fs/getMetadata'
  | 'fs/canonicalize'
  | 'fs/readDirectory'
  | 'fs/walk'
  | 'fs/remove'
  | 'fs/copy';

/** Everything that the file methods do with paths: the part of the work that a sandbox bounds. */
export interface FileWork {
  readonly open: typeof openFile;
  run<M extends PathMethod>(method: M, params: ParamsOf<M>, signal: AbortSignal): Promise<ResultOf<M>>;
}

/** Does the work in this process. */
export const ownFileWork: FileWork = {
  open: openFile,
  run: (method, params, signal) => methods[method](params, signal),
};
