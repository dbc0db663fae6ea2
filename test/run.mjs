// npm test, npm run test:all, npm run test:long, .ci/run: installs what is missing, then runs the stages of
// test/rig/stages.ts.
//   node test/run.mjs [--all | --long] [STAGE or part of the path of a file of tests]...
//   node test/run.mjs --ci
import { parseArgs } from 'node:util';

import { ensureInstalled, loadTypeScript } from './rig/install.mjs';

const { values, positionals } = parseArgs({
  options: { all: { type: 'boolean' }, long: { type: 'boolean' }, ci: { type: 'boolean' } },
  allowPositionals: true,
});

if (await ensureInstalled()) {
  const { runLevels, runStages } = await loadTypeScript('test/rig/runStages.ts');
  if (values.ci) {
    process.exitCode = await runLevels(['test', 'all']);
  } else {
    const level = values.long ? 'long' : values.all ? 'all' : 'test';
    const { failed } = await runStages(level, positionals);
    process.exitCode = failed === 0 ? 0 : 1;
  }
} else {
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
