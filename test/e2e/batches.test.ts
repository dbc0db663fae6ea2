import { ownStdioServer } from '../support/execServer.js';
import { pictureOfFailure, startDrive, type Drive } from './harness.js';
import type { Workbench } from './workbench.js';

/** One command in several environments, and an engine, as a person uses them. */
describe('A person with many machines', () => {
  let drive: Drive;
  let vscode: Workbench;

  before(async () => {
    const argv = ownStdioServer();
    drive = await startDrive({
      machineSettings: {
        'execSessions.environments': [
          { id: 'one', name: 'web-1', kind: 'command', argv },
          { id: 'two', name: 'web-2', kind: 'command', argv },
          { id: 'dead', name: 'web-3', kind: 'websocket', url: 'ws://127.0.0.1:1' },
          { id: 'hosts', name: 'Hosts', kind: 'ssh', members: 'no-such-host-*' },
        ],
      },
    });
    vscode = drive.workbench;
    await vscode.activity('Exec Sessions');
  });

  after(async () => {
    await drive.close();
  });

  afterEach(async function () {
    await pictureOfFailure(drive, this.currentTest);
  });

  const sessions = () => vscode.view('Sessions');

  it('runs one command on several, and sees in one row how they stand', async () => {
    await vscode.palette('Exec Sessions: New Session on Several…');
    for (const name of ['web-1', 'web-2', 'web-3']) {
      await vscode.pick(name);
    }
    await vscode.screenshot('batches-1-picker');
    await vscode.page.keyboard.press('Enter');
    await vscode.answer('[ -e /nowhere ] || exit 3', 'New Session on 3 environments');
    await vscode.rowsHave(sessions(), [
      /^\[ -e .*0 of 3 exit 0, 3 failed/,
      /^web-1\s*exit 3/,
      /^web-2/,
      /^web-3\s*.*127/,
    ]);
    await vscode.screenshot('batches-2-failed');
  });

  it('has a row for an engine, whose members are looked for when it is expanded', async () => {
    const row = vscode.treeRow(/^Hosts/, sessions());
    await row.click();
    await vscode.rowsHave(sessions(), [/^Hosts\s*ssh/, /^no /]);
    await vscode.screenshot('batches-3-engine');
  });
});
