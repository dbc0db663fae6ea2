import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { CommandId } from '../../../src/vscode/commands/commandIds.js';
import { until } from '../../support/until.js';
import { outputOf, untilOutput } from '../fixture.js';
import { numberIn, useAgents } from './setup.js';

describe('agents', () => {
  const agents = useAgents();
  const { call } = agents;

  describe('a program that asks for a secret', () => {
    it('calls a person, who types it where the agent does not see it', async () => {
      agents.fixture.user.buttons.push('Take Control');
      const answer = await call('exec_command', {
        argv: ['bash', '-c', 'read -rsp "Password: " secret; echo; echo "${#secret} characters"; sleep 100'],
        tty: true,
        yield_time_ms: 15_000,
      });
      assert.match(answer, /^State: waiting for a secret$/m);
      const [session] = agents.fixture.list.sessions;
      assert.ok(session);
      const said = await agents.fixture.user.hears(/waits for a secret, such as a password/);
      assert.deepEqual(said.actions, ['Take Control', 'Show']);
      await until(() => session.control?.controller, 'person');
      await until(() => vscode.window.activeTerminal !== undefined);
      const waiting = call('wait_for', {
        session: numberIn(answer),
        pattern: '\\d+ characters',
        timeout_ms: 15_000,
      });
      await session.process.write(new TextEncoder().encode('hunter2\r'));
      const seen = await waiting;
      assert.match(seen, /7 characters/);
      assert.doesNotMatch(seen, /hunter2/);
      assert.ok(!(await outputOf(session)).includes('hunter2'));
      await until(() => session.snapshot().waitsForPerson, undefined);
    });

    it('stays marked when its message is closed, also for the next prompt, and can be taken by the row', async () => {
      agents.fixture.user.buttons.push(undefined);
      const answer = await call('exec_command', {
        argv: ['bash', '-c', 'read -rsp "One: " a; read -rsp "Two: " b; echo "${#a} and ${#b}"; sleep 100'],
        tty: true,
        yield_time_ms: 15_000,
      });
      const [session] = agents.fixture.list.sessions;
      assert.ok(session);
      await agents.fixture.user.hears(/waits for a secret/);
      assert.deepEqual([session.control?.controller, session.snapshot().waitsForPerson], ['agent', 'secret']);
      const refused = await call('write_stdin', { session: numberIn(answer), chars: 'guessed\r' });
      assert.match(refused, /Nothing was sent/);
      await agents.fixture.commands[CommandId.takeControl](session.id);
      const type = (text: string) => session.process.write(new TextEncoder().encode(text));
      await type('hunter2\r');
      await untilOutput(session, 'Two: ');
      await type('correct horse\r');
      await untilOutput(session, '7 and 13');
      await until(() => session.snapshot().waitsForPerson, undefined);
      const seen = await call('read_output', { session: numberIn(answer), cursor: '0' });
      assert.doesNotMatch(seen + (await outputOf(session)), /hunter2|correct horse|guessed/);
    });

    it('leaves control where it is when its message is answered too late', async () => {
      let choose: ((action: string) => void) | undefined;
      agents.fixture.user.error = (message) =>
        new Promise((resolve) => {
          assert.match(message, /waits for a secret/);
          choose = resolve;
        });
      await call('exec_command', {
        argv: ['bash', '-c', 'read -rsp "Password: " secret; echo over; sleep 100'],
        tty: true,
        yield_time_ms: 15_000,
      });
      const [session] = agents.fixture.list.sessions;
      assert.ok(session);
      await until(() => choose !== undefined);
      await session.process.write(new TextEncoder().encode('typed elsewhere\r'));
      await untilOutput(session, 'over');
      await until(() => session.snapshot().waitsForPerson, undefined);
      choose?.('Take Control');
      await until(() => vscode.window.terminals.length, 1);
      assert.equal(session.control?.controller, 'agent');
    });

    it('is marked in the tree while it waits', async () => {
      await call('exec_command', {
        argv: ['bash', '-c', 'read -rsp "Password: " secret; sleep 100'],
        tty: true,
        yield_time_ms: 15_000,
      });
      await until(
        () =>
          agents.fixture.services.tree.model.groups[0]?.rows[0]?.description.startsWith(
            'waits for a secret',
          ) === true,
      );
      assert.equal(agents.fixture.services.tree.model.groups[0]?.rows[0]?.icon, 'key');
    });
  });
});
