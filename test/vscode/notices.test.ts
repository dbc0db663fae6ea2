import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import * as vscode from 'vscode';

import type { Session } from '../../src/sessions/list/session.js';
import { isFailure } from '../../src/sessions/words/index.js';
import { isInSight } from '../../src/vscode/notice/notices.js';
import { SessionsStatus } from '../../src/vscode/notice/statusBar.js';
import { TaskTerminal } from '../../src/vscode/tasks/taskTerminal.js';
import { until } from '../support/until.js';
import { chosenBackend, Fixture, setSetting } from './fixture.js';

describe('notices about sessions', () => {
  let fixture: Fixture;

  beforeEach(() => {
    fixture = new Fixture();
  });

  afterEach(() => fixture.dispose());

  /** A session that a person has started; no terminal shows it. */
  const startForPerson = (commandLine: string, title = commandLine): Promise<Session> =>
    fixture.services.starter.start(
      {
        command: { kind: 'argv', argv: ['bash', '--norc', '-c', commandLine] },
        title,
        env: {},
        tty: false,
        pipeStdin: false,
        show: false,
      },
      { kind: 'user' },
    );

  it('tell of a failure that nobody sees, and run it again', async () => {
    fixture.user.buttons.push('Restart');
    const session = await startForPerson('exit 3');
    const said = await fixture.user.hears(/^"exit 3" exited with code 3 after/);
    assert.deepEqual(said.actions, ['Show', 'Restart']);
    assert.equal(said.kind, 'warn');
    // At its place of the list, which has it no more.
    await until(
      () => fixture.list.sessions,
      (seen) => seen.some(({ previousId }) => previousId === session.id),
    );
    assert.equal(session.state, 'closed');
  });

  it('report sessions that end soon after the first in one more message, even if that is not answered', async () => {
    fixture.user.warn = (message, ...actions) => {
      fixture.user.said.push({ kind: 'warn', message, actions });
      return new Promise(() => undefined);
    };
    // The second message is about what ends within seconds of the first: everything has begun by then.
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-notices-'));
    const waiting = (code: number) =>
      startForPerson(`until test -e '${folder}/${code}'; do sleep 0.02; done; exit ${code}`, `exit ${code}`);
    const end = async (session: Session, code: number) => {
      fs.writeFileSync(path.join(folder, String(code)), '');
      await until(() => session.state === 'closed');
    };
    await startForPerson('true');
    const stopped = await startForPerson('sleep 1000');
    const sessions = [await waiting(4), await waiting(5), await waiting(6), await waiting(7)] as const;
    await stopped.stop();
    await end(sessions[0], 4);
    await fixture.user.hears(/^"exit 4"/);
    await end(sessions[1], 5);
    fixture.list.remove([sessions[1]]);
    await end(sessions[2], 6);
    await end(sessions[3], 7);
    await fixture.user.hears(/^2 sessions have ended. The last one: "exit 7"/);
    fs.rmSync(folder, { recursive: true });
    assert.equal(fixture.user.messages.length, 2, fixture.user.messages.join());
  });

  it('ignore a session whose terminal is in front in an editor column, and report one that is hidden', async () => {
    const seen = await startForPerson('sleep 1000; exit 3');
    fixture.services.terminals.open(seen, { column: vscode.ViewColumn.One });
    const isInFront = () =>
      vscode.window.tabGroups.all.some(({ activeTab }) => activeTab?.label === 'sleep 1000; exit 3');
    await until(isInFront);
    const inPanel = await startForPerson('sleep 1000');
    fixture.services.terminals.open(inPanel);
    await until(() => fixture.services.terminals.sessionOf(vscode.window.activeTerminal), inPanel);
    assert.ok(isInFront());
    await seen.process.signal('SIGKILL');
    await until(() => seen.state, 'closed');
    await startForPerson('exit 4');
    await fixture.user.hears(/^"exit 4" exited with code 4/);
    assert.equal(fixture.user.messages.length, 1, fixture.user.messages.join());
  });

  it('ignore a task whose terminal is in front', async () => {
    const { terminals } = fixture.services;
    const session = await startForPerson('sleep 1000; exit 3');
    const shown = terminals.forTask(session);
    const pty = new TaskTerminal(session, shown, {
      opened: () => terminals.adopt(shown, 'task'),
      stop: () => undefined,
    });
    vscode.window.createTerminal({ name: 'task', pty }).show();
    await until(() => terminals.sessionOf(vscode.window.activeTerminal), session);
    await session.process.signal('SIGKILL');
    await until(() => session.state, 'closed');
    await until(() => terminals.sessionOf(vscode.window.activeTerminal), undefined);
    await startForPerson('exit 4');
    await fixture.user.hears(/^"exit 4"/);
    assert.equal(fixture.user.messages.length, 1, fixture.user.messages.join());
  });

  it('do not treat a title that several terminals share as visible', () => {
    const named = (name: string) => ({ name }) as vscode.Terminal;
    const [one, other, alone] = [named('dev'), named('dev'), named('alone')];
    const window = {
      activeTerminal: undefined,
      terminals: [one, other, alone],
      tabGroups: {
        all: ['dev', 'alone'].map((label) => ({
          activeTab: { label, input: new vscode.TabInputTerminal() },
        })),
      } as unknown as vscode.TabGroups,
    };
    assert.deepEqual(
      [[one], [other], [one, alone], []].map((terminals) => isInSight(terminals, window)),
      [false, false, true, false],
    );
    assert.equal(isInSight([one], { ...window, activeTerminal: one }), true);
  });

  it('say nothing when a person has ended a session with a signal or Ctrl-C, and its row is not a failure', async () => {
    const signalled = await startForPerson('sleep 1000; true');
    await fixture.commands['execSessions.sendSignal'](signalled.id, undefined, 'SIGTERM');
    const interrupted = await fixture.start('echo ready; exec sleep 1000', { tty: true });
    const terminal = fixture.services.terminals.open(interrupted);
    await until(() => interrupted.process.info().output.bytes > 0);
    terminal.sendText('\u0003', false);
    await until(() => signalled.state === 'closed' && interrupted.state === 'closed');
    for (const session of [signalled, interrupted]) {
      assert.equal(session.snapshot().stopped, true);
      assert.equal(isFailure(session.snapshot()), false);
    }
    await startForPerson('exit 4');
    await fixture.user.hears(/^"exit 4"/);
    const said = fixture.user.messages.filter((message) => !message.startsWith('Sent SIGTERM'));
    assert.equal(said.length, 1, said.join());
  });

  it('say nothing of what was removed meanwhile', async () => {
    const removing = fixture.list.onDidChange(({ session }) => {
      if (session.label === 'exit 3' && session.ended) {
        fixture.list.remove([session]);
      }
    });
    await startForPerson('exit 3');
    await until(() => fixture.list.sessions.length, 0);
    removing.dispose();
    await startForPerson('exit 4');
    await fixture.user.hears(/^"exit 4"/);
    assert.equal(fixture.user.messages.length, 1, fixture.user.messages.join());
  });

  if (chosenBackend === 'server') {
    it('say nothing after a reload of what had ended before it', async () => {
      const failed = await startForPerson('exit 3');
      await fixture.user.hears(/^"exit 3"/);
      const marked = await startForPerson('true');
      await fixture.commands['execSessions.notifyAtEnd'](marked.id);
      await until(() => marked.state, 'closed');
      const before = fixture;
      await before.leave();
      fixture = new Fixture(before.memento);
      await fixture.services.lookForSessions();
      await until(
        () => [failed, marked].map(({ id }) => fixture.list.get(id)?.state).join(),
        'closed,closed',
      );
      await startForPerson('exit 4');
      // Ends are told of in their order: once this one is, the others would have been.
      await fixture.user.hears(/"exit 4"/);
      assert.equal(fixture.user.messages.length, 1, fixture.user.messages.join());
      assert.match(fixture.user.messages[0] ?? '', /^"exit 4"/);
    });
  }

  describe('only about marked sessions', () => {
    beforeEach(() => setSetting('notify', 'marked'));

    afterEach(() => setSetting('notify', undefined));

    it('report every end of a marked session', async () => {
      const marked = await startForPerson('sleep 1000; true');
      await fixture.commands['execSessions.notifyAtEnd'](marked.id);
      await startForPerson('exit 3');
      const other = await startForPerson('exit 4');
      await until(() => other.state, 'closed');
      await marked.process.signal('SIGKILL');
      await fixture.user.hears(/^"sleep 1000; true" was ended by SIGKILL/);
      assert.equal(fixture.user.messages.length, 1, fixture.user.messages.join());
    });

    it('go on for a restarted session, and do not report the stop of the restart', async () => {
      const marked = await startForPerson('sleep 1000; true');
      await fixture.commands['execSessions.notifyAtEnd'](marked.id);
      const next = fixture.list.get((await fixture.commands['execSessions.restart'](marked.id)) ?? '');
      assert.ok(next && marked.ended);
      await next.process.signal('SIGKILL');
      await fixture.user.hears(/^"sleep 1000; true" was ended by SIGKILL/);
      assert.equal(fixture.user.messages.length, 1, fixture.user.messages.join());
    });
  });

  it('count in the status bar what waits and runs, with what can be done about it', async () => {
    const status = new SessionsStatus(fixture.list, () => true, fixture.services.mcpServer);
    try {
      assert.equal(status.text, undefined);
      const session = await startForPerson('sleep 1000');
      await until(() => status.text, '$(terminal) 1');
      const id = encodeURIComponent(JSON.stringify([session.id]));
      assert.ok(status.tooltip.includes(`[Show](command:execSessions.openTerminal?${id})`), status.tooltip);
      assert.ok(status.tooltip.includes(`[Stop](command:execSessions.stop?${id})`), status.tooltip);
      await fixture.services.mcpServer.start(false);
      await until(() => status.text, '$(terminal) 1 $(broadcast)');
      await fixture.services.mcpServer.stop();
      await session.stop();
      await until(() => status.text, undefined);
    } finally {
      status.dispose();
    }
  });

  it('offer control of a waiting session to a person who does not have it', async () => {
    const status = new SessionsStatus(fixture.list, () => true, fixture.services.mcpServer);
    try {
      const session = await fixture.services.starter.start(
        {
          command: { kind: 'argv', argv: ['sleep', '1000'] },
          env: {},
          tty: true,
          pipeStdin: false,
          show: false,
        },
        { kind: 'agent', name: 'Codex' },
      );
      session.control?.waitFor('secret');
      await until(() => status.text, '$(key) 1');
      const { id } = session;
      const link = (title: string, command: string) =>
        `[${title}](command:execSessions.${command}?${encodeURIComponent(JSON.stringify([id]))})`;
      assert.ok(status.tooltip.includes(link('Take Control', 'takeControl')), status.tooltip);
      session.control?.giveTo('person');
      await until(
        () => status.tooltip,
        (seen) => seen.includes(link('Stop', 'stop')),
      );
      assert.ok(!status.tooltip.includes('Take Control'), status.tooltip);
    } finally {
      status.dispose();
    }
  });
});
