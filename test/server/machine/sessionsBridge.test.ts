import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { metadataIn } from '../../../src/core/index.js';
import { params } from '../../support/startParams.js';
import { openFiles } from '../../support/processes.js';
import { describeOnLinux } from '../../support/onLinux.js';
import { until } from '../../support/until.js';
import { usePrograms } from '../program.js';
import { otherFiles, useMachine } from './machineFixture.js';

const BRIDGE = ['bridge', '--stdio', '--sessions'];

describeOnLinux('exec-server bridge --stdio --sessions', () => {
  const programs = usePrograms();
  const machine = useMachine();
  const bridge = (
    some: { readonly env?: Record<string, string>; readonly prefix?: readonly string[] } = {},
  ) => programs.run(BRIDGE, { ...some, env: { ...machine.env, ...some.env } });

  it('has the sessions that windows here have', async () => {
    const here = await machine.connect();
    await here?.backend.start(params({ processId: 'p', argv: ['sleep', '100'], owned: true }));
    const client = bridge().client();
    await client.handshake();
    const { processes } = await client.request('process/list');
    assert.deepEqual(
      (processes as { readonly argv: readonly string[] }[]).map(({ argv }) => argv),
      [['sleep', '100']],
    );
    assert.equal((await machine.servers()).length, 1);
  });

  it('says of a command of Codex whose it is, and what the model wrote', async () => {
    const client = bridge().client();
    await client.handshake();
    const start = (processId: string, more: object) =>
      client.request('process/start', {
        ...{ processId, cwd: 'file:///', env: {}, tty: false },
        ...{ argv: ['/bin/bash', '-lc', 'true &&\n true'], ...more },
      });
    await start('codex', { metadata: { threadId: '01a2-63', toolCallId: 'call_1' } });
    await start('odd', { metadata: { threadId: { a: 1 }, toolCallId: 'x'.repeat(1_000) } });
    await start('other', { metadata: {} });
    const here = await machine.connect();
    const all = (await here?.backend.list()) ?? [];
    assert.deepEqual(
      all.map(({ metadata }) => [metadataIn(metadata, 'origin'), metadataIn(metadata, 'commandLine')]),
      [
        [{ kind: 'agent', name: 'Codex', conversation: '01a2-63', call: 'call_1' }, 'true &&\n true'],
        [{ kind: 'agent', name: 'Codex' }, 'true &&\n true'],
        [{ kind: 'other' }, undefined],
      ],
    );
  });

  it('starts one server for many', async () => {
    await Promise.all(Array.from({ length: 5 }, () => bridge().client().handshake()));
    assert.equal((await machine.servers()).length, 1);
  });

  it('starts a server that has nothing of the connection, and outlives it', async () => {
    const env = { SSH_CONNECTION: 'x', SSH_CLIENT: 'x', SSH_AUTH_SOCK: '/x', SSH_TTY: '/x', MINE: 'x' };
    const program = bridge({ env, prefix: ['sh', '-c', 'umask 027; exec "$@" 9</etc/passwd', 'sh'] });
    await program.client().handshake();
    const [pid = 0] = await machine.servers();
    const variables = fs
      .readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .map((line) => line.split('=')[0] ?? '');
    assert.deepEqual(
      variables.filter((name) => name in env),
      ['MINE'],
    );
    const ofConnection = [0, 1, 2].map((fd) => fs.readlinkSync(`/proc/${program.pid}/fd/${fd}`));
    const files = [...openFiles(pid).values()];
    assert.deepEqual(
      [...ofConnection, '/etc/passwd'].filter((file) => files.includes(file)),
      [],
    );
    assert.match(fs.readFileSync(`/proc/${pid}/status`, 'utf8'), /^Umask:\s*0027$/m);
    program.kill('SIGKILL');
    await program.ended;
    await bridge().client().handshake();
    assert.deepEqual(await machine.servers(), [pid]);
  });

  it('joins a server of another version while sessions run there, and then its own', async () => {
    const older = await machine.connect({ files: otherFiles(path.join(machine.folder, 'older')) });
    const process = await older?.backend.start(
      params({ processId: 'p', argv: ['sleep', '100'], owned: true }),
    );
    const first = bridge().client();
    await first.handshake();
    assert.equal(((await first.request('process/list'))['processes'] as unknown[]).length, 1);
    assert.equal((await machine.servers()).length, 1);
    await process?.stop();
    await bridge().client().handshake();
    assert.equal((await machine.servers()).length, 2);
  });

  it('ends with the server, and says so', async () => {
    const program = bridge();
    await program.client().handshake();
    const [pid = 0] = await machine.servers();
    process.kill(pid, 'SIGKILL');
    assert.equal(await program.ended, 1);
    assert.equal(program.stderr(), 'Error: the session server has ended the connection\n');
  });

  it('says why no server can be started', async () => {
    fs.mkdirSync(path.join(machine.folder, 'run/exec-sessions'), { mode: 0o755, recursive: true });
    const program = bridge();
    assert.equal(await program.ended, 1);
    assert.match(program.stderr(), /^Error: the session server cannot be reached: others can look into/m);
  });
});

describeOnLinux('exec-server uninstall', () => {
  const programs = usePrograms();
  const machine = useMachine();
  const uninstall = async (...args: string[]) => {
    const program = programs.run(['uninstall', ...args], { env: machine.env });
    const code = await program.ended;
    return { code, said: program.stdout(), error: program.stderr() };
  };
  const inCache = (...names: string[]) => path.join(machine.folder, 'home/.cache/exec-sessions', ...names);
  const ours = () =>
    fs
      .readdirSync(machine.folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.includes('exec-sessions'));

  it('leaves sessions alone that run, and says how many', async () => {
    const here = await machine.connect();
    await here?.backend.start(params({ processId: 'p', argv: ['sleep', '100'], owned: true }));
    assert.deepEqual(await uninstall(), { code: 3, said: 'running 1\n', error: '' });
    assert.equal((await here?.backend.list())?.[0]?.state, 'running');
    assert.notDeepEqual(ours(), []);
  });

  it('leaves nothing of ours, with force', async () => {
    const here = await machine.connect();
    await here?.backend.start(params({ processId: 'p', argv: ['sleep', '100'], owned: true }));
    fs.mkdirSync(inCache('node-24.1.0-linux-x64/bin'), { recursive: true });
    await until(() => ours().some((name) => name.includes('state/exec-sessions/receipts/')));
    assert.deepEqual(await uninstall('--force'), { code: 0, said: 'removed\n', error: '' });
    assert.deepEqual(ours(), []);
    assert.deepEqual(await machine.servers(), []);
  });

  it('leaves what others have put there, and does nothing where nothing is', async () => {
    fs.mkdirSync(inCache(), { recursive: true, mode: 0o700 });
    fs.writeFileSync(inCache('mine'), '');
    assert.deepEqual(await uninstall(), { code: 0, said: 'removed\n', error: '' });
    assert.deepEqual(ours(), ['home/.cache/exec-sessions', 'home/.cache/exec-sessions/mine']);
  });
});
