import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from 'playwright-core';

import { Workbench } from '../../e2e/workbench.js';
import { makeBase, testSettings } from '../../rig/base.js';
import { launchBrowser } from '../../rig/browser.js';
import { root } from '../../rig/paths.js';
import { startServer, workbenchUrl } from '../../rig/server.js';
import { ensureTools } from '../../rig/tools.js';
import { SOCKET_VARIABLE, type FromHost, type HostWatch, type ToHost } from './messages.js';

/** A real VS Code with the extension of this repository, in a real browser. */
export interface BenchVsCode {
  /** Opens a window. Each has an extension host of its own. */
  openPage(): Promise<Workbench>;
  /** Opens a window whose extension host obeys `ask`. */
  openDriven(): Promise<DrivenWindow>;
  close(): Promise<void>;
}

export interface DrivenWindow {
  readonly workbench: Workbench;
  ask(message: ToHost): Promise<HostWatch | undefined>;
}

export interface VsCodeOptions {
  /** The bundled `host.ts`. */
  readonly hostProgram: string;
  readonly environments?: readonly object[];
  /** The backend that runs the sessions of this machine. */
  readonly backend?: 'extensionHost' | 'server';
}

/** Permissions to copy something, and to see it. */
const CLIPBOARD = ['clipboard-read', 'clipboard-write'];
/** High enough for the whole list of running extensions. */
const VIEWPORT = { width: 1280, height: 1200 } as const;
/** How long the extension host may take to connect, and to answer. */
const HOST_LIMIT_MS = 60_000;

export async function startVsCode({
  hostProgram,
  environments = [],
  backend = 'extensionHost',
}: VsCodeOptions): Promise<BenchVsCode> {
  const tools = await ensureTools();
  const base = makeBase({
    settings: { ...testSettings, 'execSessions.local.backend': backend },
    machineSettings: { 'execSessions.environments': environments },
  });
  const socketFile = path.join(base.folder, 'bench');
  const hosts = net.createServer();
  await once(hosts.listen(socketFile), 'listening');
  const env = { ...base.env, [SOCKET_VARIABLE]: socketFile };
  const server = await startServer(tools, { ...base, env }, { driver: true });
  const { browser, close } = await launchBrowser(base);
  const open = async (payload: readonly (readonly [string, string])[]): Promise<Workbench> => {
    // The page has a context of its own, so that it remembers nothing of earlier windows.
    const page: Page = await browser.newPage({ viewport: VIEWPORT, permissions: CLIPBOARD });
    // The automated workbench calls these two functions by these names.
    await page.exposeFunction('codeAutomationExit', () => undefined);
    await page.exposeFunction('codeAutomationLog', () => undefined);
    const workbench = new Workbench(page, path.join(root, 'test/e2e/screenshots'));
    const development = ['extensionDevelopmentPath', `vscode-remote://${server.authority}${root}`] as const;
    await workbench.open(
      workbenchUrl(server, base.workspace, [development, ['skipWelcome', 'true'], ...payload]),
    );
    return workbench;
  };
  return {
    openPage: () => open([]),
    openDriven: async () => {
      const connected = once(hosts, 'connection', { signal: AbortSignal.timeout(HOST_LIMIT_MS) });
      connected.catch(() => undefined);
      const program = `vscode-remote://${server.authority}${hostProgram}`;
      const workbench = await open([['extensionTestsPath', program]]);
      const [socket] = (await connected) as [net.Socket];
      return { workbench, ask: asker(socket) };
    },
    close: async () => {
      await close();
      hosts.close();
      await server.stop();
      await base.remove();
    },
  };
}

function asker(socket: net.Socket): DrivenWindow['ask'] {
  const lines = createInterface(socket);
  return async (message) => {
    const answered = once(lines, 'line', { signal: AbortSignal.timeout(HOST_LIMIT_MS) });
    socket.write(`${JSON.stringify(message)}\n`);
    const [line] = (await answered) as [string];
    const answer = JSON.parse(line) as FromHost;
    if (answer.kind === 'failed') {
      throw new Error(answer.message);
    }
    return answer.watch;
  };
}
