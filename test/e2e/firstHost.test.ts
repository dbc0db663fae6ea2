import path from 'node:path';

import { runOwned } from '../rig/lifetime.js';
import { startSshd, type Sshd } from '../rig/sshd.js';
import { pictureOfFailure, startDrive, type Drive } from './harness.js';
import type { Workbench } from './workbench.js';

/** A machine that nothing of ours has been on, from the box to the first session: a real sshd and a real ssh. */
describe('A person who types the way to a new machine', () => {
  let sshd: Sshd;
  let drive: Drive;
  let vscode: Workbench;

  before(async () => {
    sshd = await startSshd();
    const key = path.join(sshd.marker, 'user_key');
    await runOwned('ssh-keygen', ['-q', '-p', '-P', '', '-N', 'open sesame', '-f', key], {});
    drive = await startDrive();
    vscode = drive.workbench;
    await vscode.activity('Exec Sessions');
  });

  after(async () => {
    await drive.close();
    await sshd.stop();
  });

  afterEach(async function () {
    await pictureOfFailure(drive, this.currentTest);
  });

  it('confirms its key, gives a passphrase, and starts a session there', async () => {
    const [ssh = '', ...config] = sshd.argv();
    const options = ['-oBatchMode=no', '-oStrictHostKeyChecking=ask', '-oIdentityAgent=none'];
    const way = [ssh, '-T', ...options, ...config].join(' ');
    await vscode.palette('Exec Sessions: Add Environment…');
    await vscode.fillInput(way, 'Add Environment');
    await vscode.screenshot('first-host-1-box');
    await vscode.pick(way);
    const question = vscode.dialog.filter({ hasText: /Is this the key of .*SHA256:/s });
    await question.waitFor();
    await vscode.screenshot('first-host-2-key');
    await vscode.answerDialog(/Is this the key of/, 'Trust This Host');
    await vscode.fillInput('open sesame', 'Sign in to');
    await vscode.screenshot('first-host-3-passphrase');
    await vscode.answer('open sesame', 'Sign in to');
    const sessions = vscode.view('Sessions');
    await vscode.rowsHave(sessions, [/^ssh -T.*\s*connected/]);
    await vscode.rowAction(vscode.treeRow(/^ssh -T/, sessions), 'New Session in Environment');
    await vscode.answer('echo "there in $HOME"', 'New Session');
    await vscode.terminalHas(new RegExp(`there in ${sshd.home}`));
    await vscode.screenshot('first-host-4-session');
  });
});
