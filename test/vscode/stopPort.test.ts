import assert from 'node:assert/strict';
import { createServer } from 'node:net';

import * as vscode from 'vscode';

import { systemClock } from '../../src/core/index.js';
import type { Session } from '../../src/sessions/list/session.js';
import { realDialogs } from '../../src/vscode/dialogs.js';
import { freePort } from '../support/freePort.js';
import { describeOnLinux } from '../support/onLinux.js';
import { startHolder } from '../support/portHolder.js';
import { ScriptedBackend } from '../support/scriptedBackend.js';
import { until } from '../support/until.js';
import { Fixture, untilOutput } from './fixture.js';

describeOnLinux('Stop What Listens at Port', () => {
  let fixture: Fixture;

  beforeEach(() => {
    fixture = new Fixture();
  });

  afterEach(() => fixture.dispose());

  const stopPort = (port?: number) => fixture.commands['execSessions.stopPort'](port);
  const startServer = async (port: number): Promise<Session> => {
    const code = `
      const server = require('net').createServer().listen(${port}, '127.0.0.1', () => console.log('up'));
      process.on('SIGUSR2', () => server.close(() => console.log('free')));
      setInterval(() => undefined, 1e6);
    `;
    const session = await fixture.start(`exec env ELECTRON_RUN_AS_NODE=1 '${process.execPath}' -e "${code}"`);
    session.rename('web');
    await untilOutput(session, 'up');
    return session;
  };

  it('shows the rows that fit, each with its port once, and stops the chosen one', async () => {
    const port = await freePort();
    const session = await startServer(port);
    fixture.user.typed.push(
      { text: 'no such' },
      { text: `${await freePort()}` },
      { text: `${port}`, pick: ':' },
    );
    await stopPort();
    assert.equal(fixture.user.asked.at(-1), 'Stop What Listens at Port: ');
    await stopPort();
    assert.match(fixture.user.asked.at(-1) ?? '', /: :\d+ See what listens there$/);
    assert.ok(!session.ended, 'nobody has chosen it');
    await stopPort();
    assert.match(fixture.user.asked.at(-1) ?? '', new RegExp(`: :${port} web · < 1 m$`));
    assert.ok(session.ended);
  });

  it('offers sessions of this machine before those of other machines', async () => {
    const port = await freePort();
    const farPort = await freePort();
    await startServer(port);
    const backend = new ScriptedBackend(systemClock);
    await fixture.list.start(
      { id: 'build', label: 'Build machine', backend },
      { argv: ['far'], cwd: '/', env: {}, tty: false, origin: { kind: 'user' } },
    );
    const ports = [port, farPort].map((one) => ({ port: one, addresses: ['127.0.0.1'] }));
    const process = backend.processes.at(-1) ?? assert.fail();
    process.usage = () => Promise.resolve({ processes: 1, cpuSeconds: 0, memoryBytes: 5, ports });
    const rows = async (text: string) => {
      fixture.user.typed.push({ text });
      await stopPort();
      const shown = fixture.user.asked.at(-1)?.replace('Stop What Listens at Port: ', '').split(', ');
      return shown?.map((row) => row.replace(/ · (?:<|\d)[^·]*\b[mhd]\b/, ''));
    };
    const local = `:${port} web`;
    const far = (one: number) => `:${one} far · Build machine`;
    assert.deepEqual(await rows(''), [local, far(port), far(farPort)]);
    assert.deepEqual(await rows(`:${port}`), [local, far(port)]);
    assert.deepEqual(await rows(`${farPort}`), [`:${farPort} See what listens there`, far(farPort)]);
  });

  it('looks again after its question', async () => {
    const port = await freePort();
    const session = await startServer(port);
    fixture.user.confirm = async () => {
      await session.process.signal('SIGUSR2');
      await untilOutput(session, 'free');
      return true;
    };
    await stopPort(port);
    await fixture.user.hears(new RegExp(`^Nothing was stopped: "web" no longer listens at port ${port}`));
    assert.ok(!session.ended && !session.snapshot().stopping, 'it has given up its port alone');
    const stranger = await startHolder();
    fixture.user.confirm = async () => {
      stranger.end();
      await until(() => stranger.hasEnded());
      return true;
    };
    await stopPort(stranger.port);
    await fixture.user.hears(
      new RegExp(`^Nothing was stopped: .*no longer listens at port ${stranger.port}`),
    );
  });

  it('says who still listens after a program has ended', async () => {
    const one = await startHolder();
    const other = await startHolder('127.0.0.2', one.port);
    try {
      fixture.user.confirms.push(true, true);
      await stopPort(one.port);
      await fixture.user.hears(new RegExp(`^Ended .*\\. Port ${one.port} is still in use by .*pid \\d+`));
      assert.equal([one, other].filter(({ hasEnded }) => hasEnded()).length, 1);
      await stopPort(one.port);
      await until(() => one.hasEnded() && other.hasEnded());
      assert.equal(fixture.user.messages.filter((message) => message.startsWith('Ended')).length, 1);
    } finally {
      one.end();
      other.end();
    }
  });

  it('ends nothing that VS Code needs', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    try {
      await until(() => server.listening);
      const address = server.address();
      assert.ok(typeof address === 'object' && address !== null);
      await stopPort(address.port);
      const { message } = await fixture.user.hears(/^Port \d+ is in use by/);
      assert.match(message, /, which is no session of this list\. Nothing was stopped\.$/);
    } finally {
      server.close();
    }
  });
});

describe('A list that follows the typed text', () => {
  it('lets nobody choose a row that VS Code does not show', async () => {
    const row = { label: 'web' };
    const ask = (value: string) =>
      realDialogs.live({
        title: 'Title',
        placeHolder: '',
        value,
        follow: (_, show) => show([row]),
      });
    const accept = () => vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    let chosen: unknown;
    void ask('we').then((one) => {
      chosen = one;
    });
    await until(async () => {
      await accept();
      return chosen;
    }, row);
    const none = ask('no such');
    await accept();
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    assert.equal(await none, undefined);
  });
});
