import assert from 'node:assert/strict';

import { until } from '../../support/until.js';
import { setSetting } from '../fixture.js';
import { BUILD, useBuildMachine } from './setup.js';

describe('environments', () => {
  const machine = useBuildMachine();
  const { configure, environments, state } = machine;

  it('say how to add the first one', async () => {
    await setSetting('environments', undefined);
    await until(() => environments().all.length, 1);
    for (const command of [
      'execSessions.connectEnvironment',
      'execSessions.newSessionInEnvironment',
      'execSessions.disconnectEnvironment',
      'execSessions.setToken',
    ] as const) {
      machine.fixture.user.said.length = 0;
      await machine.fixture.commands[command]();
      const [message] = machine.fixture.user.said;
      assert.match(message?.message ?? '', /no environment besides this machine yet\. Add one: /);
      assert.deepEqual(message?.actions, ['Add Environment…', 'Open Settings']);
    }
  });

  it('name wrong entries of the setting in one message, and work with the others', async () => {
    await configure([{ ...BUILD, url: 'ws://me:hunter2@x' }, BUILD, { id: 'local' }]);
    const { message, actions } = await machine.fixture.user.hears(/has entries that were left out/);
    assert.match(message, /number 1 \("build"\): .*Set Token…; number 3 \("local"\): /);
    assert.doesNotMatch(message, /hunter2/);
    assert.deepEqual(actions, ['Open Settings', 'Show Log']);
    assert.equal(state(), 'disconnected');
    assert.equal(machine.fixture.user.said.length, 1);
  });
});
