import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { BUILD, useBuildMachine } from './setup.js';

const BOX = { id: 'box', kind: 'ssh', target: 'box.example.com' };

describe('Remove Server', () => {
  const machine = useBuildMachine();
  const forced: boolean[] = [];
  const written = () => vscode.workspace.getConfiguration('execSessions').get<unknown>('environments');
  const remove = (id = 'box') => machine.fixture.commands['execSessions.removeServer'](id);

  beforeEach(async () => {
    forced.length = 0;
    await machine.configure([BUILD, BOX]);
    machine.fixture.removeServer = (definition, force) => {
      forced.push(force);
      assert.equal(definition.kind, 'ssh');
      return Promise.resolve(force ? { kind: 'removed' } : { kind: 'running', sessions: 3 });
    };
  });

  it('asks, asks again about running sessions, and offers to forget the machine', async () => {
    await machine.environments().connect('box');
    const { user } = machine.fixture;
    user.confirms.push(true, true);
    user.buttons.push('Remove from Settings');
    await remove();
    assert.deepEqual(forced, [false, true]);
    assert.equal(machine.disconnected, 1, 'a lost connection would install it again');
    assert.deepEqual(user.messages.slice(-3), [
      'Remove the server from "box"?',
      '3 sessions run in "box". End them too?',
      'Removed the server from "box".',
    ]);
    assert.deepEqual(written(), [BUILD]);
  });

  it('leaves everything to a person who does not confirm', async () => {
    await remove();
    assert.deepEqual(forced, []);
    machine.fixture.user.confirms.push(true, false);
    await remove();
    assert.deepEqual(forced, [false]);
    assert.deepEqual(written(), [BUILD, BOX]);
  });

  it('is not for what somebody else has installed', async () => {
    await assert.rejects(remove('build'), /No server of Exec Sessions was installed/);
    assert.deepEqual(forced, []);
  });
});
