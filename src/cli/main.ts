import { version } from '../../package.json';
import { copiesFolder } from '../machine/index.js';
import { loadKept } from './keptCode.js';
import { lateModules } from './lateModules.js';
import type * as Program from './program.js';

const [first = '', ...others] = process.argv.slice(2);
/** The name of a command, or `help`. Anything else is a mistake, and may take its time. */
const [, command] = /^(?:--)?([a-z]+)$/.exec(first) ?? [];

if (first === '--version' && others.length === 0) {
  process.stdout.write(`${version}\n`);
} else {
  const { exports, keep } = loadKept(require.resolve('./program.js'), {
    folder: copiesFolder(process.env),
    use: command === undefined ? undefined : `${version}-${command}`,
    load: lateModules(require),
  });
  (exports as typeof Program).runProgram(keep);
}
