// npm start: installs missing packages, then opens VS Code with the extension and a demo workspace.
//   node test/rig/start.mjs [--browser] [--port=N]
import { ensureInstalled, loadTypeScript } from './install.mjs';

if (await ensureInstalled()) {
  const { open } = await loadTypeScript('test/rig/open.ts');
  process.exitCode = await open(process.argv.slice(2));
} else {
  process.exitCode = 1;
}
