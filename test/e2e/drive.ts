import path from 'node:path';
import { makeBase, testSettings, type Base, type BaseOptions } from '../rig/base.js';
import { launchBrowser } from '../rig/browser.js';
import { packageExtension } from '../rig/commands.js';
import { runOwned, type Survivor } from '../rig/lifetime.js';
import { root } from '../rig/paths.js';
import { runCli, startServer, workbenchUrl, type Server, type ServerOptions } from '../rig/server.js';
import { ensureTools } from '../rig/tools.js';
import { Workbench } from './workbench.js';

/** A real VS Code with the packaged extension installed, open in a real browser. */
export interface Drive {
  readonly base: Base;
  readonly server: Server;
  readonly workbench: Workbench;
  /** Another window of the same VS Code, on the same folder. */
  openWindow(): Promise<Workbench>;
  /** Ends everything; resolves with the processes that outlived VS Code and had to be killed. */
  close(): Promise<readonly Survivor[]>;
}

export interface DriveOptions extends BaseOptions, ServerOptions {
  /** Installs a second extension, which uses the first one as any other can: the folder `neighbour`. */
  readonly neighbour?: boolean;
}

export async function startDrive(options: DriveOptions = {}): Promise<Drive> {
  const tools = await ensureTools();
  const vsix = await packageExtension();
  const base = makeBase({ ...options, settings: { ...testSettings, ...options.settings } });
  await runCli(tools, base, ['--install-extension', vsix, '--force']);
  if (options.neighbour === true) {
    const packagePath = await packageNeighbour(base);
    await runCli(tools, base, ['--install-extension', packagePath]);
  }
  const server = await startServer(tools, base, options);
  const { browser, close } = await launchBrowser(base);
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(30_000);
  const openWindow = async (): Promise<Workbench> => {
    const workbench = new Workbench(await context.newPage(), path.join(root, 'test/e2e/screenshots'));
    await workbench.open(workbenchUrl(server, base.workspace));
    return workbench;
  };
  return {
    base,
    server,
    workbench: await openWindow(),
    openWindow,
    async close() {
      await close();
      const survivors = await server.stop();
      await base.remove();
      return survivors;
    },
  };
}

async function packageNeighbour(base: Base): Promise<string> {
  const file = path.join(base.folder, 'neighbour.vsix');
  const vsce = path.join(root, 'node_modules/@vscode/vsce/vsce');
  const flags = ['--no-dependencies', '--allow-missing-repository', '--skip-license'];
  await runOwned(process.execPath, [vsce, 'package', ...flags, '--out', file], {
    cwd: path.join(root, 'test/e2e/neighbour'),
  });
  return file;
}
