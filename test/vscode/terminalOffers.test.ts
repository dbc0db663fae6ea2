import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { shellProfile } from '../../src/vscode/shellStart.js';
import { utf8 } from '../support/bytes.js';
import { until } from '../support/until.js';
import { Fixture, setSetting, untilOutput } from './fixture.js';

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
    await until(() => vscode.window.activeTerminal, terminal);
    terminal.sendText('echo from""-profile');
    await untilOutput(session, 'from-profile');
  });

  /**
   * Gives a tab new names until it has one: some time after VS Code has opened a terminal, it takes its first name again.
   */
  const renameTab = (terminal: vscode.Terminal) => {
    let count = 0;
    return until(async () => {
      terminal.show();
      if (vscode.window.activeTerminal === terminal) {
        const name = `My own name ${++count}`;
        await vscode.commands.executeCommand('workbench.action.terminal.renameWithArg', { name });
      }
      return terminal.name.startsWith('My own name');
    });
  };
  const isOwnName = (name: string | undefined) => name?.startsWith('My own name') === true;

  it('gives a session the name that a person gives its tab, once another terminal is in front', async () => {
    const session = await fixture.start('sleep 1000', { tty: true });
    const terminal = fixture.services.terminals.open(session);
    const other = fixture.services.terminals.open(await fixture.start('sleep 1001', { tty: true }));
    await until(async () => {
      await renameTab(terminal);
      other.show();
      await until(() => vscode.window.activeTerminal, other);
      return isOwnName(session.title);
    });
    await session.stop();
    await until(() => terminal.name.startsWith('■ My own name'));
    assert.ok(isOwnName(session.title), 'our mark is not part of it');
  });

  it('keeps the name that a person gives a tab before that of the program', async () => {
    const program = String.raw`while read -r name; do printf '\033]0;%s\007' "$name"; done`;
    const session = await fixture.start(program, { tty: true });
    session.rename('');
    const terminal = fixture.services.terminals.open(session);
    let count = 0;
    await until(async () => {
      await renameTab(terminal);
      await session.process.write(utf8(`busy ${++count}\r`));
      return isOwnName(session.title);
    });
    await until(() => terminal.name, isOwnName);
  });

  it('splits a session with another one in the same directory', async () => {
    const session = await fixture.start('cd /; sleep 1000', { tty: true });
    const terminal = fixture.services.terminals.open(session);
    await until(() => vscode.window.activeTerminal, terminal);
    const id = await fixture.commands['execSessions.splitTerminal']();
    const next = fixture.list.get(id ?? '');
    assert.ok(next);
    assert.equal(next.request.cwd, session.request.cwd);
    assert.ok(!next.label.includes('/'), next.label);
    await until(() => fixture.services.terminals.sessionOf(vscode.window.activeTerminal), next);
  });

  it('tells a person who closes a terminal that the session goes on, until they know', async () => {
    const close = async () => {
      const session = await fixture.start('sleep 1000', { tty: true });
      const terminal = fixture.services.terminals.open(session);
      await until(() => vscode.window.activeTerminal, terminal);
      await vscode.commands.executeCommand('workbench.action.terminal.kill');
      await until(() => terminal.exitStatus !== undefined);
      return session;
    };
    fixture.user.buttons.push('Stop It');
    const stopped = await close();
    const said = await fixture.user.hears(/^"sleep 1000" keeps running/);
    assert.deepEqual(said.actions, ['Show', 'Stop It', "Don't Show Again"]);
    await until(() => stopped.state, 'closed');
    fixture.user.buttons.push("Don't Show Again");
    await close();
    await until(() => fixture.user.said.filter(({ message }) => message.includes('keeps running')).length, 2);
    await close();
    // The message would come before the end of a later session is told.
    assert.equal(fixture.user.said.filter(({ message }) => message.includes('keeps running')).length, 2);
  });

  it('closes the terminals of a detached session, which keeps running whatever the setting says', async () => {
    const { terminals } = fixture.services;
    const sessions = [
      await fixture.start('sleep 1000', { tty: true }),
      await fixture.start('sleep 1001', { tty: true }),
    ];
    const ids = sessions.map(({ id }) => id);
    const detach = fixture.commands['execSessions.detach'];
    const shown = () => terminals.all.map(({ session }) => session.id).join();
    await setSetting('terminal.onClose', 'stop');
    try {
      sessions.forEach((session) => terminals.open(session));
      await until(() => terminals.sessionOf(vscode.window.activeTerminal), sessions[1]);
      await detach();
      await until(shown, ids[0]);
      await detach(ids[0], ids);
      await until(() => vscode.window.terminals.length, 0);
      assert.equal(shown(), '');
      await detach(ids[0], ids);
      assert.deepEqual(fixture.user.messages, ['No terminal of this window shows 2 sessions.']);
      assert.ok(sessions.every((session) => !session.ended && !session.snapshot().stopping));
    } finally {
      await setSetting('terminal.onClose', undefined);
    }
  });

  it('begins a session with the size of the last terminal', async () => {
    await fixture.memento.update('execSessions.terminalSize', { columns: 123, rows: 45 });
    const session = await fixture.start('stty size; sleep 1000', { tty: true });
    await untilOutput(session, '45 123');
  });
});
