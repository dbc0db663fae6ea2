import assert from 'node:assert/strict';

import { isRunning, until } from '../support/processes.js';
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
    assert.deepEqual(fixture.user.messages, ['"sleep 100" is still running. Stop it first, then remove it.']);
    await fixture.commands['execSessions.remove'](closed[0].id);
    assert.equal(fixture.list.sessions.length, 3);
    await fixture.commands['execSessions.clearClosed']();
    assert.deepEqual(fixture.list.sessions, [running]);
    await fixture.commands['execSessions.clearClosed']();
    assert.equal(fixture.user.messages.at(-1), 'No session is closed; there is nothing to clear.');
  });

  describe('Remove', () => {
    /** Starts a session whose process ends and leaves a child that holds its output open. */
    const startExited = async () => {
      const session = await fixture.start('sleep 100 & echo $!');
      await until(() => session.state === 'exited');
      return { session, child: Number(await outputOf(session)) };
    };

    it('says what a key would remove, since it may be another row that has the focus', async () => {
      fixture.selection = [await fixture.run('true')];
      await fixture.commands['execSessions.remove']({ selection: true });
      assert.deepEqual(fixture.user.messages, ['Remove "true" from the list?']);
      assert.equal(fixture.list.sessions.length, 1, 'the answer was no');
      fixture.user.confirms.push(true);
      await fixture.commands['execSessions.remove']({ selection: true });
      assert.deepEqual(fixture.list.sessions, []);
    });

    it('lets one choose after a key if nothing is selected', async () => {
      await fixture.run('true');
      fixture.user.picks.push('true');
      await fixture.commands['execSessions.remove']({ selection: true });
      assert.deepEqual([fixture.list.sessions, fixture.user.messages], [[], []]);
    });

    it('says which ones it left, and why', async () => {
      const running = await fixture.start('sleep 100');
      fixture.selection = [running, await fixture.run('true')];
      fixture.user.confirms.push(true);
      await fixture.commands['execSessions.remove']({ selection: true });
      assert.deepEqual(fixture.list.sessions, [running]);
      assert.deepEqual(fixture.user.messages, [
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
      assert.deepEqual(fixture.user.messages, ['Stop "sleep 100 & echo $!"?']);
      await until(() => session.state === 'closed');
      assert.ok(!(await isRunning(child)));
    });
  });
});
