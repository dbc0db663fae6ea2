import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import path from 'node:path';
import { startOwnServer, type RunningServer } from '../support/execServer.js';
import { pictureOfFailure, startDrive, type Drive } from './harness.js';
import { appears, holds, until } from './waits.js';
import type { Workbench } from './workbench.js';

/** Where sessions run: a person chooses a folder of several, and adds another machine. */
describe('A person with several places to run something in', () => {
  let drive: Drive;
  let vscode: Workbench;
  let own: RunningServer;
  /** Takes connections, and says nothing. */
  let silent: Server;

  before(async () => {
    own = await startOwnServer({ args: ['--no-auth'] });
    silent = createServer((socket) => socket.on('error', () => undefined).resume());
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const wrong = {
      id: 'wrong',
      name: 'Wrong box',
      kind: 'websocket',
      url: `ws://127.0.0.1:${own.port}`,
      cwd: '/nope/dir',
    };
    drive = await startDrive({ machineSettings: { 'execSessions.environments': [wrong] } });
    vscode = drive.workbench;
    const folders = ['first', 'second'].map((name) => path.join(drive.base.folder, name));
    folders.forEach((folder) => fs.mkdirSync(folder));
    const [first = '', second = ''] = folders;
    const scripts = { hello: 'echo "script in $PWD"' };
    fs.writeFileSync(path.join(first, 'package.json'), JSON.stringify({ scripts }));
    const tasks = [{ label: 'greet', type: 'shell', command: 'echo "task in $PWD"' }];
    fs.mkdirSync(path.join(second, '.vscode'));
    fs.writeFileSync(path.join(second, '.vscode/tasks.json'), JSON.stringify({ version: '2.0.0', tasks }));
    const file = path.join(drive.base.folder, 'several.code-workspace');
    fs.writeFileSync(file, JSON.stringify({ folders: folders.map((folder) => ({ path: folder })) }));
    const address = new URL(drive.address);
    address.searchParams.delete('folder');
    address.searchParams.set('workspace', file);
    await vscode.open(address.href);
    // VS Code opens a workspace file that is new to it without its folders now and then, and with them after a reload.
    await until('the folders are there', async () => {
      await vscode.activity('Explorer');
      if (await appears(vscode.treeRow(/^second$/), 10_000)) return true;
      await vscode.reload();
      return false;
    });
    await vscode.activity('Exec Sessions');
  });

  after(async () => {
    await drive.close();
    await own.stop();
    silent.close();
  });

  afterEach(async function () {
    await pictureOfFailure(drive, this.currentTest);
  });

  const rowsHave = (...wanted: readonly RegExp[]) => vscode.rowsHave(vscode.view('Sessions'), wanted);
  const written = () =>
    ['User', 'Machine']
      .map((scope) => path.join(drive.base.userData, scope, 'settings.json'))
      .filter((file) => fs.existsSync(file))
      .map((file) => fs.readFileSync(file, 'utf8'))
      .join('\n');
  const add = async (address: string) => {
    await vscode.fillInput(address, 'Add Environment');
    await vscode.pick(address);
  };

  it('chooses the folder that a command runs in', async () => {
    await vscode.palette('Exec Sessions: New Session…');
    await vscode.answer('pwd; exec sleep 1000', 'New Session');
    await vscode.pick('second');
    await vscode.terminalHas(/\/second\b/);
    await rowsHave(/^Running\s*1/, /sleep 1000.*· second$/);
    await vscode.screenshot('places-1-folders');
  });

  const ask = () => vscode.palette('Exec Sessions: New Session…');
  const question = (title: string | RegExp) =>
    vscode.page.locator('.quick-input-widget:visible', { hasText: title }).locator('input').first();
  /** Asks, and waits until the offers of the workspace are there: from then on no row moves. */
  const askWithRows = async () => {
    await ask();
    await vscode.quickRow('npm run hello').waitFor();
    await vscode.quickRow('echo "task in $PWD"').waitFor();
  };

  it('gives a command a directory and variables with the buttons of the question', async () => {
    await ask();
    await vscode.fillInput('echo "$OWN in $PWD"', 'New Session');
    await vscode.quickButton('Directory…');
    await vscode.answer(path.join(drive.base.folder, 'second'), 'The directory may be relative');
    await question(/New Session \(\S+second\)/).waitFor();
    await vscode.quickButton('Variables…');
    await vscode.answer('OWN="two words"', 'They override');
    const input = question(/New Session \(\S+second, OWN\)/);
    assert.equal(await input.inputValue(), 'echo "$OWN in $PWD"');
    await vscode.screenshot('places-3-buttons');
    await input.press('Enter');
    await vscode.terminalHas(/two words in \S+\/second/);
  });

  it('runs what package.json and tasks name, each in its folder', async () => {
    await askWithRows();
    const offered = await vscode.quickRows();
    assert.ok(
      offered.some((row) => /npm run hello.*first\/package\.json/.test(row)),
      offered.join(),
    );
    assert.ok(
      offered.some((row) => /echo "task in \$PWD".*task "greet" of second/.test(row)),
      offered.join(),
    );
    await vscode.screenshot('places-4-rows');
    await vscode.pick('npm run hello');
    await vscode.terminalHas(/script in \S+\/first/);
    await askWithRows();
    await vscode.pick('echo "task in $PWD"');
    await vscode.terminalHas(/task in \S+\/second/);
  });

  it('edits what was run before, runs it with pipes, and removes it', async () => {
    await askWithRows();
    await vscode.rowAction(vscode.quickRow('echo "$OWN in $PWD"'), 'Edit');
    const input = question('New Session');
    await until('it is there to be edited', async () => (await input.inputValue()) === 'echo "$OWN in $PWD"');
    await input.fill('[ -t 1 ] || echo "no terminal"');
    // The button of the title switches, and the typed text stays.
    await vscode.quickButton('Run with Pipes');
    await question(/New Session \(with pipes, without input\)/).waitFor();
    await vscode.quickButton('Open Standard Input');
    await question(/New Session \(with pipes, standard input open\)/).waitFor();
    await vscode.quickButton('Run in a Terminal');
    await question(/New Session \(with/).waitFor({ state: 'hidden' });
    await vscode.quickButton('Run with Pipes');
    await question(/with pipes, without input/).press('Enter');
    await vscode.pick('second');
    await vscode.terminalHas(/no terminal/);
    const edited = vscode.quickRow('[ -t 1 ] || echo "no terminal"');
    await askWithRows();
    await edited.hover();
    await vscode.screenshot('places-5-history');
    await vscode.rowAction(edited, 'Remove from History');
    await edited.waitFor({ state: 'hidden' });
    await vscode.closeQuickInput();
    await askWithRows();
    await vscode.quickRow('echo "$OWN in $PWD"').waitFor();
    assert.equal(await edited.count(), 0);
    await vscode.closeQuickInput();
  });

  it('saves an earlier command, which stays above all others until it is no longer saved', async () => {
    const heading = vscode.page.locator('.quick-input-list').getByText('saved in this workspace');
    await askWithRows();
    assert.equal(await heading.count(), 0);
    await vscode.rowAction(vscode.quickRow('echo "$OWN in $PWD"'), 'Save');
    await heading.waitFor();
    await vscode.closeQuickInput();
    await ask();
    await vscode.answer('echo some other', 'New Session');
    await vscode.pick('second');
    await vscode.terminalHas(/some other/);
    await askWithRows();
    await heading.waitFor();
    const texts = (await vscode.quickRows()).filter((text) => text.includes('echo'));
    assert.ok(texts[0]?.includes('echo "$OWN in $PWD"'), texts.join('\n'));
    assert.ok(texts[1]?.includes('echo some other'), texts.join('\n'));
    await vscode.screenshot('places-6-saved');
    await vscode.rowAction(vscode.quickRow('echo "$OWN in $PWD"'), 'Remove from Saved');
    await heading.waitFor({ state: 'detached' });
    await vscode.quickRow('echo "$OWN in $PWD"').waitFor();
    await vscode.closeQuickInput();
  });

  it('switches to pipes by keyboard, for one run', async () => {
    await askWithRows();
    await vscode.fillInput('[ -t 1 ] || echo "by keyboard"', 'New Session');
    await vscode.quickRow('[ -t 1 ] || echo "by keyboard"').waitFor();
    const button = vscode.page.locator(
      '.quick-input-list .monaco-list-row .action-label[aria-label="Run with Pipes"]',
    );
    await until('Tab reaches the button', async () => {
      await vscode.page.keyboard.press('Tab');
      return holds(vscode.page.locator(':focus').and(button).waitFor({ timeout: 500 }));
    });
    await vscode.page.keyboard.press('Enter');
    await question(/with pipes, without input/).waitFor();
    await vscode.page.keyboard.press('Enter');
    await vscode.pick('second');
    await vscode.terminalHas(/by keyboard/);
    await askWithRows();
    await question(/New Session \(with/).waitFor({ state: 'hidden' });
    await vscode.closeQuickInput();
  });

  it('begins in the folder whose menu or whose file has New Session Here', async () => {
    await vscode.activity('Explorer');
    await vscode.rowMenu(vscode.treeRow(/^second$/), 'New Session Here…');
    await vscode.answer('echo "chosen in $PWD"', /New Session \(\S+second\)/);
    await vscode.terminalHas(/chosen in \S+\/second/);
    await vscode.page.keyboard.press('Control+p');
    await vscode.fillInput('package.json');
    await vscode.pick('package.json');
    const tab = vscode.page.locator('.tabs-container .tab', { hasText: 'package.json' });
    await tab.click({ button: 'right' });
    await vscode.screenshot('places-6-tab-menu');
    await vscode.chooseFromMenu('New Session Here…');
    await vscode.answer('echo "file in $PWD"', /New Session \(\S+first\)/);
    await vscode.terminalHas(/file in \S+\/first/);
    await vscode.activity('Exec Sessions');
  });

  it('adds an environment: is told that nobody is there, cancels an attempt, and reaches a server', async () => {
    await vscode.palette('Exec Sessions: Add Environment…');
    await add('ws://127.0.0.1:1');
    await vscode.answerDialog(/"ws:.*" was not reached: .*nothing is listening there/, 'Change…');
    await add(`ws://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    await vscode.toast(/Trying to reach "ws:/).waitFor();
    await vscode.screenshot('places-1-trying');
    await vscode.answerToast(/Trying to reach "ws:/, 'Cancel');
    await vscode.dialog.filter({ hasText: /the attempt was cancelled/ }).waitFor();
    assert.ok(!written().includes('"ws-127-0-0-1'), 'nothing is written before somebody is reached');
    await vscode.answerDialog(/the attempt was cancelled/, 'Change…');
    await add(`ws://127.0.0.1:${own.port}`);
    await rowsHave(/^ws:.*\s*connected/);
    assert.match(written(), new RegExp(`"ws-127-0-0-1-[^}]*"ws://127\\.0\\.0\\.1:${own.port}"`));
    await vscode.screenshot('places-2-added');
  });

  it('finds the setting that names a directory which does not exist', async () => {
    await vscode.rowAction(
      vscode.treeRow(/^Wrong box/, vscode.view('Sessions')),
      'New Session in Environment',
    );
    await vscode.answer('pwd', 'New Session on Wrong box');
    await vscode.toast(/\/nope\/dir does not exist.*execSessions\.environments.*"Wrong box"/).waitFor();
    await vscode.screenshot('places-7-wrong-directory');
    await vscode.answerToast(/\/nope\/dir does not exist/, 'Open Settings');
    await vscode.page
      .locator('.settings-editor .setting-item-contents', { hasText: 'Environments' })
      .waitFor();
    await vscode.screenshot('places-8-setting');
  });
});
