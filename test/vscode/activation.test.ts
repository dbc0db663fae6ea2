import assert from 'node:assert/strict';
import path from 'node:path';

import * as vscode from 'vscode';

import type { ExecSession, ExecSessionsApi } from '../../src/api/exec-sessions.js';
import { CommandId } from '../../src/vscode/commands/commandIds.js';
import { textOf } from '../support/bytes.js';
import { until } from '../support/until.js';
import { closeTerminals, extension } from './fixture.js';

/** The installed extension: its commands and its API. */
describe('the extension', () => {
  let api: ExecSessionsApi;

  const execute = async <T>(command: string, ...rest: readonly unknown[]): Promise<T> =>
    vscode.commands.executeCommand<T>(command, ...rest);

  const get = (id: string | undefined): ExecSession => {
    const session = api.get(id ?? '');
    assert.ok(session);
    return session;
  };

  before(async () => {
    api = (await extension().activate()) as ExecSessionsApi;
  });

  afterEach(async () => {
    await Promise.all(
      api.list().map(async (session) => {
        await session.kill();
        await until(() => session.info().state, 'closed');
        session.remove();
      }),
    );
    await closeTerminals();
  });

  it('activates with its entry alone, and gives its API, which loads the rest', () => {
    const dist = path.join(extension().extensionPath, 'dist');
    const loaded = () =>
      Object.keys(require.cache)
        .filter((file) => path.dirname(file) === dist)
        .map((file) => path.basename(file))
        // It is loaded soon after the activation.
        .filter((file) => file !== 'await-server.js');
    assert.equal(api.version, 1);
    assert.deepEqual(loaded(), ['extension.js']);
    assert.deepEqual(api.list(), []);
    assert.deepEqual(loaded(), ['extension.js', 'main.js']);
  });

  it('registers every command', async () => {
    const registered = new Set(await vscode.commands.getCommands(true));
    for (const id of Object.values(CommandId)) {
      assert.ok(registered.has(id), id);
    }
  });

  it('starts a session from a command, shows its terminal, and stops it', async () => {
    const id = await execute<string>(CommandId.newSession, { commandLine: 'echo hello; sleep 100' });
    const session = get(id);
    assert.equal(session.info().state, 'running');
    assert.deepEqual(session.info().startedBy, { kind: 'extension' });
    assert.equal(session.info().commandLine, 'echo hello; sleep 100');
    await until(
      () => vscode.window.terminals,
      (seen) => seen.some(({ name }) => name.includes('echo hello')),
    );
    await until(
      async () => textOf((await session.read()).chunks),
      (seen) => seen.includes('hello\r\n'),
    );
    await execute(CommandId.stop, id);
    const { exit, state } = session.info();
    assert.notEqual(state, 'running');
    assert.equal(exit?.signal, 'SIGINT');
  });

  it('rejects what a program asks for wrongly, with the reason', async () => {
    await assert.rejects(execute(CommandId.newSession, { argv: 'ls -l' }), /list of strings.*"ls -l"/);
    await assert.rejects(execute(CommandId.stop, 'no-such-id'), /no session with the id "no-such-id"/);
    await assert.rejects(
      execute(CommandId.newSession, { argv: ['no-such-program-here'] }),
      /Cannot start "no-such-program-here" in .*no such program/,
    );
    assert.deepEqual(api.list(), []);
  });

  it('runs again, as a session that knows the one before', async () => {
    const first = get(await execute<string>(CommandId.newSession, { argv: ['true'], tty: false }));
    await until(() => first.info().state, 'closed');
    const second = get(await execute<string>(CommandId.runAgain, first.id));
    assert.equal(second.info().previousId, first.id);
    await until(() => second.info().state, 'closed');
    assert.equal(api.list().length, 2);
  });

  it('opens output as a document', async () => {
    const session = get(
      await execute<string>(CommandId.newSession, {
        commandLine: String.raw`printf '\033[31mred\033[0m\n'`,
        show: false,
      }),
    );
    await until(() => session.info().state, 'closed');
    await execute(CommandId.openOutput, session.id);
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.uri.scheme, 'exec-session');
    assert.equal(document.getText(), 'red\n');
    assert.equal(document.languageId, 'log');
    await execute('workbench.action.closeActiveEditor');
  });

  it('shows its view', async () => {
    await execute('execSessions.sessions.focus');
    const session = await api.start({ argv: ['sleep', '100'], show: false });
    assert.equal(session.info().state, 'running');
    await execute(CommandId.rename, session.id, undefined, 'A nap');
    assert.equal(session.info().title, 'A nap');
  });
});
