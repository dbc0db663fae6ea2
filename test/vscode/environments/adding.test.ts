import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { ExecError } from '../../../src/core/index.js';
import { until } from '../../support/until.js';
import { BUILD, useBuildMachine } from './setup.js';

describe('Add Environment', () => {
  const machine = useBuildMachine();
  const { environments, state } = machine;
  const URL = 'ws://127.0.0.1:2';

  const written = () => vscode.workspace.getConfiguration('execSessions').get<unknown>('environments');
  const add = async (target: string | undefined, ...names: string[]) => {
    const { user } = machine.fixture;
    user.picks.push('A server with an address');
    user.inputs.push(target, ...names);
    await machine.fixture.commands['execSessions.addEnvironment']();
  };

  it('asks for the way, the address and the name, tries it, writes it down and connects', async () => {
    await add(URL, 'Second');
    assert.deepEqual(written(), [BUILD, { id: 'second', name: 'Second', kind: 'websocket', url: URL }]);
    assert.deepEqual(machine.fixture.user.asked, [
      'Add Environment: A machine over SSH, A container, A server with an address, Another command',
      'Add Environment: ',
      `Add Environment: ${URL}`,
    ]);
    await until(() => state('second'), 'connected');
    assert.equal(machine.backends.length, 2, 'once to try it');
    assert.equal(machine.disconnected, 1);
  });

  it('writes nothing that could not be reached, unless it is told to', async () => {
    machine.refusals.push(new ExecError({ kind: 'connectionRefused', target: URL }));
    await add(URL, 'Second');
    assert.deepEqual(written(), [BUILD]);
    const said = machine.fixture.user.said.at(-1);
    assert.match(said?.message ?? '', /^"Second" was not reached: /);
    assert.deepEqual(said?.actions, ['Change…', 'Save Anyway']);
    machine.refusals.push(new ExecError({ kind: 'connectionRefused', target: URL }));
    machine.fixture.user.choices.push('Save Anyway');
    await add(URL, 'Second');
    await until(() => environments().definitionOf('second') !== undefined);
    assert.equal(state('second'), 'disconnected');
  });

  it('lets what was typed be changed', async () => {
    machine.refusals.push(new ExecError({ kind: 'connectionRefused', target: URL }));
    machine.fixture.user.choices.push('Change…');
    await add(URL, 'Second', 'ws://127.0.0.1:3', 'Third');
    assert.deepEqual(machine.fixture.user.asked.slice(-2), [
      `Add Environment: ${URL}`,
      'Add Environment: Second',
    ]);
    await until(() => state('third'), 'connected');
    assert.equal(environments().definitionOf('second'), undefined);
  });

  it('asks for a token where the server wants one, and keeps it out of the settings', async () => {
    machine.refusals.push(new ExecError({ kind: 'unauthorized', target: URL, reason: 'no' }));
    machine.fixture.user.choices.push('Set Token…');
    await add(URL, 'Second', ' t0ken ');
    await until(() => state('second'), 'connected');
    assert.deepEqual(
      machine.asked.map(({ token }) => token),
      [undefined, 't0ken', 't0ken'],
    );
    assert.ok(!JSON.stringify(written()).includes('t0ken'));
  });

  it('forgets the token of what is given up', async () => {
    const refused = () => new ExecError({ kind: 'unauthorized', target: URL, reason: 'no' });
    machine.refusals.push(refused(), refused());
    machine.fixture.user.choices.push('Set Token…', undefined);
    await add(URL, 'Second', 't0ken');
    assert.deepEqual(written(), [BUILD]);
    assert.equal(machine.fixture.secrets.values.size, 0);
  });

  it('does nothing for a person who gives up', async () => {
    await add(undefined);
    await machine.fixture.commands['execSessions.addEnvironment']();
    assert.deepEqual(written(), [BUILD]);
    assert.equal(machine.asked.length, 0);
  });
});
