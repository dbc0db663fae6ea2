import assert from 'node:assert/strict';

import { useBuildMachine } from './setup.js';

describe('environments', () => {
  const machine = useBuildMachine();
  const { environments, startThere, state } = machine;

  it('are left without a question if nothing runs there', async () => {
    await environments().connect('build');
    await machine.fixture.commands['execSessions.disconnectEnvironment']('build');
    assert.deepEqual([state(), machine.disconnected, machine.fixture.user.messages], ['disconnected', 1, []]);
  });

  it('are not left while something runs there, unless that is meant', async () => {
    const session = await startThere();
    const disconnect = () => machine.fixture.commands['execSessions.disconnectEnvironment']('build');
    await disconnect();
    assert.deepEqual(machine.fixture.user.said, [
      {
        kind: 'confirm',
        message: 'Disconnect from "Build machine"? One session runs there.',
        actions: ['Disconnect', 'Stop and Disconnect'],
      },
    ]);
    assert.equal(state(), 'connected', 'nothing was answered');
    machine.fixture.user.choices.push('Disconnect');
    await disconnect();
    assert.deepEqual([state(), session.state], ['disconnected', 'lost']);
  });

  it('are other machines: this one cannot be disconnected', async () => {
    await machine.fixture.commands['execSessions.disconnectEnvironment']('local');
    assert.deepEqual(machine.fixture.user.messages, [
      'This machine needs no connection; there is nothing to disconnect.',
    ]);
  });
});
