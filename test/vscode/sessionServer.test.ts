import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import * as vscode from 'vscode';

import { english } from '../../src/core/index.js';
import { findSockets } from '../../src/machine/index.js';
import type { Session } from '../../src/sessions/list/session.js';
import { WindowMarks } from '../../src/sessions/list/thisWindow.js';
import { failureText } from '../../src/sessions/words/index.js';
import { awaitServer } from '../../src/vscode/machine/awaitServer.js';
import { SessionsStatus } from '../../src/vscode/notice/statusBar.js';
import { killIfThere } from '../support/killIfThere.js';
import { until } from '../support/until.js';
import { endSessionServers } from '../support/sessionServers.js';
import { chosenBackend, closeTerminals, Fixture, outputOf, setSetting, untilOutput } from './fixture.js';

/** Two fixtures are two windows; a fixture after another one is a window that was loaded again. */
describe('sessions of the session server', () => {
  const windows: Fixture[] = [];

  const openWindow = (memento?: Fixture['memento'], folder?: string): Fixture => {
    const window = new Fixture(memento, folder);
    windows.push(window);
    return window;
  };

  const close = async (window: Fixture): Promise<void> => {
    windows.splice(windows.indexOf(window), 1);
    await window.leave();
  };

  const found = async (window: Fixture, id: string): Promise<Session> => {
    await window.services.lookForSessions();
    await until(() => window.list.get(id) !== undefined);
    const session = window.list.get(id);
    assert.ok(session);
    return session;
  };

  beforeEach(() => setSetting('local.backend', 'server'));

  afterEach(async () => {
    await Promise.all([...windows].map(close));
    await closeTerminals();
    await endSessionServers();
    await setSetting('local.backend', chosenBackend);
  });

  it('go on while no window is open, and come back as they were', async () => {
    const before = openWindow();
    const first = await before.start('for i in $(seq 1 100000); do echo "line $i"; sleep 0.02; done', {
      tty: true,
    });
    const second = await before.start('cat', { pipeStdin: true });
    await before.run('exit 3');
    first.rename('Counting');
    await second.closeInput();
    await untilOutput(first, 'line 5\r\n');
    const ids = before.list.sessions.map(({ id }) => id);
    const pid = first.snapshot().pid;
    const loadedAgainAt = Date.now();
    await close(before);

    const after = openWindow();
    const back = await found(after, first.id);
    await until(() => after.list.sessions.length, 3);
    assert.deepEqual(
      after.list.sessions.map(({ id }) => id),
      ids,
      'in the same order',
    );
    const snapshot = back.snapshot();
    assert.deepEqual([snapshot.title, snapshot.pid, snapshot.state], ['Counting', pid, 'running']);
    assert.equal(after.list.sessions[1]?.snapshot().inputClosed, true);
    await until(() => after.list.sessions[2]?.state, 'closed');
    const { exit, exitedAt, closedAt } = after.list.sessions[2]?.snapshot() ?? assert.fail();
    assert.equal(exit?.exitCode, 3);
    assert.ok(
      Math.max(exitedAt ?? Infinity, closedAt ?? Infinity) <= loadedAgainAt,
      'It has ended when it did.',
    );
    await untilOutput(back, 'line 20\r\n');
    const numbers = [...(await outputOf(back)).matchAll(/line (\d+)\r\n/g)].map(([, number]) =>
      Number(number),
    );
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => index + 1),
      'no line twice, none missing',
    );
  });

  it('are run again with the variables of their start', async () => {
    const before = openWindow();
    const id = await before.commands['execSessions.newSession']({
      commandLine: 'echo "day $EXEC_TEST_DAY"',
      env: { EXEC_TEST_DAY: 'monday' },
      tty: false,
      show: false,
    });
    const first = before.list.get(id ?? '') ?? assert.fail();
    await until(() => first.state, 'closed');
    await close(before);
    const after = openWindow();
    const again = await after.services.starter.runAgain(await found(after, first.id));
    await until(() => again.state, 'closed');
    assert.equal(await outputOf(again), 'day monday\n');
    assert.equal(again.previousId, first.id);
    const inPlace = await after.services.terminals.runAgainInPlace(await found(after, first.id));
    await until(() => inPlace?.state, 'closed');
    assert.equal(inPlace && (await outputOf(inPlace)), 'day monday\n');
  });

  it('are pinned and marked after a reload as before, and in no window of another folder', async () => {
    const folder = '/tmp';
    const before = openWindow(undefined, folder);
    const session = await before.start('sleep 1000');
    await before.commands['execSessions.pin'](session.id);
    await before.commands['execSessions.notifyAtEnd'](session.id);
    await until(() => session.process.info().metadata[`notify:${folder}`] === true);
    const elsewhere = new WindowMarks({ first: '/elsewhere' });
    const snapshots = [session.snapshot()];
    assert.deepEqual([...elsewhere.ids(snapshots, 'pinned'), ...elsewhere.ids(snapshots, 'notify')], []);
    elsewhere.set([session], 'pinned', true);
    await until(() => session.process.info().metadata['pinned:/elsewhere'] === true);
    await close(before);

    const after = openWindow(undefined, folder);
    const back = await found(after, session.id);
    await until(() => after.services.tree.model.groups[0]?.kind, 'pinned');
    const [row] = after.services.tree.model.groups[0]?.rows ?? [];
    assert.match(row?.description ?? '', / · will notify$/);
    assert.match(row?.accessibilityLabel ?? '', /; you will be told when it ends$/);
    await after.commands['execSessions.unpin'](back.id);
    await until(() => back.process.info().metadata[`pinned:${folder}`], undefined);
    assert.equal(back.process.info().metadata['pinned:/elsewhere'], true, 'Other windows keep theirs.');
    await back.process.signal('SIGKILL');
    await after.user.hears(/^"sleep 1000" was ended by SIGKILL/);
  });

  it('are the same in two windows at once', async () => {
    const one = openWindow();
    const other = openWindow();
    const first = await one.start('read x; echo "got $x"', { pipeStdin: true });
    await other.services.lookForSessions();
    const second = await other.start('sleep 100');
    await until(() => other.list.get(first.id) !== undefined && one.list.get(second.id) !== undefined);
    one.list.get(second.id)?.rename('From afar');
    await until(() => second.title, 'From afar');
    await other.list.get(first.id)?.process.write(new TextEncoder().encode('hello\n'));
    await until(() => first.state === 'closed' && other.list.get(first.id)?.state === 'closed');
    assert.equal(await outputOf(first), 'got hello\n');
    assert.deepEqual(other.list.remove([other.list.get(first.id) ?? assert.fail()]).length, 1);
    await until(() => one.list.get(first.id), undefined);
    other.user.confirms.push(true);
    await other.services.commands['execSessions.kill'](second.id);
    await until(() => one.list.get(second.id)?.snapshot().exit?.signal, 'SIGKILL');
    const stopped = one.list.get(second.id);
    assert.deepEqual([stopped?.record.endedBy, stopped?.snapshot().stopped], [{ kind: 'person' }, true]);
  });

  it('keep as much output as the settings say, also while no window is open', async () => {
    await setSetting('output.retainedMegabytes', 0.0625);
    const before = openWindow();
    const small = await before.run('head -c 300000 /dev/zero | tr "\\0" x');
    await setSetting('output.retainedMegabytes', 2);
    const large = await before.run('head -c 1500000 /dev/zero | tr "\\0" x');
    await close(before);
    const after = openWindow();
    await found(after, large.id);
    const kept = (session: Session) => after.list.get(session.id)?.snapshot().output.retainedBytes ?? -1;
    await until(() => kept(large), 1_500_000);
    assert.ok(kept(small) <= 65_536, `${kept(small)} bytes`);
    await setSetting('output.retainedMegabytes', undefined);
  });

  it('appear at once in a window that was open before there was a server', async () => {
    const early = openWindow();
    await early.services.lookForSessions();
    const late = openWindow();
    const first = await late.start('sleep 100');
    await until(() => early.list.get(first.id) !== undefined);
    await endSessionServers('SIGKILL');
    await until(() => early.list.get(first.id)?.state === 'lost' && first.state === 'lost');
    const second = await late.start('sleep 101');
    await until(() => early.list.get(second.id)?.state, 'running');
  });

  it('are seen once by a window that has loaded nothing yet, both new and existing ones', async () => {
    const seen: string[] = [];
    const early = awaitServer(() => seen.push('early'));
    const ended = awaitServer(() => seen.push('ended'));
    ended.dispose();
    try {
      const window = openWindow();
      await window.services.lookForSessions();
      assert.equal(seen.length, 0, 'no server is started for a look');
      await window.start('sleep 100');
      await until(() => seen.length > 0);
      const late = awaitServer(() => seen.push('late'));
      await until(() => seen.length > 1);
      late.dispose();
      assert.deepEqual(seen, ['early', 'late']);
    } finally {
      early.dispose();
    }
  });

  it('are left out while others can enter the folder of their socket, which is said once', async () => {
    const before = openWindow();
    const { id } = await before.start('sleep 1000');
    const folder = path.dirname(findSockets(process.env)[0]?.socket ?? assert.fail());
    await close(before);
    const after = openWindow();
    const seen: string[] = [];
    fs.chmodSync(folder, 0o755);
    const sight = awaitServer(() => seen.push('seen'));
    try {
      await after.services.lookForSessions();
      await after.services.lookForSessions();
      const left = `The sessions in ${folder} are hidden, because other users can get into that folder. They keep running. To show them, run: chmod 700 ${folder}`;
      assert.deepEqual(after.user.said, [{ kind: 'warn', message: left, actions: ['Show Log'] }]);
      assert.equal(after.list.sessions.length, 0);
      await until(() => seen.length > 0);
    } finally {
      sight.dispose();
      fs.chmodSync(folder, 0o700);
    }
    await found(after, id);
    assert.equal(after.user.said.length, 1);
  });

  it('are apart in the window of another folder, which counts, clears and stops its own', async () => {
    const web = openWindow(undefined, '/work/web');
    const api = openWindow(undefined, '/work/api');
    const own = await web.start('sleep 100');
    await web.run('exit 3');
    await found(api, own.id);
    const status = new SessionsStatus(
      api.list,
      (session) => api.folders.has(session),
      api.services.mcpServer,
    );
    const groups = () =>
      api.services.tree.model.groups.map(({ label, description }) => `${label} ${description}`);
    await until(() => groups().join(), 'Elsewhere 2 · 1 running');
    const other = await api.start('sleep 101');
    await until(() => groups().join(), 'Running 1,Elsewhere 2 · 1 running');
    await until(() => status.text, '$(terminal) 1');
    status.dispose();
    await api.commands['execSessions.showElsewhereInPlace']();
    assert.deepEqual(groups(), ['Running 2', 'Closed 1']);
    assert.equal(api.memento.get('execSessions.elsewhere'), 'inPlace');
    await api.commands['execSessions.showElsewhereApart']();
    await api.commands['execSessions.clearClosed']();
    await api.user.hears(/^No session of this window is closed\. Sessions under Elsewhere stay;/);
    api.user.choices.push('Stop 1 of This Window');
    await api.commands['execSessions.stopAll']();
    assert.equal((await api.user.hears(/^Stop /)).message, 'Stop sessions? 1 of this window, 2 in all');
    assert.deepEqual([other.ended, own.ended], [true, false]);
    api.user.choices.push('Stop All 1');
    await api.commands['execSessions.stopAll']();
    await api.user.hears(/^No session of this window is running\. Stop "sleep 100" in other folders\?/);
    await until(() => own.ended);
  });

  it('of agents are kept if a person asks for it, and say so if they ended for lack of a window', async () => {
    const before = openWindow();
    const agent = { id: 'Codex', name: 'Codex' };
    await before.services.agentTools.call('exec_command', { cmd: 'sleep 1000', yield_time_ms: 0 }, { agent });
    const session = before.list.sessions[0] ?? assert.fail('The agent has started nothing.');
    const other = openWindow();
    const elsewhere = await found(other, session.id);
    await other.commands['execSessions.keepRunning'](session.id);
    await until(() => session.snapshot().keep === true);
    await before.commands['execSessions.doNotKeepRunning'](session.id);
    await until(() => elsewhere.snapshot().keep, undefined);
    const failed = await before.run('exit 3');
    await session.process.describe({ endedBy: { kind: 'keepWithoutClient', at: 1, afterSeconds: 600 } });
    await session.process.stop();
    await until(() => session.state, 'closed');
    await close(before);
    await close(other);
    const after = openWindow();
    await found(after, session.id);
    await until(() => after.list.sessions.length, 2);
    const said = await after.user.hears(
      /^"sleep 1000" was ended 10 minutes after the last window had closed\. A setting controls how long/,
    );
    assert.deepEqual(said.actions, ['Open Settings']);
    const description = () =>
      after.services.tree.model.groups.flatMap(({ rows }) => rows).find(({ id }) => id === session.id)
        ?.description;
    await until(() => description()?.startsWith('ended 10 m after the last window · ') === true);
    const next = openWindow();
    await next.globalMemento.update('execSessions.knowsThatSessionsEnd', true);
    await found(next, failed.id);
    await next.run('true');
    await until(() => next.list.get(failed.id)?.state, 'closed');
    assert.deepEqual(
      [after.user.messages.length, next.user.messages],
      [1, []],
      'no more than that, and only once',
    );
  });

  it('call a person in each window of their folder for an agent that is elsewhere', async () => {
    const one = openWindow();
    const other = openWindow();
    const agent = { id: 'Codex', name: 'Codex' };
    const ask = {
      argv: ['bash', '-c', 'read -rsp "Password: " secret; sleep 100'],
      tty: true,
      yield_time_ms: 15_000,
    };
    await one.services.agentTools.call('exec_command', ask, { agent });
    const session = one.list.sessions[0] ?? assert.fail('The agent has started nothing.');
    other.user.buttons.push('Take Control');
    const there = await found(other, session.id);
    await other.user.hears(/^"bash .* waits for a secret, such as a password/);
    await until(() => session.control?.controller === 'person' && there.control?.controller === 'person');
    assert.equal(one.user.messages.length, 1, 'the window of the agent calls once');
  });

  it('are no failures in the next window if a person has stopped them in this one', async () => {
    const before = openWindow();
    const session = await before.start('sleep 100');
    await before.commands['execSessions.stop'](session.id);
    await close(before);
    const back = await found(openWindow(), session.id);
    await until(() => back.state, 'closed');
    const snapshot = back.snapshot();
    assert.deepEqual([snapshot.stopped, snapshot.endedBy], [true, { kind: 'person' }]);
  });

  it('have the terminals again that were open, in their order', async () => {
    const before = openWindow();
    const [first, second, third] = [
      await before.start('sleep 101', { tty: true }),
      await before.start('sleep 102', { tty: true }),
      await before.start('sleep 103', { tty: true }),
    ];
    for (const session of [third, first]) {
      before.services.terminals.open(session);
    }
    const again = before.services.terminals.open(third, { newTerminal: true });
    await until(() => vscode.window.activeTerminal, again);
    before.services.terminals.open(first);
    await until(() => vscode.window.activeTerminal?.name, 'sleep 101');
    before.services.terminals.open(second);
    await until(() => vscode.window.activeTerminal?.name, 'sleep 102');
    vscode.window.terminals.find(({ name }) => name === 'sleep 102')?.dispose();
    await until(() => vscode.window.terminals.length, 3);
    await close(before);
    const after = openWindow(before.memento);
    await found(after, first.id);
    await until(() => vscode.window.terminals.length, 3);
    assert.deepEqual(
      after.services.terminals.all.map(({ session }) => session.title),
      ['sleep 103', 'sleep 101', 'sleep 103'],
    );
  });

  it('are lost, with the reason, when the server is killed, and the next start has a new one', async () => {
    const window = openWindow();
    const session = await window.start('sleep 100');
    await endSessionServers('SIGKILL');
    await until(() => session.state, 'lost');
    const { message } = await window.user.hears(/session/);
    assert.match(message, /session server/);
    const description = () =>
      window.services.tree.model.groups.flatMap(({ rows }) => rows).find(({ id }) => id === session.id)
        ?.description;
    const { failure } = session.snapshot();
    assert.equal(failure?.kind, 'disconnected');
    const reason = 'the session server was killed, or has crashed';
    assert.equal(failureText(failure, english), reason);
    await until(() => description()?.startsWith(`lost: ${reason}`) === true);
    const next = await window.run('echo back');
    assert.equal(await outputOf(next), 'back\n');
    assert.equal(vscode.window.terminals.length, 0);
  });

  it('that are lost may leave detached processes, which the message leads to @all', async () => {
    const window = openWindow();
    const session = await window.start("setsid sh -c 'echo $$; exec sleep 1000' & wait");
    await untilOutput(session, '\n');
    const pid = Number(await outputOf(session));
    try {
      await endSessionServers('SIGKILL');
      const said = await window.user.hears(/server of this machine has ended, and one session with it/);
      assert.deepEqual(said.actions, ['Run Again', 'Show Leftover Processes…', 'Show Log']);
      assert.doesNotThrow(() => process.kill(pid, 0), 'it still runs');
    } finally {
      killIfThere(pid);
    }
  });
});
