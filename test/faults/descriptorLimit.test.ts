import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';

import { describeFailure, isExecError } from '../../src/core/index.js';
import { commandConnector, RemoteBackend } from '../../src/remote/index.js';
import { usePrograms, webSocketClient } from '../server/program.js';
import { startParams } from '../server/rawClient.js';
import { collectEvents } from '../support/collect.js';
import { makeServerHome, ownStdioServer, type ServerHome } from '../support/execServer.js';
import { describeOnLinux } from '../support/onLinux.js';
import { openFiles } from '../support/processes.js';
import { until } from '../support/until.js';
import { params, sh } from '../support/startParams.js';

/** Every descriptor that a program opens has a higher number than its standard streams. */
const NONE = 3;
const MANY = 1_024;

describeOnLinux('One moment without descriptors @all', () => {
  let home: ServerHome;
  let server: ChildProcess;
  let backend: RemoteBackend | undefined;

  beforeEach(() => {
    home = makeServerHome();
  });
  afterEach(async () => {
    await backend?.shutdown({ graceMs: { interrupt: 0, hangup: 0, terminate: 0 } });
    backend = undefined;
    await home.remove();
  });

  /** The limit takes effect in the running server. Its open files stay open. */
  function limit(descriptors: number): void {
    const { status, stderr } = spawnSync('prlimit', [
      '--pid',
      String(server.pid),
      `--nofile=${descriptors}:`,
    ]);
    assert.equal(status, 0, String(stderr));
  }

  /** @param ready Runs between the start of the server and the first message to it. */
  function connect(ready: () => void): Promise<RemoteBackend> {
    const connector = commandConnector({
      argv: ownStdioServer(),
      cwd: home.home,
      env: home.env,
      start: ([program, ...args], { env, ...options }) => {
        const child = spawn(program, args, { ...options, env: { ...env }, stdio: 'pipe' });
        server = child;
        ready();
        return Promise.resolve(child);
      },
    });
    return RemoteBackend.connect({ connector, clientName: 'x' });
  }

  it('at the first terminal does not disable all later ones', async () => {
    backend = await connect(() => undefined);
    limit(NONE);
    const terminal = { argv: sh('echo on a terminal'), tty: true, cwd: home.home };
    const error = await backend.start(params({ ...terminal, processId: 'first' })).then(
      () => undefined,
      (refused: unknown) => refused,
    );
    assert.ok(isExecError(error), String(error));
    assert.match(describeFailure(error.failure), /Too many open files \(os error 24\)/);
    limit(MANY);
    const later = await backend.start(params({ ...terminal, processId: 'later' }));
    assert.match((await collectEvents(later)).stdout, /on a terminal/);
  });
});

describeOnLinux('With few descriptors @all', () => {
  const DESCRIPTORS = 256;
  const LEVELS = 3_000;
  const WAVES = 12;
  const AT_ONCE = 24;
  const fixture = usePrograms();

  /** Each new level gets the others as its content: the path of all of them would be too long. */
  function makeLevels(folder: string): void {
    const inner = path.join(folder, 'inner');
    const outer = path.join(folder, 'outer');
    fs.mkdirSync(inner);
    for (let level = 1; level < LEVELS; level += 1) {
      fs.mkdirSync(outer);
      fs.writeFileSync(path.join(outer, 'file'), '');
      fs.renameSync(inner, path.join(outer, 'd'));
      fs.renameSync(outer, inner);
    }
  }

  it('a server loses no descriptor with a shortage', async () => {
    const program = fixture.run(['--listen', 'stdio'], { prefix: ['prlimit', '--nofile=64'] });
    const client = program.client();
    await client.handshake();
    // Node makes a pair of sockets for a child. Pipes are kept ready, now more and now fewer.
    const sockets = () =>
      [...openFiles(program.pid).values()].filter((file) => file.startsWith('socket:')).length;
    /** Asks for more processes than there is room for, all at once, and ends those that came to be. */
    const wave = async (number: number) => {
      const names = Array.from({ length: AT_ONCE }, (_, index) => `${number}-${index}`);
      const answers = await Promise.all(
        names.map((name, index) => {
          const some = { pipeStdin: (index + number) % 3 === 0, cwd: 'file:///' };
          return client.ask('process/start', startParams(name, ['sleep', '1000'], some));
        }),
      );
      const refused = answers.flatMap(({ error }) => error?.message ?? []);
      assert.ok(refused.length > 0);
      refused.forEach((message) => assert.match(message, /too many open files/i));
      const started = names.filter((_, index) => answers[index]?.error === undefined);
      for (const processId of started) {
        await client.request('process/terminate', { processId });
        await client.told(processId, 'closed');
      }
    };
    await wave(0);
    const left = sockets();
    for (let number = 1; number <= WAVES; number += 1) {
      await wave(number);
    }
    await until(() => sockets() <= left);
  });

  it('requests to a host that says nothing leave enough for other clients', async () => {
    const host = net.createServer().listen(0, '127.0.0.1');
    const held = new Set<net.Socket>();
    host.on('connection', (socket) => held.add(socket.on('error', () => undefined)));
    try {
      await once(host, 'listening');
      const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}/`;
      const program = fixture.run(['--listen', 'ws://127.0.0.1:0'], { prefix: ['prlimit', '--nofile=400'] });
      const address = await program.ready;
      const greedy = await webSocketClient(address);
      await greedy.handshake();
      const asked = Array.from({ length: 600 }, (_, index) =>
        greedy.ask('http/request', { requestId: String(index), method: 'GET', url }),
      );
      const refused = await Promise.all(asked.slice(128));
      assert.ok(refused.every(({ error }) => error?.message.includes('--max-http-requests')));
      await until(() => held.size, 128);
      const other = await webSocketClient(address);
      await other.handshake();
      await other.start('p', ['true']);
      await other.told('p', 'closed');
    } finally {
      host.close();
      held.forEach((socket) => socket.destroy());
    }
  });

  it('a directory of far more levels can be removed', async function () {
    const prefix = ['prlimit', `--nofile=${DESCRIPTORS}`];
    const client = fixture.run(['--listen', 'stdio'], { prefix }).client();
    await client.handshake();
    makeLevels(fixture.folder);
    const deep = path.join(fixture.folder, 'inner');
    try {
      await client.request('fs/remove', { path: `file://${deep}` });
      assert.ok(!fs.existsSync(deep));
    } finally {
      // Node cannot remove folders that are too deep for a path.
      spawnSync('rm', ['-rf', deep]);
    }
  });
});
