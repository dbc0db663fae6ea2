import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { endTree, startTimeOf } from '../../../src/local/index.js';
import { endAll } from '../../rig/lifetime.js';
import { root, say } from '../../rig/paths.js';
import { startOwnServer } from '../../support/execServer.js';
import { startDrive, type Drive } from '../drive.js';
import { until } from '../waits.js';
import { elsewhere, manySessions, scripts, serverCode, type CrowdStart } from './crowd.js';

/**
 * Takes pictures of the packaged extension in a real VS Code.
 *
 *   npm run pictures            all of them
 *
 *   npm run pictures -- media   those of README and of the walkthrough, into media
 *
 *   npm run pictures -- list    the list with fifty sessions, into test/e2e/screenshots
 */

/** The colour themes by their names in VS Code, and the class that each gives the window. */
const THEMES = [
  { label: 'Dark Modern', kind: 'vs-dark' },
  { label: 'Light Modern', kind: 'vs' },
  { label: 'Dark High Contrast', kind: 'hc-black' },
] as const;

async function withDrive(work: (studio: Studio) => Promise<void>, otherProcesses = false): Promise<void> {
  const server = await startOwnServer();
  const drive = await startDrive({
    neighbour: true,
    // VS Code would announce the port of the server over its terminal.
    settings: { 'remote.autoForwardPorts': false, 'execSessions.view.otherProcesses': otherProcesses },
    machineSettings: {
      'execSessions.environments': [
        { id: 'build', name: 'Build machine', kind: 'websocket', url: `ws://127.0.0.1:${server.port}` },
      ],
    },
  });
  try {
    await drive.workbench.activity('Exec Sessions');
    await work(new Studio(drive));
  } finally {
    await drive.close();
    await server.stop();
  }
}

/** A window that pictures are taken of. */
class Studio {
  readonly #drive: Drive;

  constructor(drive: Drive) {
    this.#drive = drive;
  }

  get vscode() {
    return this.#drive.workbench;
  }

  get view(): Locator {
    return this.vscode.view('Sessions');
  }

  /** Starts sessions from outside, and waits until the list has the last of them. */
  async start(crowd: readonly CrowdStart[]): Promise<void> {
    this.write('crowd.json', JSON.stringify(crowd));
    await this.vscode.palette('Neighbour: Start a Crowd');
    await this.vscode.toast(/Crowd: \d+ started/).waitFor({ timeout: 120_000 });
    await this.vscode.closeToasts();
  }

  get folder(): string {
    return this.#drive.base.workspace;
  }

  /** Writes a file of the workspace. */
  write(name: string, text: string): void {
    fs.writeFileSync(path.join(this.folder, name), text);
  }

  /** Groups the list in another way, and shows its beginning. */
  async groupBy(grouping: string): Promise<void> {
    const shown = async () => (await this.vscode.treeRows(this.view)).join('\n');
    const before = await shown();
    await this.vscode.palette('Exec Sessions: Group By…');
    await this.vscode.pick(new RegExp(`^${grouping}`));
    await until('the list is grouped in another way', async () => (await shown()) !== before);
    await this.view.locator('.monaco-list').first().focus();
    await this.vscode.page.keyboard.press('Home');
  }

  async theme({ label, kind }: (typeof THEMES)[number]): Promise<void> {
    await this.vscode.palette('Preferences: Color Theme');
    // The page has only the rows that can be seen.
    await this.vscode.fillInput(label);
    await this.vscode.pick(label);
    await this.vscode.page.locator(`.monaco-workbench.${kind}`).waitFor();
  }

  /** Takes a part of the window into a file of the package. */
  async keep(name: string, clip: { x: number; y: number; width: number; height: number }): Promise<void> {
    const sizes = this.vscode.page.locator('.terminal-resize-overlay.visible');
    await until('no terminal shows its size', async () => (await sizes.count()) === 0);
    const file = path.join(root, 'media', `${name}.png`);
    await this.vscode.page.screenshot({ path: file, clip });
    say(`${file}: ${fs.statSync(file).size} bytes`);
  }
}

async function list(studio: Studio): Promise<void> {
  const { vscode, view } = studio;
  await studio.start(manySessions());
  // The groups of this machine: running sessions, failed ones, and successful ones.
  await vscode.rowsHave(view, [/^Running ?18/, /^Closed ?10/, /^Succeeded ?12/]);
  await studio.vscode.sideBarIs(420);
  const take = async (name: string) => say(await vscode.screenshot(`pictures-${name}`));
  for (const theme of THEMES) {
    await studio.theme(theme);
    await vscode.page.mouse.move(800, 300);
    await take(`fifty-${theme.label}`);
  }
  await studio.vscode.sideBarIs(200);
  await take('narrow');
  await studio.vscode.sideBarIs(420);
  for (const grouping of ['Owner', 'Environment', 'Folder']) {
    await studio.groupBy(grouping);
    await take(`grouped-${grouping}`);
  }
  await studio.groupBy('State');
  await vscode.palette('Exec Sessions: Filter…');
  await (await vscode.fillInput('cargo', 'Filter')).press('Enter');
  await view.locator('.monaco-list-row', { hasText: 'tail -f' }).first().waitFor({ state: 'hidden' });
  await take('filtered');
}

/** The steps of the walkthrough, and the picture of README at their end. */
async function media(studio: Studio): Promise<void> {
  const { vscode, view } = studio;
  const { page } = vscode;
  studio.write('package.json', JSON.stringify({ name: 'shop', scripts }));
  studio.write('server.mjs', serverCode);
  await studio.vscode.sideBarIs(300);
  for (const [command, said] of [
    ['npm run build', /built in/],
    ['npm test', /tests failed/],
    ['npm run dev', /localhost:5173/],
  ] as const) {
    await vscode.palette('Exec Sessions: New Session…');
    await vscode.answer(command, 'New Session');
    await vscode.terminalHas(said);
  }
  const sideBar = await boxOf(page.locator('.part.sidebar'));
  const dev = vscode.treeRow('npm run dev', view);
  await page.mouse.move(900, 200);
  // A small window has all of it in one picture.
  const usual = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.setViewportSize({ width: 940, height: 440 });
  await vscode.terminalHas(/localhost:5173/);
  await studio.keep('walkthrough/return', { x: 0, y: 0, width: 940, height: 440 });
  await page.setViewportSize(usual);
  // The rows move while the window takes its size.
  await until('the row shows its buttons', async () => {
    await page.mouse.move(900, 200);
    await dev.hover();
    return dev.locator('.action-label[aria-label^="Stop"]').isVisible();
  });
  await studio.keep('walkthrough/stop', { x: sideBar.x, y: sideBar.y, width: sideBar.width, height: 200 });
  await vscode.palette('Exec Sessions: New Session…');
  await vscode.fillInput('npm run', 'New Session');
  await vscode.quickRow('npm run dev').waitFor();
  const box = await boxOf(page.locator('.quick-input-widget'));
  await studio.keep('walkthrough/start', box);
  await vscode.closeQuickInput();
  await studio.start(elsewhere);
  await vscode.treeRow('make release', view).waitFor();
  await page.mouse.move(900, 200);
  await studio.keep('walkthrough/elsewhere', {
    x: sideBar.x,
    y: sideBar.y,
    width: sideBar.width,
    height: 300,
  });
  await page.setViewportSize({ width: 1200, height: 640 });
  await studio.vscode.sideBarIs(340);
  await page.keyboard.press('ControlOrMeta+P');
  await vscode.fillInput('server.mjs');
  await vscode.pick('server.mjs');
  await dev.click();
  await page.keyboard.press('ArrowRight');
  await vscode.treeRow('5173', view).waitFor();
  await vscode.terminalHas(/localhost:5173/);
  await vscode.statusItem(/Analyzing/).waitFor({ state: 'hidden' });
  await page.mouse.move(900, 200);
  await studio.keep('screenshot', { x: 0, y: 0, width: 1200, height: 640 });
}

/** The processes that an agent has started by itself. A shell under its name stands for it. */
async function others(studio: Studio): Promise<void> {
  const { vscode, view } = studio;
  studio.write('server.mjs', serverCode);
  const commands = ['node server.mjs', 'tail -f /dev/null'].map((line) => `setsid bash -c '${line}; true' &`);
  const helper = "bash -c 'exec -a mcp-server-github sleep 900' &";
  const agent = spawn('bash', ['-c', [...commands, helper, 'wait'].join(' ')], {
    ...{ argv0: 'claude', cwd: studio.folder, stdio: 'ignore', detached: true },
    env: { PATH: process.env['PATH'] },
  });
  try {
    await vscode.sideBarIs(460);
    await vscode.treeRow('node server.mjs', view).waitFor();
    await vscode.treeRow('1 helper', view).waitFor();
    await vscode.page.mouse.move(900, 200);
    await studio.keep('other-processes', {
      ...(await boxOf(vscode.page.locator('.part.sidebar'))),
      height: 150,
    });
  } finally {
    if (agent.pid !== undefined) await endTree({ pid: agent.pid, startTime: startTimeOf(agent.pid) ?? '' });
  }
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (box === null) {
    throw new Error('It is not to be seen.');
  }
  return box;
}

async function main(): Promise<void> {
  try {
    const [wanted] = process.argv.slice(2);
    if (wanted !== 'list') await withDrive(media);
    if (wanted !== 'list') await withDrive(others, true);
    if (wanted !== 'media') await withDrive(list);
  } finally {
    await endAll();
  }
}

main().catch((error: unknown) => {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
});
