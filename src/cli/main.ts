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
if (['mcp', 'bridge'].includes(process.argv[2] ?? '')) {
  // Agents start these two of exec-server by the only name of ours that each installation has.
  module.createRequire(__filename)('./exec-server.js');
} else {
  void import('./program.js').then(({ runProgram }) => runProgram());
}
