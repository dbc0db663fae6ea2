import assert from 'node:assert/strict';

import { commandConnector, RemoteBackend } from '../../src/remote/index.js';
import { collectEvents, untilEvent, untilOutput } from '../support/collect.js';
import { makeServerHome, ownServer, type ServerHome } from '../support/execServer.js';
import { killIfThere } from '../support/killIfThere.js';
import { commandLine } from '../support/processes.js';
import { until } from '../support/until.js';
import { listProcesses } from '../../src/local/marks/processTable.js';
import { wireText } from '../support/failures.js';

/** Servers that a command leads to. The command may die and be started again. */
describe('A server whose command dies @all', () => {
  let home: ServerHome;
  let backend: RemoteBackend | undefined;

  beforeEach(() => {
    home = makeServerHome();
  });
  afterEach(async () => {
    await backend?.shutdown({ graceMs: { interrupt: 0 } });
    // The server that the bridge has started waits for other clients.
    const left = (await listProcesses()).filter(({ pid }) => commandLine(pid).includes(home.folder));
    left.forEach(({ pid }) => killIfThere(pid));
    await home.remove();
  });

  const connect = async (...args: string[]) => {
    const argv = [process.execPath, ownServer, ...args];
    const connector = commandConnector({ argv, cwd: home.folder, env: home.env });
    backend = await RemoteBackend.connect({ connector, clientName: 'command' });
    return backend;
  };
  const start = (on: RemoteBackend, script: string) => {
    const argv = ['/bin/sh', '-c', script];
    const env = { PATH: process.env['PATH'] ?? '/bin:/usr/bin' };
    return on.start({ processId: 'p', argv, cwd: home.folder, env, tty: false, pipeStdin: true });
  };
  /** Kills the command that this test has started with these arguments. */
  const kill = async (args: string) => {
    const rows = await listProcesses();
    const row = rows.find(
      ({ pid, ppid }) => ppid === process.pid && commandLine(pid).trim().endsWith(`${ownServer} ${args}`),
    );
    assert.ok(row);
    process.kill(row.pid, 'SIGKILL');
  };

  it('is lost at once if its processes died with it', async () => {
    const args = ['--listen', 'stdio'];
    const process = await start(await connect(...args), 'echo ready; sleep 100');
    await untilOutput(process, 'ready');
    await kill(args.join(' '));
    assert.match(
      wireText((await untilEvent(process, 'failed')).failure),
      /^exec-server transport disconnected: it was ended by SIGKILL; failed to resume exec-server session: exec-server rejected request \(-32600\): unknown session id/,
    );
  });

  it('is taken up again through the bridge, and nothing is lost', async () => {
    const args = ['bridge', '--stdio', '--socket', `${home.folder}/private/socket`];
    const on = await connect(...args);
    const process = await start(on, 'i=0; while [ $i -lt 200 ]; do echo $i; i=$((i+1)); sleep 0.005; done');
    const states: string[] = [];
    on.onDidChangeConnection(({ kind }) => states.push(kind));
    const collected = collectEvents(process);
    await untilOutput(process, '20\n');
    await kill(args.join(' '));
    await until(() => states.length, 2);
    const { stdout } = await collected;
    assert.deepEqual(states, ['recovering', 'connected']);
    assert.equal(stdout, Array.from({ length: 200 }, (_, index) => `${index}\n`).join(''));
  });
});
