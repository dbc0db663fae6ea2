import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import * as vscode from 'vscode';

import { shellForPeople } from '../../src/vscode/terminals/shellIntegration.js';
import { shellProfile } from '../../src/vscode/shellStart.js';
import { until } from '../support/processes.js';
import { Fixture, untilOutput } from './fixture.js';

describe('what VS Code offers in terminals', () => {
  let fixture: Fixture;

  beforeEach(() => {
    fixture = new Fixture();
  });

  afterEach(() => fixture.dispose());

  it('makes a session of a terminal from the profile', async () => {
    const profile = await shellProfile(fixture.services);
    assert.ok(profile);
    const terminal = vscode.window.createTerminal(profile.options as vscode.ExtensionTerminalOptions);
    const { terminals } = fixture.services;
    await until(() => terminals.sessionOf(terminal) !== undefined);
    const session = terminals.sessionOf(terminal);
    assert.ok(session);
    // VS Code itself shows it only if it has been quick to open it.
    await until(() => vscode.window.activeTerminal === terminal);
    terminal.sendText('echo from""-profile');
    await untilOutput(session, 'from-profile');
  });

  it('gives a session the name that a person gives its tab', async () => {
    const session = await fixture.start('sleep 1000', { tty: true });
    const terminal = fixture.services.terminals.open(session);
    await until(() => vscode.window.activeTerminal === terminal);
    // Some time after it has opened a terminal, and without an event, VS Code gives it the name from its creation once
    // more. A person would give the name again then.
    await until(async () => {
      await vscode.commands.executeCommand('workbench.action.terminal.renameWithArg', {
        name: 'My own name',
      });
      return session.title === 'My own name';
    });
    await session.stop();
    await until(() => terminal.name.includes('My own name') && terminal.name.startsWith('■'));
    assert.equal(session.title, 'My own name', 'our mark is not part of it');
  });

  it('splits a session with another one in the same directory', async () => {
    const session = await fixture.start('cd /; sleep 1000', { tty: true });
    const terminal = fixture.services.terminals.open(session);
    await until(() => vscode.window.activeTerminal === terminal);
    const id = await fixture.commands['execSessions.splitTerminal']();
    const next = fixture.list.get(id ?? '');
    assert.ok(next);
    assert.equal(next.request.cwd, session.request.cwd);
    assert.ok(!next.label.includes('/'), next.label);
    await until(() => fixture.services.terminals.sessionOf(vscode.window.activeTerminal) === next);
  });

  it('tells a person who closes a terminal that the session goes on, until they know', async () => {
    const close = async () => {
      const session = await fixture.start('sleep 1000', { tty: true });
      const terminal = fixture.services.terminals.open(session);
      await until(() => vscode.window.activeTerminal === terminal);
      await vscode.commands.executeCommand('workbench.action.terminal.kill');
      await until(() => terminal.exitStatus !== undefined);
      return session;
    };
    fixture.user.buttons.push('Stop It');
    const stopped = await close();
    const said = await fixture.user.hears(/^"sleep 1000" goes on/);
    assert.deepEqual(said.actions, ['Stop It', "Don't Show Again"]);
    await until(() => stopped.state === 'closed');
    fixture.user.buttons.push("Don't Show Again");
    await close();
    await until(() => fixture.user.said.filter(({ message }) => message.includes('goes on')).length === 2);
    await close();
    // The message would come before the end of a later session is told.
    assert.equal(fixture.user.said.filter(({ message }) => message.includes('goes on')).length, 2);
  });

  it('begins a session with the size of the last terminal', async () => {
    await fixture.memento.update('execSessions.terminalSize', { columns: 123, rows: 45 });
    const session = await fixture.start('stty size; sleep 1000', { tty: true });
    await untilOutput(session, '45 123');
  });

  it('gives bash its integration, where that is not turned off', async () => {
    const setting = vscode.workspace.getConfiguration('terminal.integrated');
    const key = 'shellIntegration.enabled';
    const before = setting.inspect<boolean>(key)?.globalValue;
    try {
      await setting.update(key, true, vscode.ConfigurationTarget.Global);
      const place = { storage: fixture.storage, env: {} };
      const shell = shellForPeople('/bin/bash', place);
      assert.equal(shell.name, 'bash');
      assert.equal(shell.argv[1], '--init-file');
      assert.ok(shell.argv[2]?.startsWith(fixture.storage), 'an update of VS Code leaves it alone');
      assert.ok(shell.env['VSCODE_NONCE']);
      const id = await fixture.commands['execSessions.newSession']({
        ...shell,
        argv: [...shell.argv],
        tty: true,
      });
      const session = fixture.list.get(id ?? '');
      assert.ok(session);
      const nonce = shell.env['VSCODE_NONCE'];
      await fixture.commands['execSessions.sendText'](id, undefined, 'true');
      await untilOutput(session, `\u001b]633;E;true;${nonce}`);
      await setting.update(key, false, vscode.ConfigurationTarget.Global);
      assert.deepEqual(shellForPeople('/bin/bash', place).env, {});
    } finally {
      await setting.update(key, before, vscode.ConfigurationTarget.Global);
    }
  });

  it('gives zsh its integration, which reads the start-up files of the user all the same', async () => {
    const setting = vscode.workspace.getConfiguration('terminal.integrated');
    const key = 'shellIntegration.enabled';
    const before = setting.inspect<boolean>(key)?.globalValue;
    const own = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-zdotdir-')));
    fs.writeFileSync(path.join(own, '.zshenv'), 'FROM_ENV=first\n');
    fs.writeFileSync(path.join(own, '.zshrc'), 'FROM_RC=second; PS1="ready> "\n');
    try {
      await setting.update(key, true, vscode.ConfigurationTarget.Global);
      const shell = shellForPeople('/bin/zsh', { storage: fixture.storage, env: { ZDOTDIR: own } });
      const id = await fixture.commands['execSessions.newSession']({
        ...shell,
        argv: [...shell.argv],
        cwd: own,
        tty: true,
      });
      const session = fixture.list.get(id ?? '');
      assert.ok(session);
      await untilOutput(session, '\u001b]633;A\u0007ready> ');
      await untilOutput(session, `\u001b]633;P;Cwd=${own}\u0007`);
      const line = 'echo "$FROM_ENV $FROM_RC ${ZDOTDIR:t}" "nonce=$VSCODE_NONCE."';
      await fixture.commands['execSessions.sendText'](id, undefined, line);
      await untilOutput(session, `first second ${path.basename(own)} nonce=.`);
      await fixture.commands['execSessions.sendText'](id, undefined, 'false');
      await untilOutput(session, `\u001b]633;E;false;${shell.env['VSCODE_NONCE']}\u0007`);
      await untilOutput(session, '\u001b]633;D;1\u0007');
    } finally {
      await setting.update(key, before, vscode.ConfigurationTarget.Global);
      fs.rmSync(own, { recursive: true });
    }
  });

  it('gives fish its integration, which reads the start-up files of the user all the same', async () => {
    const setting = vscode.workspace.getConfiguration('terminal.integrated');
    const key = 'shellIntegration.enabled';
    const before = setting.inspect<boolean>(key)?.globalValue;
    const own = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-fish-')));
    fs.mkdirSync(path.join(own, 'fish'));
    fs.writeFileSync(
      path.join(own, 'fish/config.fish'),
      'set FROM_CONFIG first\nfunction fish_prompt; echo "ready> "; end\n',
    );
    try {
      await setting.update(key, true, vscode.ConfigurationTarget.Global);
      const shell = shellForPeople('/usr/bin/fish', { storage: fixture.storage, env: {} });
      const copy = path.join(fixture.storage, 'shells/shellIntegration.fish');
      assert.equal(shell.argv.at(-1), `source "${copy}"`, 'an update of VS Code leaves it alone');
      const id = await fixture.commands['execSessions.newSession']({
        ...shell,
        argv: [...shell.argv],
        env: { ...shell.env, XDG_CONFIG_HOME: own },
        cwd: own,
        tty: true,
      });
      const session = fixture.list.get(id ?? '');
      assert.ok(session);
      await untilOutput(session, 'ready> ');
      await untilOutput(session, `\u001b]633;P;Cwd=${own}\u0007`);
      const line = 'echo "$FROM_CONFIG" "nonce=$VSCODE_NONCE."';
      await fixture.commands['execSessions.sendText'](id, undefined, line);
      await untilOutput(session, 'first nonce=.');
      await fixture.commands['execSessions.sendText'](id, undefined, 'false');
      // Without the nonce: the script of this VS Code has it in a variable that ends with the block around it.
      await untilOutput(session, '\u001b]633;E;false');
      await untilOutput(session, '\u001b]633;D;1\u0007');
    } finally {
      await setting.update(key, before, vscode.ConfigurationTarget.Global);
      fs.rmSync(own, { recursive: true });
    }
  });
});
