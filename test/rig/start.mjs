// npm start: installs missing packages, then opens VS Code with the extension and a demo workspace.
//   node test/rig/start.mjs [--browser] [--port=N]
import { ensureInstalled, loadTypeScript } from './install.mjs';

const overview = `The first start takes two to seven minutes. It downloads the packages of this repository (160 MB) and, unless
your command "code" can open a window, a VS Code for the browser (230 MB). Then it builds the extension. Later starts
take half a minute.
`;

if (await ensureInstalled(overview)) {
  const { open } = await loadTypeScript('test/rig/open.ts');
  process.exitCode = await open(process.argv.slice(2));
} else {
  process.exitCode = 1;
}
