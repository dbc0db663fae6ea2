import assert from 'node:assert/strict';

import { hasLoaded, pictureOfFailure, startDrive, type Drive } from './harness.js';
import type { Workbench } from './workbench.js';

/** A window loads no more of the extension than it uses. Each test has a new extension host. */
describe('the installed extension loads', () => {
  let drive: Drive;
  let vscode: Workbench;

  before(async () => {
    // With a session server, a window that is loaded again has sessions to show, and loads the rest for that. The test
    // twoWindows.test.ts looks at the code that an unused window loads there.
    drive = await startDrive({
      neighbour: true,
      settings: { 'execSessions.local.backend': 'extensionHost' },
    });
    vscode = drive.workbench;
  });

  after(() => drive.close());

  beforeEach(() => vscode.reload());

  afterEach(async function () {
    await pictureOfFailure(drive, this.currentTest);
  });

  const loaded = (...files: readonly string[]) => hasLoaded(vscode, ...files);
  const emptyView = () => vscode.view('Sessions').getByRole('button', { name: 'New Session…' });

  it('only its entry in a window where nobody uses it', async () => {
    await loaded();
  });

  it('the rest with the first command, which works', async () => {
    await loaded();
    await vscode.palette('Exec Sessions: New Session…');
    await vscode.answer('echo "first $((40 + 2))"; exec sleep 1000', 'New Session');
    await vscode.terminalHas(/first 42/);
    await loaded('main.js', 'node-pty.js');
  });

  it('the rest with the first call of its API by another extension', async () => {
    await loaded();
    await vscode.palette('Neighbour: Start by the API');
    await vscode.toast(/API: (starting|running)/).waitFor();
    await loaded('main.js', 'node-pty.js');
  });

  it("the rest with the first call of an agent's tool", async () => {
    await loaded();
    await vscode.palette('Neighbour: Start by the Tool');
    // The question has no Markdown here.
    const question = await vscode.dialog.filter({ hasText: 'Run this command?' }).innerText();
    assert.match(question, /^Directory: .+\nEnvironment: This machine\n+sleep 1000$/m);
    await vscode.answerDialog('Run this command?', 'Yes');
    await vscode.toast(/Tool: Session \d+:/).waitFor();
    await loaded('main.js', 'agent.js');
  });

  it('the rest when somebody makes a mistake in its settings, who is told', async () => {
    await loaded();
    await vscode.palette('Neighbour: Make a Mistake in the Settings');
    await vscode.toast(/execSessions\.output\.retainedMegabytes/).waitFor();
    await loaded('main.js');
  });

  it('the rest with the first look at its view', async () => {
    await loaded();
    await vscode.activity('Exec Sessions');
    await emptyView().waitFor();
    await loaded('main.js');
  });

  it('the rest by itself in a window whose view was left open, which shows new sessions', async () => {
    await emptyView().waitFor();
    await loaded('main.js');
    await vscode.palette('Neighbour: Start by the API');
    await vscode.treeRow('by the API', vscode.view('Sessions')).waitFor();
  });
});
