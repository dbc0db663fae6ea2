import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { connectRemote } from '../../../src/vscode/environments/connectRemote.js';
import { until } from '../../support/until.js';
import { extension, FakeMemento, Fixture, setSetting, untilOutput } from '../fixture.js';

/** Our exec-server at an address, started by a person who does not use VS Code. */
async function startServer(): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const program = path.join(extension().extensionPath, 'dist/exec-server.js');
  const child = spawn(process.execPath, [program, '--listen', 'ws://127.0.0.1:0'], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { url, child };
}

describe('sessions at the address of a server', () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  const windows: Fixture[] = [];

  before(async () => {
    server = await startServer();
    await setSetting('environments', [
      { id: 'address', name: 'Address', kind: 'websocket', url: server.url },
    ]);
  });

  after(async () => {
    await setSetting('environments', undefined);
    const ended = once(server.child, 'exit');
    server.child.kill();
    await ended;
  });

  afterEach(async () => {
    await Promise.all(windows.splice(0).map((window) => window.dispose()));
  });

  const openWindow = async (memento: FakeMemento): Promise<Fixture> => {
    const window = new Fixture(memento);
    windows.push(window);
    window.connect = connectRemote;
    await until(() => window.services.environments.get('address') !== undefined);
    return window;
  };

  const startThere = async ({ user, commands, list }: Fixture, text: string) => {
    user.commandLines.push({ text, mode: 'pipesWithInput' });
    const session = list.get((await commands['execSessions.newSessionInEnvironment']('address')) ?? '');
    assert.ok(session);
    return session;
  };

  const findAgain = async ({ commands, list }: Fixture) => {
    await commands['execSessions.connectEnvironment']('address');
    await until(() => list.sessions.length > 0);
    return list.sessions[0] ?? assert.fail();
  };

  it('are found again by the next window, with all output, and can be typed into', async () => {
    const memento = new FakeMemento();
    const before = await openWindow(memento);
    const session = await startThere(before, 'read -r line; echo "got $line"; exec sleep 1000');
    await before.commands['execSessions.rename'](session.id, undefined, 'Reader');
    await before.services.environments.disconnect('address');

    const next = await openWindow(memento);
    const found = await findAgain(next);
    assert.equal(found.id, session.id);
    await until(() => found.label, 'Reader');
    await next.commands['execSessions.sendText'](found.id, undefined, 'typed');
    await untilOutput(found, 'got typed');
    assert.ok(next.user.messages.every((message) => !message.includes('lost')));
  });

  it('keep no secret of their commands in the window, and are then not run again', async () => {
    const memento = new FakeMemento();
    const before = await openWindow(memento);
    await startThere(before, 'export API_TOKEN=hidden-word; exec sleep 1000');
    const stored = JSON.stringify(memento.get('execSessions.connectionSessions'));
    assert.ok(stored.includes('exec sleep 1000'), stored);
    assert.ok(!stored.includes('hidden-word'), stored);
    await before.services.environments.disconnect('address');

    const next = await openWindow(memento);
    const found = await findAgain(next);
    assert.match(found.commandLine, /exec sleep 1000$/);
    assert.equal(await next.commands['execSessions.runAgain'](found.id), undefined);
    assert.equal(next.list.sessions.length, 1);
  });
});
