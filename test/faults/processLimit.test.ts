import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { describeFailure, type ExecProcess, isExecError } from '../../src/core/index.js';
import { commandConnector, RemoteBackend, socketConnector } from '../../src/remote/index.js';
import { makeClient, textOf } from '../mcp/clients.js';
import { utf8 } from '../support/bytes.js';
import { collectEvents, untilOutput } from '../support/collect.js';
import { type Crowd, describeLimits, LimitedUser } from '../support/limitedUser.js';
import { WITHOUT_BASH } from '../support/ownMounts.js';
import { sh } from '../support/startParams.js';

/** The processes and threads that the user may have: the server has a dozen, its pipes and its guard a few. */
const LIMIT = 60;

/** A server of a limited user, and its client. */
interface LimitedServer {
  readonly backend: RemoteBackend;
  end(): Promise<void>;
}

const clientName = 'x';

/** @param prefix The program that its command runs under. */
async function onStreams(user: LimitedUser, prefix: readonly string[] = []): Promise<LimitedServer> {
  const command = user.command(`--nproc=${LIMIT}`, [process.execPath, user.server, '--listen', 'stdio']);
  const [first = '', ...others] = [...prefix, ...command];
  const connector = commandConnector({
    argv: [first, ...others],
    cwd: user.home.home,
    env: user.home.env,
    start: ([program, ...args], { env, ...options }) =>
      Promise.resolve(spawn(program, args, { ...options, env: { ...env }, stdio: 'pipe' })),
  });
  const backend = await RemoteBackend.connect({ connector, clientName });
  return { backend, end: () => backend.shutdown(AT_ONCE) };
}

async function onSocket(user: LimitedUser): Promise<LimitedServer> {
  const socket = path.join(user.home.home, 'run', 'sessions.sock');
  const argv = [process.execPath, user.server, 'sessions', '--socket', socket];
  const [program, ...args] = user.command(`--nproc=${LIMIT}`, argv);
  const { home: cwd, env } = user.home;
  const child = spawn(program, args, { cwd, env: { ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), ended]);
  const backend = await RemoteBackend.connect({ connector: socketConnector(socket), clientName });
  return {
    backend,
    end: async () => {
      await backend.shutdown(AT_ONCE);
      child.kill();
      await ended;
    },
  };
}

const kinds = [
  ['a server on its standard streams', onStreams],
  ['the session server of a machine', onSocket],
] as const;
const REFUSED = /Resource temporarily unavailable \(os error 11\)/;
const isRefusal = (error: unknown): boolean => {
  assert.ok(isExecError(error), String(error));
  assert.match(describeFailure(error.failure), REFUSED);
  return true;
};
const AT_ONCE = { graceMs: { interrupt: 0, hangup: 0, terminate: 0 } };

describeLimits('At the limit of processes @all', () => {
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

  for (const [kind, serve] of kinds) {
    describe(kind, () => {
      let server: LimitedServer;

      beforeEach(async () => {
        server = await serve(user);
      });
      afterEach(() => server.end());

      const start = (processId: string, tty: boolean, argv: readonly string[]): Promise<ExecProcess> =>
        server.backend.start({
          processId,
          argv,
          tty,
          pipeStdin: !tty,
          cwd: user.home.home,
          env: { PATH: '/bin' },
        });

      for (const tty of [false, true]) {
        it(`refuses a start in clear words, and all else goes on, ${tty ? 'on a terminal' : 'on pipes'}`, async () => {
          const earlier = await start('earlier', tty, ['cat']);
          crowd = await user.fill(LIMIT);
          await assert.rejects(start('refused', tty, ['cat']), isRefusal);
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
          await assert.rejects(start('refused', true, ['cat']), isRefusal);
          await earlier.write(utf8('still there\n'));
          await untilOutput(earlier, 'still there');
        });
      }
    });
  }

  // Whatever else has read a file has made the threads for that: the pipes that are kept ready, or an earlier start.
  it('a server that has read no file yet refuses its first start, and goes on', async () => {
    const server = await onStreams(user, WITHOUT_BASH);
    try {
      crowd = await user.fill(LIMIT);
      const start = (processId: string) =>
        server.backend.start({
          processId,
          argv: sh('echo said'),
          tty: false,
          cwd: user.home.home,
          env: { PATH: '/bin' },
        });
      await assert.rejects(start('refused'), isRefusal);
      await crowd.makeRoom(20);
      assert.equal((await collectEvents(await start('later'))).stdout, 'said\n');
    } finally {
      await server.end();
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
