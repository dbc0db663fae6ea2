import module from 'node:module';
import path from 'node:path';

import { copiesFolder, isOurs } from '../machine/index.js';

const folder = copiesFolder(process.env);
/** Node has it from version 22.1 on. */
const { enableCompileCache } = module as { readonly enableCompileCache?: (folder: string) => unknown };
if (isOurs(folder)) {
  // Without a folder, Node takes one among the temporary files, where others can write.
  enableCompileCache?.(path.join(folder, 'code'));
}
void import('./program.js').then(({ runProgram }) => runProgram());
