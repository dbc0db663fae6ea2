import { version } from '../../package.json';
import { copiesFolder } from '../machine/index.js';
import { loadKept } from './keptCode.js';
import { lateModules } from './lateModules.js';
import type * as Program from './program.js';

/** The name of a command, `help` or `version`. Anything else is a mistake, and may take its time. */
const [, command] = /^(?:--)?([a-z]+)$/.exec(process.argv[2] ?? '') ?? [];

const { exports, keep } = loadKept(require.resolve('./program.js'), {
  folder: copiesFolder(process.env),
  use: command === undefined ? undefined : `${version}-${command}`,
  load: lateModules(require),
});
(exports as typeof Program).runProgram(keep);
