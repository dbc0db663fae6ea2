import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { ExecError } from '../../../src/core/index.js';
import { until } from '../../support/until.js';
import { BUILD, useBuildMachine } from './setup.js';

describe('Add Environment', () => {
  const machine = useBuildMachine();
  const { environments, state } = machine;
  const URL = 'ws://127.0.0.1:2';
  const ID = 'ws-127-0-0-1-2';
  const SECOND = { id: ID, kind: 'websocket', url: URL };

  const written = () => vscode.workspace.getConfiguration('execSessions').get<unknown>('environments');
  const add = async (text: string, pick = text) => {
    machine.fixture.user.typed.push({ text, pick });
    await machine.fixture.commands['execSessions.addEnvironment']();
  };

  it('asks in one box, tries it, writes it down, and keeps the connection', async () => {
    await add(URL);
    assert.deepEqual(written(), [BUILD, { ...SECOND, name: URL }]);
    await until(() => state(ID), 'connected');
    assert.equal(machine.backends.length, 1, 'a second one might ask for a password again');
    assert.equal(machine.disconnected, 0);
  });

  it('offers machines, and writes the kind of the one that is chosen', async () => {
    machine.fixture.offered = [
      { engine: 'ssh', name: 'web-1' },
      { engine: 'docker', name: 'db' },
    ];
    await add('', 'docker db');
    assert.deepEqual(written(), [
      BUILD,
      { id: 'docker-db', name: 'docker db', kind: 'docker', target: 'db' },
    ]);
    assert.equal(machine.fixture.user.asked.at(-1), 'Add Environment: web-1 , docker db ');
  });

  it('asks again where the text names no machine', async () => {
    machine.fixture.user.typed.push({ text: '-oProxyCommand=x', pick: '-o' });
    await machine.fixture.commands['execSessions.addEnvironment']();
    assert.equal(machine.fixture.user.typed.length, 0);
    assert.equal(machine.asked.length, 0);
    assert.deepEqual(written(), [BUILD]);
  });

  it('asks before a Node is sent, and a person alone', async () => {
    const question = { target: 'web-1', version: '22.1.0', bytes: 36_400_000 };
    const { user } = machine.fixture;
    const signal = new AbortController().signal;
    machine.fixture.connect = async ({ mayInstallNode, onStep }) => {
      onStep?.('look');
      user.confirms.push(true);
      assert.equal(await mayInstallNode(question, signal), true);
      throw new ExecError({ kind: 'noNodeThere', target: 'web-1' });
    };
    await add('web-1');
    assert.equal(user.said[0]?.message, '"web-1" has no Node 20 or newer. Send one (37 MB)?');
    const asked = user.said.length;
    machine.fixture.connect = async ({ mayInstallNode }) => {
      user.confirms.push(true);
      assert.equal(await mayInstallNode(question, signal), false, 'nobody waits for this one');
      throw new ExecError({ kind: 'noNodeThere', target: 'web-1' });
    };
    await assert.rejects(environments().connect('build'));
    assert.equal(user.said.length, asked);
  });

  it('writes nothing that could not be reached, unless it is told to', async () => {
    machine.refusals.push(new ExecError({ kind: 'connectionRefused', target: URL }));
    await add(URL);
    assert.deepEqual(written(), [BUILD]);
    const said = machine.fixture.user.said.at(-1);
    assert.match(said?.message ?? '', /^"ws:.*" was not reached: /);
    assert.deepEqual(said?.actions, ['Change…', 'Save Anyway']);
    machine.refusals.push(new ExecError({ kind: 'connectionRefused', target: URL }));
    machine.fixture.user.choices.push('Save Anyway');
    await add(URL);
    await until(() => environments().definitionOf(ID) !== undefined);
    assert.equal(state(ID), 'disconnected');
  });

  it('lets what was typed be changed', async () => {
    machine.refusals.push(new ExecError({ kind: 'connectionRefused', target: URL }));
    machine.fixture.user.choices.push('Change…');
    machine.fixture.user.typed.push({ text: URL, pick: URL }, { text: `${URL}3`, pick: URL });
    await machine.fixture.commands['execSessions.addEnvironment']();
    await until(() => state(`${ID}3`), 'connected');
    assert.equal(environments().definitionOf(ID), undefined);
  });

  it('asks for a token where the server wants one, and keeps it out of the settings', async () => {
    machine.refusals.push(new ExecError({ kind: 'unauthorized', target: URL, reason: 'no' }));
    machine.fixture.user.choices.push('Set Token…');
    machine.fixture.user.inputs.push(' t0ken ');
    await add(URL);
    await until(() => state(ID), 'connected');
    assert.deepEqual(
      machine.asked.map(({ token }) => token),
      [undefined, 't0ken'],
    );
    assert.ok(!JSON.stringify(written()).includes('t0ken'));
  });

  it('forgets the token of what is given up', async () => {
    const refused = () => new ExecError({ kind: 'unauthorized', target: URL, reason: 'no' });
    machine.refusals.push(refused(), refused());
    machine.fixture.user.choices.push('Set Token…', undefined);
    machine.fixture.user.inputs.push('t0ken');
    await add(URL);
    assert.deepEqual(written(), [BUILD]);
    assert.equal(machine.fixture.secrets.values.size, 0);
  });

  it('does nothing for a person who gives up', async () => {
    await machine.fixture.commands['execSessions.addEnvironment']();
    assert.deepEqual(written(), [BUILD]);
    assert.equal(machine.asked.length, 0);
  });
});
