import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import type { Session } from '../../../src/sessions/list/session.js';
import { lookOf } from '../../../src/sessions/words/index.js';
import { CommandId } from '../../../src/vscode/commands/commandIds.js';
import { until } from '../../support/until.js';
import { outputOf, setSetting, untilOutput } from '../fixture.js';
import { useAgents } from './setup.js';

describe('agents', () => {
  const agents = useAgents();
  const { call, startCat } = agents;

  describe('their sessions', () => {
    it('are rows that say so', async () => {
      const { session } = await startCat();
      const row = () => agents.fixture.services.tree.model.groups[0]?.rows[0];
      await until(() => row()?.contextValue.includes(';agentControlled;') === true);
      assert.match(row()?.description ?? '', / · agent$/);
      session.control?.giveTo('person');
      await until(() => row()?.description.endsWith(' · agent, you control') === true);
      assert.match(row()?.contextValue ?? '', /;taken;/);
    });

    /** Opens a terminal on a session that has printed `ready`, and collects the text that the terminal shows. */
    const watch = async (session: Session) => {
      const terminal = agents.fixture.services.terminals.open(session);
      const shown = { terminal, text: '' };
      (terminal.creationOptions as vscode.ExtensionTerminalOptions).pty.onDidWrite(
        (text) => (shown.text += text),
      );
      // The mark before the output has the command line, which says it too.
      await until(
        () => shown.text.replaceAll(/\u001b\].*?\u0007/gs, ''),
        (seen) => seen.includes('ready'),
      );
      return shown;
    };

    const startScript = async (script: string): Promise<Session> => {
      await call('exec_command', { argv: ['bash', '-c', script], tty: true, yield_time_ms: 0 });
      const session = agents.fixture.list.sessions.at(-1);
      assert.ok(session);
      return session;
    };

    it('are read-only in a terminal until a person takes control there', async () => {
      const session = await startScript('echo ready; exec cat');
      const shown = await watch(session);
      shown.terminal.sendText('too early');
      await until(
        () => shown.text,
        (seen) => seen.includes('the agent Codex controls this session: what you type is not sent.'),
      );
      await agents.fixture.commands[CommandId.takeControl](shown.terminal);
      shown.terminal.sendText('typed by a person');
      await untilOutput(session, 'typed by a person');
      assert.ok(!(await outputOf(session)).includes('too early'));
      await agents.fixture.commands[CommandId.giveBackControl](shown.terminal);
      assert.equal(session.control?.controller, 'agent');
    });

    it('have a terminal that answers the program while nobody may type', async () => {
      const ask = String.raw`printf '\e[6n'; IFS= read -rsd R answer; printf 'answer:%q\n' "$answer"`;
      const session = await startScript(
        `trap 'asked=1' USR1; echo ready; until [ "$asked" ]; do sleep 0.1; done; ${ask}`,
      );
      await watch(session);
      await session.process.signal('SIGUSR1');
      await until(
        () => outputOf(session),
        (seen) => /answer:\$'\\E\[\d+;1'/.test(seen),
      );
    });

    it('take no text from commands, which offer to take control', async () => {
      const { session } = await startCat();
      agents.fixture.user.buttons.push('Take Control');
      await agents.fixture.commands[CommandId.sendText](session.id, undefined, 'not sent');
      const said = await agents.fixture.user.hears(/Nothing was sent to "cat": the agent Codex controls it/);
      assert.deepEqual(said.actions, ['Take Control']);
      await until(() => session.control?.controller, 'person');
      const typed: string[] = [];
      session.control?.onPersonTypes((text) => typed.push(text));
      await agents.fixture.commands[CommandId.sendText](session.id, undefined, 'sent');
      await untilOutput(session, 'sent');
      // The agent is told of it like of keys, so that it takes no echo for output.
      assert.deepEqual(typed, ['sent\r']);
      assert.ok(!(await outputOf(session)).includes('not sent'));
      session.control?.giveTo('agent');
      await agents.fixture.commands[CommandId.closeStandardInput](session.id);
      assert.equal(session.state, 'running');
      assert.equal(agents.fixture.user.said.length, 2);
    });

    it('can always be stopped', async () => {
      const { session } = await startCat();
      await agents.fixture.commands[CommandId.stop](session.id);
      assert.equal(session.ended, true);
      await agents.fixture.commands[CommandId.takeControl](session.id);
      await agents.fixture.user.hears(/"cat" is not running; there is nothing to take control of/);
    });

    it('tell nothing any more once agents are switched off, and go on', async () => {
      const { number, session } = await startCat();
      const waiting = call('wait_for', { session: number, exit: true, timeout_ms: 55_000 });
      const other = call('list_sessions', {});
      await setSetting('agents.enabled', false);
      try {
        agents.fixture.services.agentTools.checkEnabled();
        assert.match(await waiting, /switched off/);
        await other;
        assert.equal(session.state, 'running');
      } finally {
        await setSetting('agents.enabled', undefined);
      }
      assert.match(await call('read_output', { session: number }), /^State: running\b/m);
    });

    it('can be removed by a person while an agent waits for them', async () => {
      const { number, session } = await startCat();
      const waiting = call('wait_for', { session: number, closed: true });
      await agents.fixture.services.list.sessions[0]?.process.signal('SIGKILL');
      await until(() => session.state, 'closed');
      await agents.fixture.commands[CommandId.remove](session.id);
      assert.deepEqual(agents.fixture.list.sessions, []);
      assert.match(await waiting, /SIGKILL/);
      const read = await call('read_output', { session: number });
      assert.match(read, /a person, or a limit, has taken it off the list/);
      assert.match(
        await call('write_stdin', { session: number, chars: 'x' }),
        /nothing was sent|off the list/i,
      );
      assert.match(await call('list_sessions', {}), new RegExp(`\\b${number}\\b.*cat`));
    });

    it('look stopped by a person only if a person has interrupted them', async () => {
      const startReady = async () => {
        const started = await startCat();
        await started.session.process.write(new TextEncoder().encode('here\n'));
        // The terminal echoes it, and then cat repeats it.
        await until(async () => (await outputOf(started.session)).split('here').length, 3);
        return started;
      };
      const { number, session } = await startReady();
      await call('send_signal', { session: number, signal: 'SIGINT' });
      const { session: other } = await startReady();
      await other.signalAsPerson('SIGINT');
      await until(() => session.state === 'closed' && other.state === 'closed');
      assert.deepEqual(
        [session, other].map((one) => lookOf(one.snapshot())),
        ['killed', 'stopped'],
      );
    });

    it('are read-only in every terminal, and open for typing in every terminal of whoever has control', async () => {
      const session = await startScript('echo ready; exec cat');
      const first = await watch(session);
      await agents.fixture.commands[CommandId.openAnotherTerminal](session.id);
      await until(() => vscode.window.terminals.length, 2);
      const second = vscode.window.terminals.find((terminal) => terminal !== first.terminal);
      assert.ok(second);
      const shown = { text: '' };
      (second.creationOptions as vscode.ExtensionTerminalOptions).pty.onDidWrite(
        (text) => (shown.text += text),
      );
      first.terminal.sendText('refused one');
      second.sendText('refused two');
      await until(() =>
        [first, shown].every(({ text }) => text.includes('controls this session: what you type is not sent')),
      );
      session.control?.giveTo('person');
      second.sendText('typed in the second');
      await untilOutput(session, 'typed in the second');
      first.terminal.sendText('typed in the first');
      await untilOutput(session, 'typed in the first');
      assert.doesNotMatch(await outputOf(session), /refused/);
    });

    it('start nothing in a workspace that is not trusted, and nowhere that is not there', async () => {
      assert.match(await call('exec_command', { cmd: 'true', environment: 'nowhere' }), /nowhere/);
      assert.match(await call('exec_command', { cmd: 'true', workdir: '/no/such/place' }), /no\/such\/place/);
      agents.fixture.trusted = false;
      assert.match(await call('exec_command', { cmd: 'true' }), /not trusted/);
      assert.deepEqual(agents.fixture.list.sessions, []);
    });
  });
});
