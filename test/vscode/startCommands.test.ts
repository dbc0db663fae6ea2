import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import * as vscode from 'vscode';

import { commandSuggestions } from '../../src/vscode/commands/start/commandSuggestions.js';
import type { TreeNode } from '../../src/vscode/tree/nodes.js';
import { until } from '../support/until.js';
import { Fixture, outputOf, untilOutput } from './fixture.js';

/** The commands that start sessions, with a user played by the test. */
describe('the commands that start', () => {
  let fixture: Fixture;

  beforeEach(() => {
    fixture = new Fixture();
  });

  afterEach(() => fixture.dispose());

  const suggested = async (environment = 'local') =>
    (await Promise.all(commandSuggestions(environment))).flat();

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
      await until(() => fixture.services.terminals.sessionOf(vscode.window.activeTerminal), session);
    });

    it('runs a list of arguments without a shell, and with pipes if that was chosen', async () => {
      fixture.user.commandLines.push({ text: '["echo", "$HOME", "a  b"]', mode: 'pipes' });
      const session = fixture.list.get((await newSession()) ?? '');
      assert.ok(session);
      await until(() => session.state, 'closed');
      assert.equal(await outputOf(session), '$HOME a  b\n');
      assert.equal(session.commandLine, `echo '$HOME' 'a  b'`);
    });

    it('runs in the directory and with the variables that were given, and keeps them when it is corrected', async () => {
      const { user } = fixture;
      const place = { cwd: os.tmpdir(), env: { OWN: 'two words' } };
      user.commandLines.push({ text: 'pwd; echo "$OWN"', mode: 'pipes', ...place });
      const session = fixture.list.get((await newSession()) ?? '');
      assert.ok(session);
      await untilOutput(session, `${fs.realpathSync(os.tmpdir())}\ntwo words\n`);
    });

    it('begins in the folder of what was chosen', async () => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-here-'));
      try {
        const file = path.join(folder, 'file.txt');
        fs.writeFileSync(file, '');
        for (const chosen of [folder, file]) {
          fixture.user.commandLines.push(undefined);
          await fixture.commands['execSessions.newSessionHere'](vscode.Uri.file(chosen));
          assert.equal(fixture.user.offered.at(-1)?.cwd, folder);
        }
        await assert.rejects(
          fixture.commands['execSessions.newSessionHere'](vscode.Uri.parse('untitled:new')),
          /Choose a file or a folder of this machine/,
        );
      } finally {
        fs.rmSync(folder, { recursive: true });
      }
    });

    describe('from what was dropped onto the view', () => {
      const drop = (types: Readonly<Record<string, string>>, target?: TreeNode) => {
        const dropped = new vscode.DataTransfer();
        for (const [type, value] of Object.entries(types)) {
          dropped.set(type, new vscode.DataTransferItem(value));
        }
        fixture.user.commandLines.push(undefined);
        return fixture.services.startDropped(target, dropped);
      };
      const listOf = (...files: readonly string[]) =>
        files.map((file) => vscode.Uri.file(file).toString()).join('\r\n');
      const says = (...wanted: readonly RegExp[]) => {
        const { messages } = fixture.user;
        assert.equal(messages.length, wanted.length, messages.join('\n'));
        wanted.forEach((pattern, at) => assert.match(messages[at] ?? '', pattern));
      };
      let folder: string;

      beforeEach(() => {
        folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-drop-'));
      });

      afterEach(() => fs.rmSync(folder, { recursive: true }));

      it('is a line of text to look at first', async () => {
        await drop({ 'text/plain': ' npm run dev\n' });
        assert.deepEqual(
          [fixture.user.offered.at(-1)?.initial, fixture.list.sessions.length],
          ['npm run dev', 0],
        );
        await drop({ 'text/plain': 'cd x\nrm -r *' });
        await drop({ 'text/plain': ' ' });
        says(/several lines/, /Drop a file, a folder or a line/);
        assert.equal(fixture.user.offered.length, 1);
      });

      it('is a folder to run in, or the files as words in theirs', async () => {
        await drop({ 'text/uri-list': listOf(folder), 'text/plain': folder });
        assert.deepEqual(
          [fixture.user.offered.at(-1)?.cwd, fixture.user.offered.at(-1)?.initial],
          [folder, undefined],
        );
        const files = ["it's a script.sh", '-n', 'plain'].map((name) => path.join(folder, name));
        files.forEach((file) => fs.writeFileSync(file, ''));
        await drop({ 'text/uri-list': listOf(...files, os.devNull) });
        const { cwd, initial } = fixture.user.offered.at(-1) ?? {};
        assert.equal(cwd, folder);
        assert.equal(initial, `'./it'\\''s a script.sh' ./-n ./plain ${os.devNull}`);
      });

      it('is nothing that is not on this machine, or is to run on another one', async () => {
        await drop({ 'text/uri-list': 'untitled:new' });
        const elsewhere = { kind: 'environment', id: 'elsewhere' } as const;
        await drop({ 'text/uri-list': listOf(folder) }, elsewhere);
        says(/of this machine/, /on this machine only/);
        assert.equal(fixture.user.offered.length, 0);
      });
    });

    it('offers the scripts of the package.json of the workspace', async () => {
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
      assert.ok(folder);
      const file = path.join(folder, 'package.json');
      try {
        fs.writeFileSync(file, JSON.stringify({ scripts: { 'dev': 'vite', 'build all': 'tsc' } }));
        const found = await suggested();
        const scripts = found.filter(({ from }) => from === 'package.json');
        assert.deepEqual(
          scripts.map(({ text, cwd }) => [text, cwd]),
          [
            ['npm run dev', folder],
            ["npm run 'build all'", folder],
          ],
        );
      } finally {
        fs.rmSync(file, { force: true });
      }
    });

    it('offers the tasks that are command lines, each in its directory', async () => {
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
      assert.ok(folder);
      const write = (tasks: readonly object[] | undefined) =>
        vscode.workspace
          .getConfiguration('tasks')
          .update('tasks', tasks, vscode.ConfigurationTarget.Workspace);
      const below = { cwd: '${workspaceFolder}/below' };
      try {
        await write([
          { label: 'all', type: 'shell', command: 'make all' },
          { label: 'one', type: 'shell', command: 'make', args: ['${workspaceFolder}/a b'], options: below },
          { label: 'open', type: 'shell', command: 'make ${file}' },
          { label: 'own', type: 'exec-session', commandLine: 'make own', env: { AT: '${workspaceFolder}' } },
          { label: 'home', type: 'exec-session', commandLine: 'make home', cwd: '~/src' },
          { label: 'far', type: 'exec-session', commandLine: 'make far', environment: 'build', cwd: '/src' },
        ]);
        let found: readonly unknown[] = [];
        await until(async () => {
          const offered = (await suggested()).filter(({ text }) => text.startsWith('make'));
          found = offered.map(({ text, from, cwd, env }) => [text, from, cwd, ...(env ? [env] : [])]);
          return found.length > 0;
        });
        assert.deepEqual(found, [
          ['make all', 'task "all"', folder],
          [`make '${folder}/a b'`, 'task "one"', path.join(folder, 'below')],
          ['make own', 'task "own"', folder, { AT: folder }],
          ['make home', 'task "home"', path.join(os.homedir(), 'src')],
        ]);
        assert.deepEqual(await suggested('build'), [{ text: 'make far', from: 'task "far"', cwd: '/src' }]);
      } finally {
        await write(undefined);
      }
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
      await until(() => fixture.list.sessions.length, 1);
      assert.equal(user.offered[1]?.initial, '["ls", 1]');
    });

    it('says why a program could not be started, and adds no session', async () => {
      fixture.user.commandLines.push({ text: '["no-such-program-here"]', mode: 'terminal' });
      assert.equal(await newSession(), undefined);
      await fixture.user.hears(/Cannot start "no-such-program-here" in .*: there is no such program/);
      assert.deepEqual(fixture.list.sessions, []);
    });

    it('starts nothing when the user gives up', async () => {
      assert.equal(await newSession(), undefined);
      assert.deepEqual([fixture.list.sessions, fixture.user.messages], [[], []]);
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
      await until(() => session.state, 'closed');
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
    // Before it prompts again, a shell sets its terminal to another mode, which loses an end of input that was sent
    // earlier.
    await until(
      () => outputOf(session),
      (seen) => /42\r\n\s*\S/.test(seen.replaceAll(/\u001b(?:\].*?\u0007|\[[\d;?]*[a-z])/gis, '')),
    );
    await fixture.commands['execSessions.closeStandardInput'](id);
    await until(() => session.state, 'closed');
  });
});
