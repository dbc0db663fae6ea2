import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import * as vscode from 'vscode';

import type { Session } from '../../src/sessions/list/session.js';
import { freePort } from '../support/freePort.js';
import { onLinux } from '../support/onLinux.js';
import { until } from '../support/until.js';
import { Fixture, untilOutput } from './fixture.js';

/** Restart and Run Again, with a user played by the test. */
describe('the commands that run again', () => {
  let fixture: Fixture;

  beforeEach(() => {
    fixture = new Fixture();
  });

  afterEach(() => fixture.dispose());

  const restart = async (session: Session): Promise<Session | undefined> =>
    fixture.list.get((await fixture.commands['execSessions.restart'](session.id)) ?? '');

  /** Starts a server that says where it listens, or only that it does. */
  const startServer = async (
    port: number,
    launcher = '',
    says = `http://127.0.0.1:${port}/`,
  ): Promise<Session> => {
    const code = `require('net').createServer().listen(${port}, '127.0.0.1', () => console.log('listening at ${says}'))`;
    const session = await fixture.start(`exec ${launcher}'${process.execPath}' -e "${code}"`, { tty: true });
    await untilOutput(session, `listening at ${says}`);
    return session;
  };

  it('restart what runs, in the same terminal', async () => {
    const session = await fixture.start('echo here; sleep 100', { tty: true });
    const terminal = fixture.services.terminals.open(session);
    await untilOutput(session, 'here');
    await until(() => fixture.services.terminals.lastSize !== undefined);
    const next = await restart(session);
    assert.ok(next);
    assert.ok(session.ended);
    assert.equal(next.previousId, session.id);
    assert.equal(fixture.services.terminals.sessionOf(terminal), next);
    assert.equal(vscode.window.terminals.length, 1);
    assert.equal(session.snapshot().stopped, true);
    assert.deepEqual(fixture.user.messages, []);
  });

  it('restart what has ended, opening nothing, and stays pinned', async () => {
    const session = await fixture.run('exit 3');
    await fixture.commands['execSessions.pin'](session.id);
    const next = await restart(session);
    assert.equal(next?.previousId, session.id);
    assert.deepEqual(vscode.window.terminals, []);
    await until(() => fixture.services.tree.model.groups[0]?.rows[0]?.id, next.id);
  });

  onLinux('restart a server on its port', async () => {
    const port = await freePort();
    const session = await startServer(port);
    const next = await restart(session);
    assert.ok(next);
    await untilOutput(next, `${port}/`);
    assert.deepEqual(fixture.user.messages, []);
  });

  onLinux('name the program that holds the port even after five seconds, and ask @all', async () => {
    const port = await freePort();
    // Stop does not reach a program that has detached itself. Nor does it have to name its port.
    const session = await startServer(port, 'setsid -w ', 'some port');
    assert.equal(await restart(session), undefined, 'the question was not answered');
    assert.ok(session.ended);
    const { message, actions } = await fixture.user.hears(/^Port/);
    const pid = Number(/\(pid (\d+)\)/.exec(message)?.[1]);
    assert.ok(message.startsWith(`Port ${port} is in use by node`), message);
    assert.deepEqual(actions, ['Wait Again', 'Start Anyway']);
    process.kill(pid, 'SIGKILL');
  });

  it('ask whether a second copy is meant of what still runs', async () => {
    const session = await fixture.start('sleep 100');
    const runAgain = () => fixture.commands['execSessions.runAgain'](session.id);
    assert.equal(await runAgain(), undefined);
    assert.deepEqual(fixture.user.said, [
      {
        kind: 'confirm',
        message: '"sleep 100" is still running.',
        actions: ['Restart', 'Start a Second Copy'],
      },
    ]);
    fixture.user.choices.push('Start a Second Copy');
    assert.ok(await runAgain());
    assert.deepEqual([fixture.list.sessions.length, session.ended], [2, false]);
    fixture.user.choices.push('Restart');
    assert.ok(await runAgain());
    await until(() => session.ended);
    assert.equal(fixture.list.sessions.length, 3);
  });

  it('run several rows again, and tell of each that cannot be', async () => {
    const ended = [await fixture.run('exit 3'), await fixture.run('exit 4')] as const;
    const running = [await fixture.start('sleep 100'), await fixture.start('sleep 101')];
    const all = [...ended, ...running].map(({ id }) => id);
    const runAgain = () => fixture.commands['execSessions.runAgain'](all[0], all);
    const repeats = () => fixture.list.sessions.map(({ previousId }) => previousId).filter(Boolean);
    fixture.user.choices.push(undefined, 'Start a Second Copy');
    assert.equal(await runAgain(), undefined);
    assert.equal(fixture.user.messages.join(), '2 sessions are still running.');
    assert.ok(await runAgain());
    assert.deepEqual(repeats().sort(), all.toSorted(), 'in any order: ended ones look first');
    assert.deepEqual(vscode.window.terminals, [], 'their rows are enough');
    const gone = fs.mkdtempSync(path.join(os.tmpdir(), 'es-gone-'));
    const start = { argv: ['true'], cwd: gone, show: false };
    const id = (await fixture.commands['execSessions.newSession'](start)) ?? assert.fail();
    fs.rmdirSync(gone);
    await until(() => fixture.list.get(id)?.state, 'closed');
    await fixture.commands['execSessions.runAgain'](id, [id, ended[0].id]);
    await fixture.user.hears(/does not exist/);
    assert.equal(repeats().length, 5);
  });
});
