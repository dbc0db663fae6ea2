import assert from 'node:assert/strict';

import { isRunning, until } from '../support/processes.js';
import { Fixture, outputOf, setSetting, untilOutput } from './fixture.js';

/** The commands that end sessions, with a user played by the test. */
describe('the commands that stop', () => {
  let fixture: Fixture;

  beforeEach(() => {
    fixture = new Fixture();
  });

  afterEach(() => fixture.dispose());

  describe('Stop', () => {
    it('ends a session and what it started', async () => {
      const session = await fixture.start('sleep 100 & echo $!; wait');
      await untilOutput(session, '\n');
      const child = Number(await outputOf(session));
      assert.ok(await isRunning(child));
      await fixture.commands['execSessions.stop'](session.id);
      assert.ok(session.ended);
      assert.ok(!(await isRunning(child)));
      assert.deepEqual(fixture.user.messages, []);
    });

    it('names what it could not reach', async () => {
      const session = await fixture.start('setsid sleep 100 & sleep 0.1; echo $!; wait');
      await untilOutput(session, '\n');
      const outside = Number(await outputOf(session));
      try {
        await fixture.commands['execSessions.stop'](session.id);
        const { message } = await fixture.user.hears(/had detached itself/);
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
      assert.deepEqual(fixture.user.messages, [
        'No session is running.',
        '"true" has ended already; there is nothing to stop.',
        'No session is running; there is nothing to stop.',
      ]);
    });

    it('takes the graces of the settings', async () => {
      await setSetting('stop.interruptMilliseconds', 0);
      await setSetting('stop.terminateMilliseconds', 0);
      try {
        const session = await fixture.start(`trap 'echo told' INT TERM; echo ready; sleep 100 & wait; wait`);
        await untilOutput(session, 'ready');
        await fixture.commands['execSessions.stop'](session.id);
        assert.equal(session.snapshot().exit?.signal, 'SIGKILL');
        assert.equal(await outputOf(session), 'ready\n');
      } finally {
        await setSetting('stop.interruptMilliseconds', undefined);
        await setSetting('stop.terminateMilliseconds', undefined);
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
      assert.match(fixture.user.messages[0] ?? '', /^Kill "/);
    });

    it('does not ask if the setting says so', async () => {
      await setSetting('confirmKill', false);
      try {
        const session = await fixture.start(stubborn);
        await fixture.commands['execSessions.kill'](session.id);
        assert.equal(session.snapshot().exit?.signal, 'SIGKILL');
        assert.deepEqual(fixture.user.messages, []);
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
});
