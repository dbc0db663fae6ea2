import assert from 'node:assert/strict';

import { ExecError } from '../../../src/core/index.js';
import { until } from '../../support/until.js';
import { BUILD, useBuildMachine } from './setup.js';

const UNAUTHORIZED = new ExecError({
  kind: 'unauthorized',
  target: BUILD.url,
  reason: 'missing websocket bearer token',
});

describe('environments', () => {
  const machine = useBuildMachine();
  const { configure, environments, state } = machine;

  describe('tokens', () => {
    it('are asked for where the server wants one, and connect then', async () => {
      const { user } = machine.fixture;
      machine.refusals.push(UNAUTHORIZED);
      user.buttons.push('Set Token…');
      user.inputs.push(' s3cret ');
      await machine.fixture.commands['execSessions.connectEnvironment']('build');
      assert.deepEqual(user.said[0]?.actions, ['Set Token…', 'Show Log']);
      await until(() => state(), 'connected');
      assert.deepEqual(
        machine.asked.map(({ token }) => token),
        [undefined, 's3cret'],
      );
      assert.deepEqual(user.asked, ['Token for "Build machine": '], 'an old one is never shown');
    });

    it('belong to one address, and can be taken away (SECURITY.md: An exec-server that you connect to)', async () => {
      machine.fixture.user.inputs.push('s3cret', '');
      await machine.fixture.commands['execSessions.setToken']('build');
      assert.deepEqual([...machine.fixture.secrets.values.values()], ['s3cret']);
      await configure([{ ...BUILD, url: 'ws://127.0.0.1:2' }]);
      await until(() => environments().get('build')?.target, 'ws://127.0.0.1:2');
      await environments().connect('build');
      assert.equal(machine.asked[0]?.token, undefined, 'whoever changes the address does not get the token');
      await environments().disconnect('build');
      await configure([BUILD]);
      await until(() => environments().get('build')?.target, BUILD.url);
      await environments().connect('build');
      assert.equal(machine.asked[1]?.token, 's3cret');
      await machine.fixture.commands['execSessions.setToken']('build');
      assert.equal(machine.fixture.secrets.values.size, 0);
      assert.ok(machine.fixture.user.said.every(({ message }) => !message.includes('s3cret')));
    });

    it('are not for programs', async () => {
      await configure([{ id: 'build', kind: 'command', argv: ['ssh'] }]);
      await until(() => environments().get('build')?.kind, 'command');
      await assert.rejects(
        machine.fixture.commands['execSessions.setToken']('build'),
        /"build" takes no token/,
      );
    });
  });
});
