import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import * as vscode from 'vscode';

import { isRunning, until } from '../support/processes.js';
import { Fixture, outputOf, setSetting, untilOutput } from './fixture.js';

/** The commands with a user that the test plays. */
describe('the commands', () => {
  let fixture: Fixture;

  beforeEach(() => {
    fixture = new Fixture();
  });

  afterEach(() => fixture.dispose());

  const said = () => fixture.user.said.map(({ message }) => message);

  describe('New Session', () => {
    const newSession = () => fixture.commands['execSessions.newSession']();

    it('runs what was typed in a terminal of the shell, and shows it', async () => {
      fixture.user.commandLines.push({ text: 'echo $((6 * 7)) | cat', mode: 'terminal' });
      const session = fixture.list.get((await newSession()) ?? '');
      assert.ok(session);
      const { commandLine, argv, tty, origin } = session.snapshot();
      assert.equal(commandLine, 'echo $((6 * 7)) | cat');
      assert.deepEqual(argv.slice(1), ['-c', commandLine]);
      assert.deepEqual([tty, origin], [true, { kind: 'user' }]);
      await untilOutput(session, '42\r\n');
      await until(() => fixture.services.terminals.sessionOf(vscode.window.activeTerminal) === session);
    });

    it('runs a list of arguments without a shell, and with pipes if that was chosen', async () => {
      fixture.user.commandLines.push({ text: '["echo", "$HOME", "a  b"]', mode: 'pipes' });
      const session = fixture.list.get((await newSession()) ?? '');
      assert.ok(session);
      await until(() => session.state === 'closed');
      assert.equal(await outputOf(session), '$HOME a  b\n');
      assert.equal(session.commandLine, `echo '$HOME' 'a  b'`);
    });

    it('remembers what was typed', async () => {
      const { user } = fixture;
      for (const text of ['true', 'false', 'true']) {
        user.commandLines.push({ text, mode: 'pipes' });
        await newSession();
      }
      await newSession();
      assert.deepEqual(user.offered.at(-1)?.history, ['true', 'false']);
    });

    it('says what is wrong with a list, and lets it be corrected', async () => {
      const { user } = fixture;
      user.commandLines.push({ text: '["ls", 1]', mode: 'terminal' }, { text: '["true"]', mode: 'pipes' });
      user.buttons.push('Edit Command…');
      assert.equal(await newSession(), undefined);
      const message = await user.hears(/list of strings, but item 2 is 1/);
      assert.deepEqual(message, { ...message, kind: 'error', actions: ['Edit Command…', 'Show Log'] });
      await until(() => fixture.list.sessions.length === 1);
      assert.equal(user.offered[1]?.initial, '["ls", 1]');
    });

    it('says why a program could not be started, and leaves nothing behind', async () => {
      fixture.user.commandLines.push({ text: '["no-such-program-here"]', mode: 'terminal' });
      assert.equal(await newSession(), undefined);
      await fixture.user.hears(/Cannot start "no-such-program-here" in .*: there is no such program/);
      assert.deepEqual(fixture.list.sessions, []);
    });

    it('starts nothing when the user gives up', async () => {
      assert.equal(await newSession(), undefined);
      assert.deepEqual([fixture.list.sessions, said()], [[], []]);
    });

    it('takes options from a program', async () => {
      const id = await fixture.commands['execSessions.newSession']({
        commandLine: 'pwd; echo $X',
        cwd: os.tmpdir(),
        env: { X: 'y' },
        tty: false,
        title: 'Where',
        startedBy: { kind: 'agent', name: 'Codex' },
      });
      const session = fixture.list.get(id ?? '');
      assert.ok(session);
      await until(() => session.state === 'closed');
      assert.equal(await outputOf(session), `${fs.realpathSync(os.tmpdir())}\ny\n`);
      assert.equal(session.label, 'Where');
      assert.deepEqual(session.request.origin, { kind: 'agent', name: 'Codex' });
    });
  });

  it('start nothing in a workspace that is not trusted', async () => {
    const session = await fixture.run('true');
    fixture.trusted = false;
    const { commands } = fixture;
    const untrusted = { name: 'UntrustedWorkspaceError' };
    await assert.rejects(commands['execSessions.newSession'](), untrusted);
    await assert.rejects(commands['execSessions.newSession']({ argv: ['true'] }), untrusted);
    await assert.rejects(commands['execSessions.newShellSession'](), untrusted);
    await assert.rejects(commands['execSessions.runAgain'](session.id), untrusted);
    assert.deepEqual(fixture.user.offered, [], 'nobody is asked for what would not be started');
    assert.equal(fixture.list.sessions.length, 1);
  });

  it('open a shell to type into', async () => {
    const id = await fixture.commands['execSessions.newShellSession']();
    const session = fixture.list.get(id ?? '');
    assert.ok(session);
    await fixture.commands['execSessions.sendText'](id, undefined, 'echo $((6 * 7))');
    // Before it asks for more, a shell sets its terminal to another mode, in which an earlier end of input is lost.
    await until(async () => /42\r\n\s*\S/.test(await outputOf(session)));
    await fixture.commands['execSessions.closeStandardInput'](id);
    await until(() => session.state === 'closed');
  });

  describe('Stop', () => {
    it('ends a session and what it started', async () => {
      const session = await fixture.start('sleep 100 & echo $!; wait');
      await untilOutput(session, '\n');
      const child = Number(await outputOf(session));
      assert.ok(await isRunning(child));
      await fixture.commands['execSessions.stop'](session.id);
      assert.ok(session.ended);
      assert.ok(!(await isRunning(child)));
      assert.deepEqual(said(), []);
    });

    it('names what it could not reach', async () => {
      const session = await fixture.start('setsid sleep 100 & sleep 0.1; echo $!; wait');
      await untilOutput(session, '\n');
      const outside = Number(await outputOf(session));
      try {
        await fixture.commands['execSessions.stop'](session.id);
        const { message } = await fixture.user.hears(/session of its own and was not reached/);
        assert.match(message, new RegExp(String.raw`sleep.* \(pid ${outside}\)`));
      } finally {
        process.kill(outside, 'SIGKILL');
      }
    });

    it('asks which one, the newest first, if it is not told', async () => {
      const first = await fixture.start('sleep 100');
      const second = await fixture.start('sleep 200');
      await fixture.run('true');
      fixture.user.picks.push('sleep 100');
      await fixture.commands['execSessions.stop']();
      assert.deepEqual(fixture.user.asked, ['Stop: sleep 200, sleep 100']);
      assert.deepEqual([first.ended, second.ended], [true, false]);
    });

    it('takes all selected rows, and leaves those that have ended', async () => {
      const running = await Promise.all([fixture.start('sleep 100'), fixture.start('sleep 200')]);
      const closed = await fixture.run('true');
      const rows = [...running, closed].map((session) => fixture.services.tree.nodeOf(session));
      await fixture.commands['execSessions.stop'](rows[0], rows);
      assert.deepEqual(
        running.map(({ ended }) => ended),
        [true, true],
      );
    });

    it('says that there is nothing to stop', async () => {
      await fixture.commands['execSessions.stop']();
      const session = await fixture.run('true');
      await fixture.commands['execSessions.stop'](session.id);
      await fixture.commands['execSessions.stopAll']();
      assert.deepEqual(said(), [
        'No session is running.',
        '"true" has ended already; there is nothing to stop.',
        'No session is running; there is nothing to stop.',
      ]);
    });

    it('takes the graces of the settings', async () => {
      await setSetting('stop.interruptMs', 0);
      await setSetting('stop.terminateMs', 0);
      try {
        const session = await fixture.start(`trap 'echo told' INT TERM; echo ready; sleep 100 & wait; wait`);
        await untilOutput(session, 'ready');
        await fixture.commands['execSessions.stop'](session.id);
        assert.equal(session.snapshot().exit?.signal, 'SIGKILL');
        assert.equal(await outputOf(session), 'ready\n');
      } finally {
        await setSetting('stop.interruptMs', undefined);
        await setSetting('stop.terminateMs', undefined);
      }
    });

    it('stops all after a question', async () => {
      const sessions = await Promise.all([
        fixture.start('sleep 100'),
        fixture.start('sleep 200', { tty: true }),
      ]);
      await fixture.commands['execSessions.stopAll']();
      assert.ok(
        sessions.every(({ ended }) => !ended),
        'the answer was no',
      );
      fixture.user.confirms.push(true);
      await fixture.commands['execSessions.stopAll']();
      assert.ok(sessions.every(({ ended }) => ended));
    });
  });

  describe('Kill', () => {
    const stubborn = `trap '' INT TERM HUP; echo ready; while :; do sleep 0.1; done`;

    it('asks before, and takes no for an answer', async () => {
      const session = await fixture.start(stubborn);
      await untilOutput(session, 'ready');
      await fixture.commands['execSessions.kill'](session.id);
      assert.equal(session.state, 'running');
      fixture.user.confirms.push(true);
      await fixture.commands['execSessions.kill'](session.id);
      assert.equal(session.snapshot().exit?.signal, 'SIGKILL');
      assert.match(said()[0] ?? '', /^Kill "/);
    });

    it('does not ask if the setting says so', async () => {
      await setSetting('confirmKill', false);
      try {
        const session = await fixture.start(stubborn);
        await fixture.commands['execSessions.kill'](session.id);
        assert.equal(session.snapshot().exit?.signal, 'SIGKILL');
        assert.deepEqual(said(), []);
      } finally {
        await setSetting('confirmKill', undefined);
      }
    });
  });

  it('send a signal that the user picks', async () => {
    const session = await fixture.start(
      `trap 'echo caught; exit 3' USR1; echo ready; while :; do sleep 0.05; done`,
    );
    await untilOutput(session, 'ready');
    fixture.user.picks.push('SIGUSR1');
    await fixture.commands['execSessions.sendSignal'](session.id);
    await until(() => session.state === 'closed');
    assert.equal(session.snapshot().exit?.exitCode, 3);
    assert.match(fixture.user.asked[0] ?? '', /^Send Signal: SIGINT, SIGTERM, SIGHUP/);
  });

  it('send text and close standard input', async () => {
    const session = await fixture.start('cat', { pipeStdin: true });
    fixture.user.inputs.push('hello');
    await fixture.commands['execSessions.sendText'](session.id);
    await untilOutput(session, 'hello\n');
    await fixture.commands['execSessions.closeStandardInput'](session.id);
    await until(() => session.state === 'closed');
    assert.deepEqual(said(), []);
    const silent = await fixture.start('sleep 100');
    await fixture.commands['execSessions.sendText'](silent.id);
    assert.deepEqual(said(), ['"sleep 100" takes no input: it has ended, or was started without one.']);
  });

  it('close standard input once', async () => {
    const session = await fixture.start('exec 0<&-; sleep 100', { pipeStdin: true });
    const row = fixture.services.tree.nodeOf(session);
    const offered = () => fixture.services.tree.getTreeItem(row).contextValue?.includes(';stdin;');
    await until(() => offered() === true);
    await fixture.commands['execSessions.closeStandardInput'](session.id);
    await until(() => offered() === false);
    await fixture.commands['execSessions.closeStandardInput'](session.id);
    await fixture.commands['execSessions.sendText'](session.id);
    const name = 'exec 0<&-; sleep 100';
    assert.deepEqual(said(), [
      `The standard input of "${name}" is closed already.`,
      `"${name}" takes no input: its standard input is closed.`,
    ]);
  });

  it('rename, and give the command line back', async () => {
    const id = await fixture.commands['execSessions.newSession']({ argv: ['true'], tty: false, show: false });
    const session = fixture.list.get(id ?? '');
    assert.ok(session);
    fixture.user.inputs.push('Tests', '');
    fixture.selection = [session];
    await fixture.commands['execSessions.rename']({ selection: true });
    assert.equal(session.label, 'Tests');
    assert.deepEqual(fixture.user.asked, ['Rename "true": true'], 'it says whose name it is');
    await fixture.commands['execSessions.rename'](session.id);
    assert.equal(session.label, 'true');
  });

  it('copy the command line and the output', async () => {
    const session = await fixture.run(String.raw`printf '\033[31mred\033[0m\r\n 50 %%\r100 %%\n'`);
    await fixture.commands['execSessions.copyOutput'](session.id);
    assert.equal(await vscode.env.clipboard.readText(), 'red\n100 %\n');
    await fixture.commands['execSessions.copyCommandLine'](session.id);
    assert.equal(await vscode.env.clipboard.readText(), session.commandLine);
    const silent = await fixture.run('true');
    await fixture.commands['execSessions.copyOutput'](silent.id);
    assert.deepEqual(said(), ['"true" has not written anything yet.']);
  });

  it('save the output as text, or as it was written', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'save-'));
    try {
      const session = await fixture.run(String.raw`printf '\033[31mred\033[0m\n'`);
      for (const name of ['out.log', 'out.ansi']) {
        fixture.user.files.push(vscode.Uri.file(path.join(folder, name)));
        await fixture.commands['execSessions.saveOutput'](session.id);
      }
      assert.equal(fs.readFileSync(path.join(folder, 'out.log'), 'utf8'), 'red\n');
      assert.equal(fs.readFileSync(path.join(folder, 'out.ansi'), 'utf8'), '\u001b[31mred\u001b[0m\n');
      await fixture.commands['execSessions.saveOutput'](session.id);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  it('say first in a text what is no longer kept', async () => {
    const session = await fixture.run('seq 1 100000');
    session.process.evictTo(200_000);
    await fixture.commands['execSessions.copyOutput'](session.id);
    const text = await vscode.env.clipboard.readText();
    assert.match(text, /^\[\d+ KiB of older output are no longer kept; \S+ \S+ follow\]\n/);
    assert.ok(text.endsWith('\n99999\n100000\n'));
  });

  it('remove what has ended, and only that', async () => {
    const running = await fixture.start('sleep 100');
    const closed = await Promise.all([fixture.run('true'), fixture.run('exit 3'), fixture.run('exit 4')]);
    await fixture.commands['execSessions.remove'](running.id);
    assert.deepEqual(said(), ['"sleep 100" is still running. Stop it first, then remove it.']);
    await fixture.commands['execSessions.remove'](closed[0].id);
    assert.equal(fixture.list.sessions.length, 3);
    await fixture.commands['execSessions.clearClosed']();
    assert.deepEqual(fixture.list.sessions, [running]);
    await fixture.commands['execSessions.clearClosed']();
    assert.equal(said().at(-1), 'No session is closed; there is nothing to clear.');
  });

  describe('Remove', () => {
    /** One whose process has ended, with a child that holds its output. */
    const startExited = async () => {
      const session = await fixture.start('sleep 100 & echo $!');
      await until(() => session.state === 'exited');
      return { session, child: Number(await outputOf(session)) };
    };

    it('says what a key would remove, since it may be another row that has the focus', async () => {
      fixture.selection = [await fixture.run('true')];
      await fixture.commands['execSessions.remove']({ selection: true });
      assert.deepEqual(said(), ['Remove "true" from the list?']);
      assert.equal(fixture.list.sessions.length, 1, 'the answer was no');
      fixture.user.confirms.push(true);
      await fixture.commands['execSessions.remove']({ selection: true });
      assert.deepEqual(fixture.list.sessions, []);
    });

    it('lets one choose after a key if nothing is selected', async () => {
      await fixture.run('true');
      fixture.user.picks.push('true');
      await fixture.commands['execSessions.remove']({ selection: true });
      assert.deepEqual([fixture.list.sessions, said()], [[], []]);
    });

    it('says which ones it left, and why', async () => {
      const running = await fixture.start('sleep 100');
      fixture.selection = [running, await fixture.run('true')];
      fixture.user.confirms.push(true);
      await fixture.commands['execSessions.remove']({ selection: true });
      assert.deepEqual(fixture.list.sessions, [running]);
      assert.deepEqual(said(), [
        'Remove "true" from the list?',
        '"sleep 100" is still running and was left in the list. Stop it first.',
      ]);
    });

    it('asks about what an exited session has left behind, and stops it', async () => {
      const { session, child } = await startExited();
      const remove = () => fixture.commands['execSessions.remove'](session.id);
      await remove();
      assert.deepEqual(fixture.user.said, [
        {
          kind: 'confirm',
          message: 'Remove "sleep 100 & echo $!" from the list?',
          actions: ['Stop and Remove', 'Remove'],
        },
      ]);
      assert.deepEqual(
        [fixture.list.sessions, await isRunning(child)],
        [[session], true],
        'nothing was answered',
      );
      fixture.user.choices.push('Stop and Remove');
      await remove();
      assert.deepEqual([fixture.list.sessions, await isRunning(child)], [[], false]);
    });

    it('leaves it running if that is the answer', async () => {
      const { session, child } = await startExited();
      fixture.user.choices.push('Remove');
      await fixture.commands['execSessions.remove'](session.id);
      assert.deepEqual([fixture.list.sessions, await isRunning(child)], [[], true]);
      process.kill(child, 'SIGKILL');
    });

    it('is not needed to stop it: Stop All takes it too', async () => {
      const { session, child } = await startExited();
      fixture.user.confirms.push(true);
      await fixture.commands['execSessions.stopAll']();
      assert.deepEqual(said(), ['Stop "sleep 100 & echo $!"?']);
      await until(() => session.state === 'closed');
      assert.ok(!(await isRunning(child)));
    });
  });

  it('say clearly that a session is not there', async () => {
    const session = await fixture.run('true');
    const row = fixture.services.tree.nodeOf(session);
    await fixture.commands['execSessions.remove'](session.id);
    const { commands } = fixture;
    await assert.rejects(commands['execSessions.openTerminal'](row), /The session "true" has been removed/);
    await assert.rejects(commands['execSessions.stop'](session.id), /There is no session with the id/);
    await assert.rejects(
      commands['execSessions.stop']({ id: 'nonsense' }),
      /no session with the id "nonsense"/,
    );
    await assert.rejects(
      commands['execSessions.stop'](7 as unknown as string),
      /something that is no session/,
    );
    await commands['execSessions.openTerminal']();
    assert.deepEqual(said(), ['There are no sessions yet. Start one with New Session.']);
  });
});
