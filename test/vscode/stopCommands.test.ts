import assert from 'node:assert/strict';

import type { LaunchOrigin } from '../../src/core/index.js';
import type { Session } from '../../src/sessions/list/session.js';
import { listProcesses } from '../../src/local/marks/processTable.js';
import { runCommand } from '../../src/vscode/commands/commandHandlers.js';
import { names } from '../../src/vscode/commands/sessionNames.js';
import { onLinux } from '../support/onLinux.js';
import { killIfThere } from '../support/killIfThere.js';
import { commandLine, isRunning } from '../support/processes.js';
import { until } from '../support/until.js';
import { Fixture, outputOf, setSetting, untilOutput } from './fixture.js';

/** The commands that end sessions, with a user played by the test. */
describe('the commands that stop', () => {
  let fixture: Fixture;

  const descriptionOf = (session: Session) =>
    String(fixture.services.tree.getTreeItem(fixture.services.tree.nodeOf(session)).description);

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
      const session = await fixture.start(`setsid sh -c 'echo $$; exec sleep 100' & wait`);
      await untilOutput(session, '\n');
      const outside = Number(await outputOf(session));
      await until(() => commandLine(outside), 'sleep 100 ');
      try {
        await fixture.commands['execSessions.stop'](session.id);
        const { message } = await fixture.user.hears(/had detached itself/);
        assert.match(message, new RegExp(String.raw`sleep.* \(pid ${outside}\)`));
      } finally {
        killIfThere(outside);
      }
    });

    onLinux('names what has detached itself, and lets its user end that, and nothing else', async () => {
      // The same test runs in another VS Code at the same time, so its sleepers are told by a number of this one.
      const sleeper = `sleep 100.${process.pid}`;
      const script = `for n in 1 2; do setsid ${sleeper} </dev/null >/dev/null 2>&1 & done; exec sleep 100`;
      const session = await fixture.start(script);
      const detached = async () =>
        (await listProcesses()).filter(({ pid }) => commandLine(pid) === `${sleeper} `);
      await until(async () => (await detached()).filter(({ pid, sid }) => pid === sid).length, 2);
      const before = (await detached()).map(({ pid }) => pid);
      await fixture.commands['execSessions.stop'](session.id);
      const { actions } = await fixture.user.hears(/2 processes had detached themselves \(setsid\)/);
      assert.deepEqual(actions, ['End…', 'Show Log']);
      await until(
        () => descriptionOf(session),
        (seen) => seen.includes('2 processes still run'),
      );
      for (const left of [1, 0]) {
        fixture.user.picks.push('sleep');
        await fixture.commands['execSessions.endLeftover'](session.id);
        assert.equal((await detached()).filter(({ pid }) => before.includes(pid)).length, left);
        assert.equal(session.survivors.length, left);
      }
      await until(
        () => descriptionOf(session),
        (seen) => !seen.includes('still run'),
      );
      await fixture.commands['execSessions.endLeftover'](session.id);
      await fixture.user.hears(/^No leftover process of/);
    });

    onLinux('shows in its row what a session that has ended by itself has left running', async () => {
      const session = await fixture.run(`trap '' HUP; setsid sleep 100 </dev/null >/dev/null 2>&1 &`);
      await until(() => session.survivors.length, 1);
      await until(
        () => descriptionOf(session),
        (seen) => seen.startsWith('exit 0 · 1 process still runs · '),
      );
      fixture.user.picks.push('sleep');
      await fixture.commands['execSessions.endLeftover'](session.id);
      assert.deepEqual(session.survivors, []);
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
      // A click right after rows have moved would not count.
      const { tree } = fixture.services;
      await until(
        () => running,
        (seen) => seen.every((session) => tree.stillFor(session) > 500),
      );
      await fixture.commands['execSessions.stop'](rows[0], rows);
      assert.deepEqual(
        running.map(({ ended }) => ended),
        [true, true],
      );
    });

    it('does nothing and asks nothing if VS Code no longer knows which row was clicked', async () => {
      const session = await fixture.start('sleep 100');
      const { messages } = fixture.services;
      await runCommand(fixture.commands, messages, 'execSessions.stop', [undefined, [undefined]]);
      assert.deepEqual(fixture.user.asked, []);
      assert.equal(session.snapshot().stopping, false);
      assert.ok(!session.ended);
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

  describe('Stop All', () => {
    /** Another VS Code runs the same test at the same time, so a sleeper is told by a number of this one. */
    const sleeper = (seconds: number) => `sleep ${seconds}.${process.pid}`;
    /** Without the trap, the end of the terminal ends programs that have not detached themselves yet. */
    const leaving = (seconds: number) =>
      `trap '' HUP; setsid ${sleeper(seconds)} </dev/null >/dev/null 2>&1 &`;
    const pidOf = async (seconds: number) =>
      (await listProcesses()).find(({ pid }) => commandLine(pid) === `${sleeper(seconds)} `)?.pid;

    afterEach(async () => {
      for (const seconds of [300, 400]) {
        const pid = await pidOf(seconds);
        if (pid !== undefined) process.kill(pid, 'SIGKILL');
      }
    });

    it('names ten sessions of many, and says which ones agents have started', () => {
      const named = (label: string, origin: LaunchOrigin = { kind: 'user' }) =>
        ({ label, request: { origin } }) as unknown as Session;
      const many = Array.from({ length: 200 }, (_, index) => named(`sleep ${index}`));
      const lines = names([named('npm test', { kind: 'agent', name: 'Codex' }), ...many]).split('\n');
      assert.deepEqual(
        [lines.length, lines[0], lines[10]],
        [11, 'npm test · the agent Codex', 'and 191 more'],
      );
    });

    onLinux(
      'names what ended sessions have left behind when nothing runs, and ends nothing of it',
      async () => {
        const session = await fixture.run(leaving(300));
        await until(async () => (await pidOf(300)) !== undefined);
        await fixture.commands['execSessions.stopAll']();
        const pid = await pidOf(300);
        assert.deepEqual(fixture.user.said, [
          {
            kind: 'warn',
            message: `One process of an ended session still runs and is not ended automatically: sleep (pid ${pid}).`,
            actions: ['End…', 'Show Log'],
          },
        ]);
        assert.equal(session.survivors.length, 1);
        await until(
          () => descriptionOf(session),
          (seen) => seen.includes('1 process still runs'),
        );
        await fixture.run(leaving(400));
        await until(async () => (await pidOf(400)) !== undefined);
        await fixture.commands['execSessions.stopAll']();
        await fixture.user.hears(/^2 processes of ended sessions still run.*sleep.* \(pid \d+\), sleep/);
      },
    );

    onLinux('names it after it has stopped what runs', async () => {
      await fixture.run(leaving(300));
      const running = await fixture.start('sleep 100');
      await until(async () => (await pidOf(300)) !== undefined);
      fixture.user.confirms.push(true);
      await fixture.commands['execSessions.stopAll']();
      assert.ok(running.ended);
      await fixture.user.hears(/^One process of an ended session still runs/);
    });

    onLinux('says nothing of what has ended by itself since the last look', async () => {
      const session = await fixture.run(leaving(300));
      await until(() => session.survivors.length, 1);
      process.kill((await pidOf(300)) ?? assert.fail('It has ended.'), 'SIGKILL');
      await until(() => pidOf(300), undefined);
      await fixture.commands['execSessions.stopAll']();
      assert.deepEqual(fixture.user.messages, ['No session is running; there is nothing to stop.']);
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
    await until(() => session.state, 'closed');
    assert.equal(session.snapshot().exit?.exitCode, 3);
    assert.match(fixture.user.asked[0] ?? '', /^Send Signal: SIGINT, SIGTERM, SIGHUP/);
  });
});
