import assert from 'node:assert/strict';
import { extensionId, manifest } from '../rig/paths.js';
import { runCli } from '../rig/server.js';
import { ensureTools } from '../rig/tools.js';
import { pictureOfFailure, startDrive, type Drive } from './harness.js';

describe('the packaged extension in VS Code', () => {
  let drive: Drive;

  before(async () => {
    drive = await startDrive();
  });

  afterEach(async function () {
    await pictureOfFailure(drive, this.currentTest);
  });

  it('is installed', async () => {
    const listed = await runCli(await ensureTools(), drive.base, ['--list-extensions', '--show-versions']);
    assert.ok(listed.split('\n').includes(`${extensionId}@${manifest.version}`), listed);
  });

  it('draws the workbench without a dialog or a notification', async () => {
    await drive.workbench.page.locator('.part.sidebar .pane').first().waitFor();
    assert.equal(await drive.workbench.dialog.count(), 0);
    assert.equal(await drive.workbench.page.locator('.notification-toast').count(), 0);
    await drive.workbench.screenshot('smoke-workbench');
  });

  it('starts a session with the button of its view, and stops it with that of its row', async () => {
    const { workbench } = drive;
    await workbench.activity('Exec Sessions');
    const view = workbench.view('Sessions');
    await view.getByRole('button', { name: 'New Session…' }).click();
    await workbench.answer('echo "own $((6 * 7))"; exec sleep 1000', 'New Session');
    await workbench.terminalHas(/own 42/);
    await workbench.rowsHave(view, [/^Running\s*1$/]);
    await workbench.stopFromRow(workbench.treeRow(/sleep 1000/, view));
    await workbench.rowsHave(view, [/^Closed\s*1$/, /sleep 1000.*SIGINT/]);
    await workbench.terminalHas(/SIGINT.*press R to run again, Enter to close/);
    await workbench.screenshot('smoke-session');
  });

  it('gives VS Code its own terminal beside it', async () => {
    await drive.workbench.palette('Terminal: Create New Terminal');
    await drive.workbench.terminalHas(/rig\$/);
    await drive.workbench.typeInTerminal('echo own-$((6*7)); pwd');
    await drive.workbench.terminalHas(/own-42\n\S+\/ws/);
    await drive.workbench.screenshot('smoke-terminal');
  });

  it('leaves no process when it ends', async () => {
    assert.deepEqual(await drive.close(), []);
  });
});
