import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { endServersIn } from '../support/sessionServers.js';
import { desktopVariables, makeBase, quietSettings, type Base } from './base.js';
import { build, packageExtension } from './commands.js';
import { endAll, expectSignal, isEndedBySignal, onEnd, startOwned } from './lifetime.js';
import { messageOf, root, say } from './paths.js';
import { runCli, startServer, workbenchUrl } from './server.js';
import { findOnPath } from './programs.js';
import { ensureTools } from './tools.js';

/** The second half of `npm start`. */

const demoSettings = { ...quietSettings, 'workbench.startupEditor': 'readme' };

/** Tells the extension to start one demo session. */
const demoEnvironment = { EXEC_SESSIONS_DEMO: '1' };

const FIRST_STEP = 'Open the Exec Sessions view in the activity bar there: a first session starts by itself.';

export async function open(args: readonly string[]): Promise<number> {
  const port = args.find((arg) => arg.startsWith('--port='))?.slice('--port='.length);
  const code = args.includes('--browser') || port !== undefined ? undefined : desktopCode();
  let exitCode = 0;
  // This end was registered first, so it runs last.
  onEnd(() => say('Ended; nothing is left.'));
  try {
    const base = makeBase({
      workspace: path.join(root, 'test/rig/demo'),
      settings: demoSettings,
      env: demoEnvironment,
    });
    await (code === undefined ? openInBrowser(base, Number(port ?? 0)) : openOnDesktop(code, base));
  } catch (error) {
    say(messageOf(error));
    exitCode = 1;
  }
  await endAll();
  return exitCode;
}

/** The `code` command, if it can open a window on this machine: in a remote terminal it belongs to another one. */
function desktopCode(): string | undefined {
  if (process.env['VSCODE_IPC_HOOK_CLI'] || process.env['WSL_DISTRO_NAME']) return undefined;
  const hasDisplay =
    process.platform === 'win32' ||
    process.platform === 'darwin' ||
    [process.env['DISPLAY'], process.env['WAYLAND_DISPLAY']].some(Boolean);
  return hasDisplay ? findOnPath(process.platform === 'win32' ? ['code.cmd'] : ['code']) : undefined;
}

async function openOnDesktop(code: string, base: Base): Promise<void> {
  await build('--dev');
  const windows = process.platform === 'win32';
  const args = [
    base.workspace,
    '--new-window',
    '--wait',
    `--extensionDevelopmentPath=${root}`,
    `--user-data-dir=${base.userData}`,
    `--extensions-dir=${base.extensions}`,
    '--disable-workspace-trust',
    '--skip-welcome',
    // VS Code does not start as root with its sandbox.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
  const quote = (text: string): string => (windows ? `"${text}"` : text);
  const owned = await startOwned(
    quote(code),
    args.map(quote),
    {
      cwd: base.workspace,
      env: { ...process.env, ...demoEnvironment, ...desktopVariables(base) },
      stdio: 'inherit',
      shell: windows,
    },
    { marker: base.marker, ended: () => endServersIn(base.folder) },
  );
  // The command starts VS Code in the background and only waits for its window, so VS Code itself has to be ended.
  onEnd(() => endDesktop(base));
  expectSignal();
  say(`\nVS Code is open on a demo workspace, ${base.workspace}`);
  say(FIRST_STEP);
  say('Close its window or press Ctrl-C to end it.\n');
  await owned.exited;
}

/** VS Code writes the id of its main process into a lock file in its user data folder. */
function endDesktop(base: Base): void {
  let pid: number;
  try {
    pid = Number(fs.readFileSync(path.join(base.userData, 'code.lock'), 'utf8'));
  } catch {
    return;
  }
  if (!Number.isInteger(pid) || pid <= 1) return;
  try {
    if (process.platform === 'win32') execFileSync('taskkill', ['/pid', String(pid), '/t', '/f']);
    else process.kill(pid, 'SIGTERM');
  } catch {
    // VS Code has ended and left its lock file.
  }
}

async function openInBrowser(base: Base, port: number): Promise<void> {
  const tools = await ensureTools();
  say('Building and packaging the extension');
  const began = Date.now();
  const vsix = await packageExtension();
  await runCli(tools, base, ['--install-extension', vsix, '--force']);
  say(`Built (${Math.round((Date.now() - began) / 1_000)} s)`);
  const server = await startServer(tools, base, { port });
  expectSignal();
  say('\nVS Code with Exec Sessions, on a demo workspace:\n');
  say(`    ${workbenchUrl(server, base.workspace)}\n`);
  say(FIRST_STEP);
  say('Only this machine can reach it, but every user of this machine. Press Ctrl-C to end it.\n');
  const how = await server.exited;
  if (!isEndedBySignal()) throw new Error(`code-server ${how}.`);
}
