import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { type Session, SessionEvents, SessionList } from '../../src/sessions/list/index.js';
import { systemClock } from '../../src/core/index.js';
import type { MessageAction } from '../../src/vscode/messages.js';
import { tellOfQuestions } from '../../src/vscode/notice/questionNotices.js';
import { SessionsStatus } from '../../src/vscode/notice/statusBar.js';
import { SessionsView } from '../../src/vscode/tree/sessionsView.js';
import { FakeClock } from '../support/fakeClock.js';
import { describeOnLinux } from '../support/onLinux.js';
import { ScriptedBackend } from '../support/scriptedBackend.js';
import { until } from '../support/until.js';
import { Fixture } from './fixture.js';

describeOnLinux('a program that asks', () => {
  let fixture: Fixture;

  beforeEach(() => {
    fixture = new Fixture();
  });

  afterEach(() => fixture.dispose());

  const start = (commandLine: string) => fixture.start(commandLine, { tty: true });
  const question = (session: Session) => session.snapshot().asks?.question;
  const type = (session: Session, text: string) => session.process.write(new TextEncoder().encode(text));
  const row = () => fixture.services.tree.model.groups.at(0)?.rows.at(0);

  it('is shown by row, badge and status bar, and calls a person, until it has its answer', async () => {
    const { tree } = fixture.services;
    const status = new SessionsStatus(fixture.list, () => true, fixture.services.mcpServer);
    const view = vscode.window.createTreeView('execSessions.test', { treeDataProvider: tree });
    const shown = new SessionsView(tree, view, () => fixture.list.sessions, systemClock);
    try {
      fixture.user.buttons.push('Show');
      const session = await start('read -p "Proceed? (y/n) " answer; echo "so: $answer"; sleep 1000');
      session.rename('setup');
      await until(
        () => row()?.description ?? '',
        (seen) => seen.startsWith('asks: Proceed? (y/n) · '),
      );
      assert.equal(row()?.icon, 'question');
      assert.equal(fixture.services.api.get(session.id)?.info().asks?.question, 'Proceed? (y/n)');
      await until(() => status.text, '$(question) 1');
      await until(() => shown.badge?.tooltip, 'One session waits for you');
      const said = await fixture.user.hears(/asks/);
      assert.equal(said.message, '"setup" asks: Proceed? (y/n)');
      assert.deepEqual(said.actions, ['Show']);
      await until(() => fixture.services.terminals.sessionOf(vscode.window.activeTerminal), session);
      await type(session, 'y\r');
      await until(() => row()?.icon, 'play-circle');
      await until(() => status.text, '$(terminal) 1');
      await until(() => shown.badge?.tooltip, 'One session is running');
      assert.equal(fixture.user.messages.length, 1, fixture.user.messages.join());
    } finally {
      shown.dispose();
      view.dispose();
      status.dispose();
    }
  });

  it('calls nobody to a terminal that is in sight', async () => {
    const seen = await start('read -p "Seen? " answer');
    fixture.services.terminals.open(seen);
    await until(() => fixture.services.terminals.sessionOf(vscode.window.activeTerminal), seen);
    await until(() => question(seen), 'Seen?');
    const unseen = await start('read -p "Unseen? " answer');
    // Questions are told of in their order: once this one is, the other would have been.
    await fixture.user.hears(/asks: Unseen\?$/);
    assert.equal(question(unseen), 'Unseen?');
    assert.equal(fixture.user.messages.length, 1, fixture.user.messages.join());
  });

  it('lets a person take control of the session of an agent', async () => {
    fixture.user.buttons.push('Take Control');
    const session = await fixture.services.starter.start(
      {
        command: { kind: 'argv', argv: ['bash', '--norc', '-c', 'read -p "Proceed? " answer'] },
        env: {},
        tty: true,
        pipeStdin: false,
        show: false,
      },
      { kind: 'agent', name: 'Codex' },
    );
    const said = await fixture.user.hears(/asks: Proceed\?$/);
    assert.deepEqual(said.actions, ['Take Control', 'Show']);
    await until(() => session.control?.controller, 'person');
    await type(session, 'y\r');
    await until(() => session.state, 'closed');
  });

  it('is one of fifty that ask at once, and all are shown @all', async () => {
    const status = new SessionsStatus(fixture.list, () => true, fixture.services.mcpServer);
    try {
      const sessions = await Promise.all(
        Array.from({ length: 50 }, (_, index) => start(`read -p "Number ${index}? " answer`)),
      );
      await until(() => status.text, '$(question) 50');
      assert.deepEqual(
        sessions.map(question),
        sessions.map((_, index) => `Number ${index}?`),
      );
      await Promise.all(sessions.map((session) => type(session, 'y\r')));
      await until(() => status.text, undefined);
    } finally {
      status.dispose();
    }
  });
});

describe('the messages about questions', () => {
  const setUp = async (count: number, isOwn = true) => {
    const clock = new FakeClock();
    const backend = new ScriptedBackend(clock);
    const list = new SessionList({ clock });
    const said: { readonly text: string; readonly actions: readonly MessageAction[] }[] = [];
    const visible = new Set<Session>();
    const shown: Session[] = [];
    const told = tellOfQuestions({
      events: new SessionEvents(list),
      clock,
      messages: { call: (text, actions) => said.push({ text, actions }) },
      isOwn: () => isOwn,
      isVisible: (session) => visible.has(session),
      show: (session) => shown.push(session),
    });
    const environment = { id: 'local', label: 'This machine', backend };
    const request = { argv: ['x'], cwd: '/', env: {}, tty: true, origin: { kind: 'user' } } as const;
    const sessions = await Promise.all(Array.from({ length: count }, () => list.start(environment, request)));
    const [first] = sessions;
    assert.ok(first);
    return { clock, sessions, first, visible, shown, told, said, texts: () => said.map(({ text }) => text) };
  };

  it('are one for many, with a button that shows the view', async () => {
    const { clock, sessions, said } = await setUp(50);
    sessions.forEach((session, index) => {
      session.setQuestion(`Number ${index}?`);
      clock.advance(50);
    });
    clock.advance(60_000);
    assert.deepEqual(
      said.map(({ text, actions }) => [text, ...actions.map(({ title }) => title)]),
      [['50 sessions ask something. The last one: "x" asks: Number 49?', 'Show']],
    );
  });

  it('are none for a question that is answered soon, and one for each that is not', async () => {
    const { clock, first, said, shown, texts } = await setUp(1);
    first.setQuestion('One?');
    clock.advance(1_000);
    first.setQuestion(undefined);
    clock.advance(60_000);
    assert.deepEqual(texts(), []);
    first.setQuestion('Two?');
    first.rename('name');
    clock.advance(60_000);
    first.setQuestion('Three?');
    clock.advance(60_000);
    assert.deepEqual(texts(), ['"name" asks: Two?', '"name" asks: Three?']);
    said[0]?.actions[0]?.run();
    assert.deepEqual(shown, [first]);
  });

  it('do not repeat the same words until somebody has answered them', async () => {
    const { clock, first, visible, texts } = await setUp(1);
    const askAgain = () => {
      first.setQuestion(undefined);
      first.setQuestion('Again?');
      clock.advance(60_000);
      return texts().length;
    };
    assert.deepEqual([askAgain(), askAgain()], [1, 1]);
    visible.add(first);
    assert.equal(askAgain(), 1);
    first.setQuestion(undefined);
    visible.clear();
    assert.equal(askAgain(), 2);
  });

  it('leave sessions of other folders to their windows for a while', async () => {
    const { clock, first, texts } = await setUp(1, false);
    first.setQuestion('Elsewhere?');
    clock.advance(20_000);
    assert.deepEqual(texts(), []);
    clock.advance(20_000);
    assert.deepEqual(texts(), ['"x" asks: Elsewhere?']);
  });

  it('are none after the end', async () => {
    const { clock, first, texts, told } = await setUp(1);
    first.setQuestion('Late?');
    told.dispose();
    clock.advance(60_000);
    assert.deepEqual(texts(), []);
  });
});
