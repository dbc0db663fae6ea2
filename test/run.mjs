// npm test: installs what is missing, then runs the stages of test/rig/stages.ts, some of them side by side.
//   node test/run.mjs [stage...]
import { ensureInstalled, loadTypeScript } from './rig/install.mjs';

if (await ensureInstalled()) {
  const { runStages } = await loadTypeScript('test/rig/runStages.ts');
  process.exitCode = await runStages(process.argv.slice(2));
} else {
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
