import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import * as vscode from 'vscode';

import { english } from '../../src/core/localizer.js';
import type { Session } from '../../src/sessions/list/session.js';
import { sessionRow } from '../../src/sessions/words/rows.js';
import { foldersOnDisk } from '../../src/vscode/thisMachine.js';
import { UntrustedWorkspaceError } from '../../src/vscode/userError.js';
import { describeOnPosix } from '../support/onLinux.js';
import { until } from '../support/until.js';
import { Fixture, outputOf, setSetting } from './fixture.js';

describeOnPosix('the environment of a folder, in a window', () => {
  const cli = process.env['VSCODE_CLI'];
  let fixture: Fixture;
  let venv: string;

  beforeEach(async () => {
    // No login shell runs then: other tests show it, and a slow one would leave the command without all of this.
    process.env['VSCODE_CLI'] = '1';
    await setSetting('shell.folderEnvironment', true);
    venv = path.join(foldersOnDisk()[0]?.uri.fsPath ?? assert.fail('no workspace'), '.venv');
    fs.mkdirSync(path.join(venv, 'bin'), { recursive: true });
    fs.writeFileSync(path.join(venv, 'pyvenv.cfg'), '');
    fixture = new Fixture();
  });

  afterEach(async () => {
    await fixture.dispose();
    fs.rmSync(venv, { recursive: true });
    await setSetting('shell.folderEnvironment', false);
    if (cli === undefined) delete process.env['VSCODE_CLI'];
    else process.env['VSCODE_CLI'] = cli;
  });

  const COMMAND = 'echo "$VIRTUAL_ENV" "${PATH%%:*}"';
  const row = (session: Session): string => sessionRow(session.snapshot(), Date.now(), english).description;
  const isIn = async (session: Session): Promise<boolean> => {
    await until(() => session.state, 'closed');
    const output = (await outputOf(session)).trim();
    assert.equal(output.includes(venv), output === `${venv} ${venv}/bin`);
    return output !== '' && output.includes(venv);
  };
  const newest = (): Session => fixture.list.sessions.at(-1) ?? assert.fail('no session');

  it('is that of commands of New Session, and its row says so', async () => {
    fixture.user.commandLines.push({ text: COMMAND, mode: 'pipes' });
    await fixture.commands['execSessions.newSession']();
    assert.ok(await isIn(newest()));
    assert.match(row(newest()), / · with \.venv$/);
    assert.ok(await isIn(await fixture.run(COMMAND)), 'with arguments, as a key binding gives them');
  });

  it('is that of commands of agents, which are told', async () => {
    const input = { cmd: COMMAND };
    const { text } = await fixture.services.agentTools.call('exec_command', input, {
      agent: { id: 'a', name: 'Agent' },
    });
    assert.ok(await isIn(newest()));
    assert.match(text, /^Folder: with \.venv$/m);
  });

  it('is not that of shells for people and of tasks, nor of extensions', async () => {
    await fixture.commands['execSessions.newShellSession']();
    assert.equal(newest().record.folderEnvironment, undefined);
    const api = await fixture.services.api.start({ commandLine: COMMAND, tty: false });
    assert.ok(api);
    assert.equal(await isIn(newest()), false);
    const place = { name: 'task', folder: path.dirname(venv) };
    await fixture.services.tasks.run({ type: 'exec-session', commandLine: COMMAND }, place);
    assert.equal(newest().record.folderEnvironment, undefined);
  });

  it('is taken anew when the command runs again', async () => {
    const first = await fixture.run(COMMAND);
    assert.ok(await isIn(first));
    fs.rmSync(path.join(venv, 'pyvenv.cfg'));
    await fixture.commands['execSessions.restart'](first.id);
    assert.equal(newest().previousId, first.id);
    assert.equal(await isIn(newest()), false);
    assert.doesNotMatch(row(newest()), /with/);
    fs.writeFileSync(path.join(venv, 'pyvenv.cfg'), '');
    await fixture.commands['execSessions.restart'](newest().id);
    assert.ok(await isIn(newest()));
  });

  it('is turned off by the user, and no workspace turns it on', async () => {
    await setSetting('shell.folderEnvironment', false);
    assert.equal(await isIn(await fixture.run(COMMAND)), false);
    const settings = vscode.workspace.getConfiguration('execSessions');
    await settings.update('shell.folderEnvironment', true, vscode.ConfigurationTarget.Workspace);
    try {
      assert.equal(await isIn(await fixture.run(COMMAND)), false);
      await setSetting('shell.folderEnvironment', true);
      assert.ok(await isIn(await fixture.run(COMMAND)));
      await settings.update('shell.folderEnvironment', false, vscode.ConfigurationTarget.Workspace);
      assert.equal(await isIn(await fixture.run(COMMAND)), false, 'the workspace turns it off');
    } finally {
      await settings.update('shell.folderEnvironment', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it('is not looked at in a workspace that is not trusted', async () => {
    const first = await fixture.run(COMMAND);
    fixture.trusted = false;
    await assert.rejects(fixture.run(COMMAND), UntrustedWorkspaceError);
    await assert.rejects(fixture.services.starter.runAgain(first), UntrustedWorkspaceError);
  });
});
