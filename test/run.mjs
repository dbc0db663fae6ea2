// npm test, npm run test:all, npm run test:long: installs what is missing, then runs the stages of test/rig/stages.ts.
//   node test/run.mjs [--all | --long] [STAGE or part of the path of a file of tests]...
import { parseArgs } from 'node:util';

import { ensureInstalled, loadTypeScript } from './rig/install.mjs';

const { values, positionals } = parseArgs({
  options: { all: { type: 'boolean' }, long: { type: 'boolean' } },
  allowPositionals: true,
});

if (await ensureInstalled()) {
  const { runStages } = await loadTypeScript('test/rig/runStages.ts');
  process.exitCode = await runStages(values.long ? 'long' : values.all ? 'all' : 'test', positionals);
} else {
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
