import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeBase, testSettings, type Base, type BaseOptions } from '../rig/base.js';
import { launchBrowser } from '../rig/browser.js';
import { packageExtension } from '../rig/commands.js';
import { runOwned, temporaryFolder, type Survivor } from '../rig/lifetime.js';
import { root } from '../rig/paths.js';
import { runCli, startServer, workbenchUrl, type Server, type ServerOptions } from '../rig/server.js';
import { ensureTools } from '../rig/tools.js';
import { WAIT_MS } from './waits.js';
import { Workbench } from './workbench.js';

/** A real VS Code with the packaged extension installed, open in a real browser. */
export interface Drive {
  readonly base: Base;
  readonly server: Server;
  readonly workbench: Workbench;
  /** The extension as it is installed. */
  readonly vsix: string;
  /** The address of its windows. */
  readonly address: string;
  /** Kills VS Code as a whole and starts it again at the same address; its windows have to be loaded again. */
  killAndStartAgain(): Promise<void>;
  /** Installs another version of the extension, or another extension. */
  install(vsix: string): Promise<void>;
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
  const installed = [vsix, ...(options.neighbour === true ? [await (neighbour ??= packageNeighbour())] : [])];
  await runCli(tools, base, [...installed.flatMap((file) => ['--install-extension', file]), '--force']);
  const servers = [await startServer(tools, base, options)];
  const server = () => servers.at(-1) ?? assert.fail();
  const address = () => workbenchUrl(server(), base.workspace);
  const { browser, close } = await launchBrowser(base);
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(WAIT_MS);
  const openWindow = async (): Promise<Workbench> => {
    const workbench = new Workbench(await context.newPage(), path.join(root, 'test/e2e/screenshots'));
    await workbench.open(address());
    return workbench;
  };
  return {
    base,
    vsix,
    get server() {
      return server();
    },
    get address() {
      return address();
    },
    workbench: await openWindow(),
    openWindow,
    async killAndStartAgain() {
      const { pid, authority, exited } = server();
      process.kill(-pid, 'SIGKILL');
      await exited;
      servers.push(await startServer(tools, base, { ...options, port: Number(authority.split(':')[1]) }));
    },
    async install(file) {
      await runCli(tools, base, ['--install-extension', file, '--force']);
    },
    async close() {
      await close();
      const survivors: Survivor[] = [];
      for (const one of servers.toReversed()) survivors.push(...(await one.stop()));
      await base.remove();
      return survivors;
    },
  };
}

/** The package of the neighbour: one for all drives of this process. */
let neighbour: Promise<string> | undefined;

async function packageNeighbour(): Promise<string> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-neighbour-'));
  temporaryFolder(folder);
  const file = path.join(folder, 'neighbour.vsix');
  const vsce = path.join(root, 'node_modules/@vscode/vsce/vsce');
  const flags = ['--no-dependencies', '--allow-missing-repository', '--skip-license'];
  await runOwned(process.execPath, [vsce, 'package', ...flags, '--out', file], {
    cwd: path.join(root, 'test/e2e/neighbour'),
  });
  return file;
}
