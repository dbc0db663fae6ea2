import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { systemClock } from '../../src/core/index.js';
import { LocalBackend } from '../../src/local/index.js';
import { listProcesses } from '../../src/local/marks/processTable.js';
import { bridge as bridgeTo } from '../../src/server/bridge.js';
import { removeFolder } from '../rig/lifetime.js';
import { untilEvent } from '../support/collect.js';
import { INHERITING } from '../support/envPolicy.js';
import { ownServer } from '../support/execServer.js';
import { onLinux } from '../support/onLinux.js';
import { params } from '../support/startParams.js';
import { killIfThere } from '../support/killIfThere.js';
import { commandLine, isRunning } from '../support/processes.js';
import { until } from '../support/until.js';
import { usePrograms, type Program } from './program.js';
import { base64, sh } from './rawClient.js';

describe('exec-server bridge --stdio', () => {
  const fixture = usePrograms();
  const socket = () => path.join(fixture.folder, 'own/server.sock');
  const bridge = (...args: string[]) => fixture.run(['bridge', '--stdio', '--socket', socket(), ...args]);
  const servers = async () =>
    (await listProcesses()).filter(
      ({ pid }) => commandLine(pid).includes(fixture.folder) && commandLine(pid).includes('--listen'),
    );
  const connect = async (program: Program, sessionId?: string) => {
    const client = program.client();
    return { client, sessionId: await client.handshake(sessionId) };
  };
  afterEach(async () => {
    for (const { pid } of await servers()) {
      killIfThere(pid, 'SIGTERM');
      await until(async () => !(await isRunning(pid)));
    }
  });

  it('starts a server if none runs, once for many', async () => {
    const bridges = Array.from({ length: 5 }, () => bridge());
    const clients = await Promise.all(bridges.map(async (program) => (await connect(program)).client));
    assert.equal((await servers()).length, 1);
    await Promise.all(clients.map((client, index) => client.start(`p${index}`, ['sleep', '100'])));
    for (const client of clients) {
      const { processes } = await client.request('process/list');
      assert.equal((processes as unknown[]).length, 5);
    }
    for (const program of bridges) {
      program.stdin.end();
      assert.equal(await program.ended, 0);
      assert.equal(program.stderr(), '');
    }
    assert.equal((await servers()).length, 1);
  });

  onLinux('starts a server that belongs to no session, even if the bridge runs in one', async () => {
    const backend = new LocalBackend();
    const argv = [process.execPath, ownServer, 'bridge', '--stdio', '--socket', socket()];
    const started = await backend.start(params({ argv, env: {}, envPolicy: INHERITING }));
    await untilEvent(started, 'closed');
    assert.equal(started.info().exit?.exitCode, 0);
    assert.equal((await servers()).length, 1);
    assert.deepEqual(await started.survivors(), []);
    await backend.shutdown();
  });

  it('can be cut off: the session goes on, and is resumed through another one', async () => {
    const first = bridge();
    const { client, sessionId } = await connect(first);
    await client.start('p', sh('echo one; read x; echo "two $x"'), { pipeStdin: true });
    await client.told('p', 'output');
    first.kill('SIGKILL');
    await first.ended;
    const second = bridge();
    const again = second.client();
    // The server may learn of the end a moment later.
    await until(async () => {
      const { error } = await again.ask('initialize', { clientName: 'x', resumeSessionId: sessionId });
      assert.ok(error === undefined || error.code === -32010, error?.message);
      return error === undefined;
    });
    again.notify('initialized');
    await again.request('process/write', { processId: 'p', chunk: base64('x\n'), writeId: '1' });
    await again.told('p', 'closed');
    const { chunks } = await again.request('process/read', { processId: 'p' });
    const output = (chunks as { readonly chunk: string }[]).map(({ chunk }) =>
      Buffer.from(chunk, 'base64').toString(),
    );
    assert.equal(output.join(''), 'one\ntwo x\n');
  });

  it('ends with its server, and says so', async () => {
    const program = bridge();
    await connect(program);
    const [server] = await servers();
    process.kill(server?.pid ?? 0, 'SIGKILL');
    assert.equal(await program.ended, 1);
    assert.equal(program.stderr(), `Error: the server on ${socket()} has ended the connection\n`);
    // The next bridge finds the socket of the dead server, and starts another.
    await connect(bridge());
    assert.equal((await servers()).length, 1);
  });

  it('carries what is large, both ways', async () => {
    const { client } = await connect(bridge());
    await client.start('p', ['cat'], { pipeStdin: true });
    const text = 'x'.repeat(5_000_000);
    await client.request('process/write', { processId: 'p', chunk: base64(text), writeId: '1' });
    await client.request('process/closeStdin', { processId: 'p' });
    await client.told('p', 'closed');
    assert.equal(client.output('p'), text);
  });

  it('passes on the last that its client says before it goes', async () => {
    const program = bridge();
    const { client } = await connect(program);
    const { pid } = await client.start('p', sh('read x; sleep 1000'), { pipeStdin: true });
    const chunk = Buffer.alloc(3_000_000, 'x').toString('base64');
    client.send({ id: 'last', method: 'process/write', params: { processId: 'p', chunk, writeId: '1' } });
    client.send({ id: 'end', method: 'process/terminate', params: { processId: 'p' } });
    program.stdin.end();
    assert.equal(await program.ended, 0);
    await until(async () => !(await isRunning(Number(pid))));
  });

  it('has a place of its own if none is named', async () => {
    const runtime = path.join(fixture.folder, 'run');
    fs.mkdirSync(runtime, { mode: 0o700 });
    const named = fixture.run(['bridge', '--stdio'], { env: { XDG_RUNTIME_DIR: runtime } });
    await connect(named);
    assert.ok(fs.statSync(path.join(runtime, 'exec-sessions/exec-server.sock')).isSocket());
  });

  it('trusts no folder that somebody else has prepared', async () => {
    const folder = path.join(fixture.folder, 'exec-sessions');
    const env = { XDG_RUNTIME_DIR: fixture.folder };
    const prepared = path.join(fixture.folder, 'prepared');
    fs.mkdirSync(prepared, { mode: 0o700 });
    fs.symlinkSync(prepared, folder);
    const program = fixture.run(['bridge', '--stdio'], { env });
    assert.equal(await program.ended, 1);
    assert.match(program.stderr(), /^Error: .* must be a folder, and is a link. Remove it/);
    // The same where the link leads nowhere.
    removeFolder(prepared);
    const dangling = fixture.run(['bridge', '--stdio'], { env });
    assert.equal(await dangling.ended, 1);
    assert.equal(dangling.stderr(), program.stderr());
    fs.rmSync(folder);
    fs.mkdirSync(folder);
    fs.chmodSync(folder, 0o777);
    const again = fixture.run(['bridge', '--stdio'], { env });
    assert.equal(await again.ended, 1);
    assert.match(again.stderr(), /^Error: others can look into the folder/);
  });

  it('gives up on a server that ends each time it becomes ready', async () => {
    const program = path.join(fixture.folder, 'short-lived.cjs');
    fs.writeFileSync(program, 'console.log("ready");');
    await assert.rejects(bridgeTo(socket(), program, systemClock), /cannot be started: it ends at once/);
  });

  it('says why there is no server', async () => {
    fs.mkdirSync(path.dirname(socket()), { mode: 0o700 });
    fs.mkdirSync(socket());
    const program = bridge();
    assert.equal(await program.ended, 1);
    assert.match(program.stderr(), /^Error: .*server\.sock.*not a socket/);
  });
});
