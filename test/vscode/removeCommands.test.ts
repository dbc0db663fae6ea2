import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { isRunning } from '../support/processes.js';
import { until } from '../support/until.js';
import { Fixture, outputOf } from './fixture.js';

/** The commands that remove sessions from the list, with a user played by the test. */
describe('the commands that remove', () => {
  let fixture: Fixture;

  beforeEach(() => {
    fixture = new Fixture();
  });

  afterEach(() => fixture.dispose());

  it('remove what has ended, and only that', async () => {
    const running = await fixture.start('sleep 100');
    const closed = await Promise.all([fixture.run('true'), fixture.run('exit 3'), fixture.run('exit 4')]);
    await fixture.commands['execSessions.remove'](running.id);
    await fixture.user.hears(/^"sleep 100" is still running\. Stop it first, then remove it\.$/);
    await fixture.commands['execSessions.remove'](closed[0].id);
    assert.equal(fixture.list.sessions.length, 3);
    await fixture.commands['execSessions.clearClosed']();
    assert.deepEqual(fixture.list.sessions, [running]);
    await fixture.commands['execSessions.clearClosed']();
    await fixture.user.hears(/^No session is closed; there is nothing to clear\.$/);
  });

  it('close the terminals of what has ended, and no row', async () => {
    const { terminals } = fixture.services;
    await fixture.commands['execSessions.closeEndedTerminals']();
    assert.equal(fixture.user.messages.at(-1), 'No terminal shows a session that has ended.');
    const running = await fixture.start('sleep 100', { tty: true });
    const ended = [await fixture.run('true'), await fixture.run(': 1')];
    [running, ...ended].forEach((session) => terminals.open(session));
    await fixture.commands['execSessions.closeEndedTerminals']();
    await until(() => terminals.all.length, 1);
    assert.equal(terminals.all[0]?.session, running);
    assert.equal(fixture.user.messages.length, 1, fixture.user.messages.join());
    assert.deepEqual(fixture.list.sessions, [running, ...ended]);
  });

  it('stop what runs and remove it, if that is what a person answers', async () => {
    const running = await fixture.start('sleep 100');
    fixture.user.buttons.push('Stop and Remove');
    await fixture.commands['execSessions.remove'](running.id);
    await until(() => fixture.list.sessions.length, 0);
    assert.ok(running.ended);
    const second = await fixture.start('sleep 101');
    fixture.selection = [second, await fixture.run('true')];
    fixture.user.buttons.push('', 'Stop and Remove');
    await fixture.commands['execSessions.remove']({ selection: true });
    await until(() => fixture.list.sessions.length, 0);
    assert.ok(second.ended);
  });

  describe('Remove', () => {
    /** Starts a session whose process ends and leaves a child that holds its output open. */
    const startExited = async () => {
      const session = await fixture.start('sleep 100 & echo $!');
      await until(() => session.state, 'exited');
      return { session, child: Number(await outputOf(session)) };
    };

    it('takes what a key is meant for, and nothing where that is no session', async () => {
      await fixture.commands['execSessions.remove']({ selection: true });
      assert.deepEqual([fixture.user.messages, fixture.user.asked], [[], []]);
      const running = await fixture.start('sleep 100');
      fixture.selection = [running, await fixture.run('true')];
      await fixture.commands['execSessions.remove']({ selection: true });
      assert.deepEqual(fixture.list.sessions, [running]);
      assert.deepEqual(fixture.user.messages, [
        'Moved "true" to Ended Earlier.',
        '"sleep 100" is still running and was left in the list. Stop it first.',
      ]);
    });

    it('closes the terminals of what it removes, says how many, and can be undone', async () => {
      const [one, two, three] = await Promise.all([
        fixture.run(': 1'),
        fixture.run(': 2'),
        fixture.run(': 3'),
      ]);
      const { terminals } = fixture.services;
      const kept = terminals.open(await fixture.start('sleep 100'));
      for (const session of [one, two]) {
        terminals.open(session);
      }
      terminals.open(one, { newTerminal: true });
      await until(() => vscode.window.terminals.length, 4);
      fixture.user.buttons.push('Undo');
      await fixture.commands['execSessions.clearClosed']();
      await until(() => vscode.window.terminals.length, 1);
      assert.deepEqual(vscode.window.terminals, [kept]);
      assert.deepEqual(fixture.user.said, [
        {
          kind: 'info',
          message: 'Moved 3 sessions to Ended Earlier. 3 terminals were closed.',
          actions: ['Undo'],
        },
      ]);
      await until(() => fixture.list.sessions.length, 4);
      assert.deepEqual(fixture.list.sessions.slice(0, 3).toSorted(), [one, two, three].toSorted());
      assert.match(await outputOf(one), /^$/);
      await fixture.commands['execSessions.remove'](two.id);
      assert.equal(fixture.list.get(two.id), undefined);
      await fixture.commands['execSessions.undoRemove']();
      assert.equal(fixture.list.get(two.id), two);
      await fixture.commands['execSessions.undoRemove']();
      assert.match(fixture.user.messages.at(-1) ?? '', /^There is nothing to bring back/);
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
      assert.deepEqual(fixture.user.messages, ['Stop "sleep 100 & echo $!"?']);
      await until(() => session.state, 'closed');
      assert.ok(!(await isRunning(child)));
    });
  });
});
