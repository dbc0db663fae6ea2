import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';

import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { describeFailure, type ExecProcess, isExecError } from '../../src/core/index.js';
import { commandConnector, RemoteBackend } from '../../src/remote/index.js';
import { makeClient, textOf } from '../mcp/clients.js';
import { usePrograms } from '../server/program.js';
import { utf8 } from '../support/bytes.js';
import { collectEvents, untilOutput } from '../support/collect.js';
import { type Crowd, describeLimits, LimitedUser } from '../support/limitedUser.js';
import { sh } from '../support/startParams.js';

/** The processes and threads that the user may have: the server has a dozen, its pipes and its guard a few. */
const LIMIT = 60;
const REFUSED = /Resource temporarily unavailable \(os error 11\)/;
const AT_ONCE = { graceMs: { interrupt: 0, hangup: 0, terminate: 0 } };

describeLimits('At the limit of processes', () => {
  let user: LimitedUser;
  let crowd: Crowd | undefined;

  beforeEach(() => {
    user = new LimitedUser();
  });
  afterEach(async () => {
    await crowd?.end();
    crowd = undefined;
    await user.home.remove();
  });

  describe('a server', () => {
    let backend: RemoteBackend;

    beforeEach(async () => {
      const argv = user.command(`--nproc=${LIMIT}`, [process.execPath, user.server, '--listen', 'stdio']);
      const connector = commandConnector({
        argv,
        cwd: user.home.home,
        env: user.home.env,
        start: ([program, ...args], { env, ...options }) =>
          Promise.resolve(spawn(program, args, { ...options, env: { ...env }, stdio: 'pipe' })),
      });
      backend = await RemoteBackend.connect({ connector, clientName: 'x' });
    });
    afterEach(() => backend.shutdown(AT_ONCE));

    const start = (processId: string, tty: boolean, argv: readonly string[]): Promise<ExecProcess> =>
      backend.start({ processId, argv, tty, pipeStdin: !tty, cwd: user.home.home, env: { PATH: '/bin' } });

    for (const tty of [false, true]) {
      it(`refuses a start in clear words, and all else goes on, ${tty ? 'on a terminal' : 'on pipes'}`, async () => {
        const earlier = await start('earlier', tty, ['cat']);
        crowd = await user.fill(LIMIT);
        const error = await start('refused', tty, ['cat']).then(
          () => undefined,
          (refused: unknown) => refused,
        );
        assert.ok(isExecError(error), String(error));
        assert.match(describeFailure(error.failure), REFUSED);
        await earlier.write(utf8('still there\n'));
        await untilOutput(earlier, 'still there');
        const report = await earlier.stop();
        assert.ok(report.exited);
        assert.deepEqual(report.survivors, []);
        await crowd.makeRoom(20);
        const later = await start('later', tty, sh('echo later'));
        assert.match((await collectEvents(later)).stdout, /later/);
      });
    }

    for (const room of [1, 2, 3]) {
      it(`refuses a terminal if there is room for ${room} more, since it takes a thread as well`, async () => {
        const earlier = await start('earlier', true, ['cat']);
        crowd = await user.fill(LIMIT);
        await crowd.makeRoom(room);
        const error = await start('refused', true, ['cat']).then(
          () => undefined,
          (refused: unknown) => refused,
        );
        assert.ok(isExecError(error), String(error));
        assert.match(describeFailure(error.failure), REFUSED);
        await earlier.write(utf8('still there\n'));
        await untilOutput(earlier, 'still there');
      });
    }
  });

  it('the tools of agents say so, and go on', async () => {
    const [command, ...args] = user.command(`--nproc=${LIMIT}`, [
      process.execPath,
      user.server,
      'mcp',
      '--alone',
    ]);
    const client = makeClient('agent', 'legacy');
    await client.connect(
      new StdioClientTransport({ command, args, cwd: user.home.home, env: { ...user.home.env } }),
    );
    const call = async (name: string, input: Record<string, unknown>) =>
      textOf(await client.callTool({ name, arguments: input }));
    try {
      crowd = await user.fill(LIMIT);
      for (const tty of [false, true]) {
        assert.match(await call('exec_command', { cmd: 'echo refused', tty }), REFUSED);
      }
      await crowd.makeRoom(20);
      for (const tty of [false, true]) {
        assert.match(await call('exec_command', { cmd: 'echo later', tty }), /\nlater/);
      }
    } finally {
      await client.close();
    }
  });
});

describeLimits('The threads for files', () => {
  const fixture = usePrograms();
  /** More threads than a server has for everything else, so that the count tells whether they are there. */
  const THREADS = 64;
  const env = { UV_THREADPOOL_SIZE: String(THREADS) };
  const threadsOf = (pid: number) => readdirSync(`/proc/${pid}/task`).length;

  for (const url of ['ws://127.0.0.1:0', 'unix:']) {
    it(`are all there when a server listens on ${url}`, async () => {
      const address = url === 'unix:' ? `unix:${fixture.folder}/socket` : url;
      const program = fixture.run(['--listen', address], { env });
      await program.ready;
      assert.ok(threadsOf(program.pid) > THREADS);
    });
  }

  it('are all there when a server on its standard streams answers', async () => {
    const program = fixture.run(['--listen', 'stdio'], { env });
    await program.client().handshake();
    assert.ok(threadsOf(program.pid) > THREADS);
  });

  it('are all there when the server of tools answers', async () => {
    const program = fixture.run(['mcp', '--alone'], { env });
    const client = program.client();
    const clientInfo = { name: 'x', version: '1' };
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    client.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello });
    await client.until((message) => 'id' in message && message.id === 1);
    assert.ok(threadsOf(program.pid) > THREADS);
  });
});
