import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import path from 'node:path';
import { startOwnServer, type RunningServer } from '../support/execServer.js';
import { pictureOfFailure, startDrive, type Drive } from './harness.js';
import { type Workbench } from './workbench.js';

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
    drive = await startDrive();
    vscode = drive.workbench;
    const folders = ['first', 'second'].map((name) => path.join(drive.base.folder, name));
    folders.forEach((folder) => fs.mkdirSync(folder));
    const file = path.join(drive.base.folder, 'several.code-workspace');
    fs.writeFileSync(file, JSON.stringify({ folders: folders.map((folder) => ({ path: folder })) }));
    const address = new URL(drive.address);
    address.searchParams.delete('folder');
    address.searchParams.set('workspace', file);
    await vscode.open(address.href);
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
    await vscode.answer(address, 'The address of the server');
    await vscode.answer('My box', 'What is it to be called');
  };

  it('chooses the folder that a command runs in', async () => {
    await vscode.palette('Exec Sessions: New Session…');
    await vscode.answer('pwd; exec sleep 1000', 'New Session');
    await vscode.pick('second');
    await vscode.terminalHas(/\/second\b/);
    await rowsHave(/^Running\s*1/, /sleep 1000/);
  });

  it('adds an environment: is told that nobody is there, cancels an attempt, and reaches a server', async () => {
    await vscode.palette('Exec Sessions: Add Environment…');
    await vscode.pick('A server with an address');
    await add('ws://127.0.0.1:1');
    await vscode.answerDialog(/"My box" was not reached: .*nothing is listening there/, 'Change…');
    await add(`ws://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    await vscode.toast(/Trying to reach "My box"/).waitFor();
    await vscode.screenshot('places-1-trying');
    await vscode.answerToast(/Trying to reach "My box"/, 'Cancel');
    await vscode.dialog.filter({ hasText: /the attempt was cancelled/ }).waitFor();
    assert.ok(!written().includes('My box'), 'nothing is written before somebody is reached');
    await vscode.answerDialog(/the attempt was cancelled/, 'Change…');
    await add(`ws://127.0.0.1:${own.port}`);
    await rowsHave(/^My box\s*connected/);
    assert.match(written(), new RegExp(`"ws://127\\.0\\.0\\.1:${own.port}"`));
    await vscode.screenshot('places-2-added');
  });
});
