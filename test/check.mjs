// npm run check: types, lint, and the unit tests of what has changed.
import { ensureInstalled, loadTypeScript } from './rig/install.mjs';

if (await ensureInstalled()) {
  const { check } = await loadTypeScript('test/rig/check.ts');
  process.exitCode = await check();
} else {
  process.exitCode = 1;
}
