import assert from 'node:assert/strict';

import type { ConnectionState, ExecProcess } from '../../src/core/index.js';
import { engineConnector } from '../../src/engines/index.js';
import { RemoteBackend } from '../../src/remote/index.js';
import { type Podman, startPodman } from '../rig/podman.js';
import { collectEvents, untilOutput } from '../support/collect.js';
import { DIST, VERSION } from '../support/emptyAccount.js';
import { until } from '../support/until.js';

const NAME = 'deb';
/** Much less than the time for which a recovery goes on without the words of the engine. */
const SOON_MS = 25_000;

interface Connected {
  readonly backend: RemoteBackend;
  readonly steps: readonly string[];
  readonly states: readonly ConnectionState[];
}

describe('A container of podman @all', () => {
  let podman: Podman;
  let backends: RemoteBackend[] = [];

  before(async function () {
    this.timeout(120_000);
    podman = await startPodman();
    await podman.start(NAME, 'debian');
  });
  after(() => podman.stop());
  afterEach(() => {
    for (const backend of backends) backend.disconnect();
    backends = [];
  });

  const connect = async (name: string, mayInstall: boolean): Promise<Connected> => {
    const steps: string[] = [];
    const states: ConnectionState[] = [];
    const connector = engineConnector({
      reached: { kind: 'member', member: { engine: 'podman', name } },
      ...{ files: DIST, version: VERSION, env: podman.env },
      mayInstallNode: () => Promise.resolve(mayInstall),
      onStep: (step) => steps.push(step),
    });
    const backend = await RemoteBackend.connect({ connector, clientName: 'test' });
    backends.push(backend);
    backend.onDidChangeConnection((state) => states.push(state));
    return { backend, steps, states };
  };

  let count = 0;
  const start = ({ backend }: Connected, script: string, tty = false) => {
    count += 1;
    const argv = ['/bin/sh', '-c', script];
    return backend.start({ processId: `p${count}`, argv, cwd: '/', env: { PATH: '/bin' }, tty });
  };

  const filesOf = (name: string) => podman.run('exec', name, 'find', '/', '-xdev');

  it('has nothing more in it after a refusal of Node', async () => {
    const before_ = await filesOf(NAME);
    await assert.rejects(connect(NAME, false), {
      failure: { kind: 'noNodeThere', target: `podman ${NAME}` },
    });
    assert.equal(await filesOf(NAME), before_);
  });

  it('gets Node and the server, runs sessions, and gets nothing the second time', async () => {
    const first = await connect(NAME, true);
    assert.deepEqual(first.steps, ['look', 'fetchNode', 'sendNode', 'sendServer', 'start']);
    const name = '. /etc/os-release; echo $ID;';
    const pipes = await collectEvents(await start(first, `${name} echo err >&2; exit 3`));
    assert.deepEqual([pipes.stdout, pipes.stderr, pipes.exit?.exitCode], ['debian\n', 'err\n', 3]);
    const terminal = await collectEvents(await start(first, `${name} tty; exit 4`, true));
    assert.match(terminal.stdout, /^debian\r\n\/dev\/pts\/\d+\r\n$/);
    assert.equal(terminal.exit?.exitCode, 4);
    assert.deepEqual((await connect(NAME, false)).steps, ['look', 'start']);
  });

  it('keeps the output of a session while it is paused', async () => {
    const connected = await connect(NAME, true);
    const { states } = connected;
    const counting = 'n=0; while [ ! -e /tmp/go ]; do n=$((n+1)); echo $n; sleep 0.01; done; exit 5';
    const session = await start(connected, counting);
    await untilOutput(session, '\n20\n');
    await podman.run('pause', NAME);
    await until(() => states.some(({ kind }) => kind === 'recovering'));
    await podman.run('unpause', NAME);
    await until(
      () => states.at(-1),
      (state) => state?.kind === 'connected',
    );
    await podman.run('exec', NAME, 'touch', '/tmp/go');
    const { stdout, exit } = await collectEvents(session);
    const lines = stdout.trim().split('\n');
    assert.deepEqual(
      lines,
      lines.map((_, index) => String(index + 1)),
    );
    assert.equal(exit?.exitCode, 5);
  });

  const assertLost = async ({ states }: Connected, session: ExecProcess) => {
    const last = () => states.at(-1);
    await until(last, (state) => state?.kind === 'lost', SOON_MS);
    const state = last();
    const reason = state?.kind === 'lost' ? state.reason : undefined;
    assert.deepEqual(reason, { kind: 'gone', ended: `podman ${NAME}: exit code 137` });
    const { stdout, exit, events } = await collectEvents(session);
    assert.deepEqual([stdout, exit, events.at(-1)?.type], ['begin\n', undefined, 'failed']);
  };

  for (const end of [['stop', '--time=1'], ['kill']]) {
    it(`loses its sessions soon after ${end[0]}, with the reason of the engine`, async () => {
      const connected = await connect(NAME, true);
      const session = await start(connected, 'echo begin; sleep 1000');
      await untilOutput(session, 'begin');
      await podman.run(...end, NAME);
      await assertLost(connected, session);
      await podman.run('start', NAME);
    });
  }

  it('without a C library is told which one the Node needs', async () => {
    await podman.start('busy', 'busybox');
    const before_ = await filesOf('busy');
    await assert.rejects(connect('busy', true), /It needs glibc 2\.28\./);
    assert.equal(await filesOf('busy'), before_);
  });
});
