import assert from 'node:assert/strict';
import path from 'node:path';

import type { ConnectionState } from '../../src/core/index.js';
import {
  commandConnector,
  RemoteBackend,
  webSocketConnector,
  type Connector,
} from '../../src/remote/index.js';
import { listProcesses } from '../../src/local/marks/processTable.js';
import { collectEvents, untilEvent, untilOutput } from '../support/collect.js';
import { makeServerHome, ownServer, type ServerHome, startOwnServer } from '../support/execServer.js';
import { commandLine, isRunning } from '../support/processes.js';
import { until } from '../support/until.js';
import { usePrograms } from '../server/program.js';
import { sh } from '../server/rawClient.js';

const env = { PATH: '/bin:/usr/bin' };

/**
 * Starts one process that ends by itself, one that leaves its output open, and two that do not end, and tells the server
 * to end.
 */
async function endTheServer(connector: Connector, end: () => void | Promise<void>) {
  const backend = await RemoteBackend.connect({ connector, clientName: 'x' });
  const states: ConnectionState[] = [];
  backend.onDidChangeConnection((state) => states.push(state));
  const start = (processId: string, tty: boolean, script: string) =>
    backend.start({ processId, argv: ['/bin/sh', '-c', script], cwd: '/', env, tty, pipeStdin: true });
  const first = await start('first', false, 'read x; echo "$x"; exit 3');
  const open = await start('open', false, 'sleep 1000 & exit 4');
  await untilEvent(open, 'exited');
  const others = [
    await start('pipes', false, 'echo ready; sleep 1000'),
    await start('tty', true, 'echo ready; sleep 1000'),
  ];
  await Promise.all(others.map((other) => untilOutput(other, 'ready')));
  const ended = Promise.all([first, ...others].map((one) => collectEvents(one)));
  await first.write(Buffer.from('last words\n'));
  // The exit has happened then, but the client may not know of it yet.
  const { pid = assert.fail('The server does not name the process.') } = first.info();
  await until(async () => !(await isRunning(pid)));
  await end();
  const [one, ...rest] = await ended;
  // Otherwise its ended processes would hold this program for half a minute.
  await backend.shutdown();
  return { states, one, rest, open: open.info() };
}

describe('A server that is told to end @all', () => {
  let home: ServerHome;
  beforeEach(() => (home = makeServerHome()));
  afterEach(() => home.remove());
  const childServer = async (marker: string) => {
    const rows = await listProcesses();
    return rows.find(({ pid }) => commandLine(pid).includes(`${ownServer} ${marker}`))?.pid ?? 0;
  };

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    it(`by ${signal} tells the exits that happened, and that it has ended the rest`, async () => {
      const server = await startOwnServer();
      const { states, one, rest, open } = await endTheServer(
        webSocketConnector({ url: server.url }),
        () => void process.kill(server.pid, signal),
      );
      assert.deepEqual([one?.stdout, one?.exit?.exitCode], ['last words\n', 3]);
      assert.equal(one?.events.at(-1)?.type, 'closed');
      const reason = { kind: 'serverEnded', signal };
      for (const { events } of rest) {
        assert.deepEqual(events.at(-1), { type: 'failed', failure: { kind: 'disconnected', reason } });
      }
      assert.deepEqual([open.exit?.exitCode, open.failure], [4, { kind: 'disconnected', reason }]);
      assert.deepEqual(states, [{ kind: 'lost', reason }]);
      await until(async () => !(await isRunning(server.pid)));
      await server.stop();
    });
  }

  it('says so through the bridge, which starts no other one', async () => {
    const socket = path.join(home.folder, 'own/socket');
    const argv = [process.execPath, ownServer, 'bridge', '--stdio', '--socket', socket];
    const connector = commandConnector({ argv, cwd: home.folder, env: home.env });
    const { states, one } = await endTheServer(connector, async () => {
      process.kill(await childServer(`--listen unix:${socket}`), 'SIGTERM');
    });
    assert.equal(one?.exit?.exitCode, 3);
    assert.deepEqual(states, [{ kind: 'lost', reason: { kind: 'serverEnded', signal: 'SIGTERM' } }]);
    await until(
      () => listProcesses(),
      (seen) => seen.every(({ pid }) => !commandLine(pid).includes(socket)),
    );
  });

  const programs = usePrograms();
  it('tells a client that takes no goodbye the ends of all its processes', async () => {
    const program = programs.run(['--listen', 'stdio']);
    const client = program.client();
    await client.handshake();
    await client.start('p', sh('echo ready; sleep 1000'));
    await client.told('p', 'output');
    program.kill('SIGTERM');
    const { params } = await client.told('p', 'exited');
    assert.equal(params['exitCode'], 137);
    await client.told('p', 'closed');
    assert.equal(await program.ended, 0);
    assert.ok(client.notifications.every(({ method }) => !method.startsWith('server/')));
  });
});
