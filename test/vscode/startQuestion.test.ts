import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import type { Session } from '../../src/sessions/list/session.js';
import { freePort } from '../support/freePort.js';
import { onLinux } from '../support/onLinux.js';
import { startHolder } from '../support/portHolder.js';
import { until } from '../support/until.js';
import { Fixture, untilOutput } from './fixture.js';

/** The question before a start of what runs already, with a user played by the test. */
describe('a start of what runs already', () => {
  let fixture: Fixture;
  let text: string;
  let server: Session;

  const ask = async (typed: string, choice?: string): Promise<Session | undefined> => {
    fixture.user.commandLines.push({ text: typed, mode: 'pipes' });
    fixture.user.choices.push(choice);
    return fixture.list.get((await fixture.commands['execSessions.newSession']()) ?? '');
  };
  const questions = () => fixture.user.said.filter(({ kind }) => kind === 'confirm');

  beforeEach(async () => {
    fixture = new Fixture();
    const code = `require("net").createServer().listen(${await freePort()}, "127.0.0.1", () => console.log("up"))`;
    text = `exec '${process.execPath}' -e '${code}'`;
    server = (await ask(text)) ?? assert.fail();
    await untilOutput(server, 'up');
    fixture.user.choices.length = 0;
  });

  afterEach(() => fixture.dispose());

  onLinux('asks, and starts nothing without an answer, 20 of 20 times', async () => {
    for (let time = 0; time < 20; time += 1) {
      assert.equal(await ask(text), undefined);
    }
    assert.deepEqual(fixture.list.sessions, [server]);
    const [first] = questions();
    assert.match(first?.message ?? '', /is still running\.$/);
    assert.deepEqual(first?.actions, ['Show It', 'Restart It', 'Start Anyway']);
    assert.equal(questions().length, 20);
    assert.deepEqual(
      fixture.user.said.filter(({ kind }) => kind === 'error'),
      [],
    );
  });

  onLinux('shows it, restarts it, or starts a second one, as the user chooses', async () => {
    assert.equal(await ask(text, 'Show It'), undefined);
    await until(() => fixture.services.terminals.sessionOf(vscode.window.activeTerminal), server);
    assert.equal(await ask(text, 'Restart It'), undefined);
    assert.equal(server.ended, true);
    const next = fixture.list.sessions.find(({ ended }) => !ended) ?? assert.fail();
    await untilOutput(next, 'up');
    const second = (await ask(text, 'Start Anyway')) ?? assert.fail();
    await until(() => second.ended);
  });

  onLinux('asks about a port that another program has, also before Run Again', async () => {
    const holder = await startHolder();
    try {
      const typed = `true app.js --port ${holder.port}`;
      assert.equal(await ask(typed), undefined);
      const question = questions().at(-1);
      assert.match(
        question?.message ?? '',
        new RegExp(`^Port ${holder.port} is in use by .*\\(pid \\d+\\)\\.$`),
      );
      assert.deepEqual(question?.actions, ['Start Anyway']);
      const session = (await ask(typed, 'Start Anyway')) ?? assert.fail();
      await until(() => session.state, 'closed');
      fixture.user.choices.push(undefined);
      await assert.rejects(fixture.commands['execSessions.runAgain'](session.id), vscode.CancellationError);
      assert.equal(questions().length, 3);
    } finally {
      holder.end();
    }
  });

  onLinux('is not asked about where a program starts it', async () => {
    const { commandLine, cwd } = server;
    const id = await fixture.commands['execSessions.newSession']({
      commandLine,
      cwd,
      tty: false,
      show: false,
    });
    assert.ok(fixture.list.get(id ?? ''));
    assert.deepEqual(questions(), []);
  });
});
