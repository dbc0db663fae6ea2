import assert from 'node:assert/strict';

import { until } from '../../support/until.js';
import { useBuildMachine } from './setup.js';

describe('environments', () => {
  const machine = useBuildMachine();
  const { backend, configure, environments, startThere, state } = machine;

  it('tell of a loss, with a way back, and Run Again takes it', async () => {
    const session = await startThere();
    backend().loses('cut', 45_000);
    assert.equal(state(), 'recovering');
    assert.deepEqual(machine.fixture.user.messages, [], 'the view and the terminals say so');
    machine.fixture.user.buttons.push('Connect');
    backend().fails('the server does not answer.');
    const { message, actions } = await machine.fixture.user.hears(/was lost/);
    assert.equal(
      message,
      'The connection to "Build machine" was lost, and one session with it: the server does not answer.',
    );
    assert.deepEqual(actions, ['Connect', 'Show Log']);
    await until(() => state(), 'connected');
    assert.equal(session.state, 'lost', 'what is lost stays so');
    await environments().disconnect('build');
    const again = await machine.fixture.commands['execSessions.runAgain'](session.id);
    const next = machine.fixture.list.get(again ?? '');
    assert.deepEqual([next?.environment.id, next?.state], ['build', 'running']);
    assert.equal(machine.backends.length, 3);
    assert.equal(next?.environment.backend, backend());
  });

  it('that are gone say so when something is to be run again', async () => {
    const session = await startThere();
    await configure([{ id: 'other', kind: 'command', argv: ['x'] }]);
    await until(() => environments().get('build')?.removed === true);
    backend().fails('gone');
    await until(() => environments().get('build'), undefined);
    assert.equal(await machine.fixture.commands['execSessions.runAgain'](session.id), undefined);
    await machine.fixture.user.hears(/There is no environment "build"\. Look at the setting/);
  });

  it('tell of sessions that were lost when they were, and not once more', async () => {
    await startThere();
    await environments().disconnect('build');
    assert.equal(machine.fixture.list.sessions[0]?.state, 'lost');
    await startThere();
    backend().fails('gone');
    const { message } = await machine.fixture.user.hears(/was lost/);
    assert.match(message, /and one session with it/);
  });
});
