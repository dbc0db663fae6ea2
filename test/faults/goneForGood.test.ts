import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import type { ConnectionState } from '../../src/core/index.js';
import { listProcesses } from '../../src/local/marks/processTable.js';
import { commandConnector, RemoteBackend } from '../../src/remote/index.js';
import { untilEvent, untilOutput } from '../support/collect.js';
import { makeServerHome, ownServer, type ServerHome } from '../support/execServer.js';
import { killIfThere } from '../support/killIfThere.js';
import { commandLine } from '../support/processes.js';
import { until } from '../support/until.js';

/** The words and the exit code of programs whose place is gone, and the reason that people are shown. */
const ENDS: readonly {
  readonly of: string;
  readonly says: string;
  readonly code: number;
  readonly why: string;
}[] = [
  {
    of: 'podman, of a stopped container',
    says: 'Error: can only create exec sessions on running containers: container state improper',
    code: 255,
    why: 'can only create exec sessions on running containers: container state improper',
  },
  {
    of: 'podman, of a removed container',
    says: 'Error: no container with name or ID "db" found: no such container',
    code: 125,
    why: 'no container with name or ID "db" found: no such container',
  },
  {
    of: 'docker, of a stopped container',
    says: 'Error response from daemon: container 0f1e2d3c is not running',
    code: 1,
    why: 'container 0f1e2d3c is not running',
  },
  {
    of: 'srun, of a job that is over',
    says: 'srun: error: Slurm job 4 has expired\nsrun: Check SLURM_JOB_ID environment variable. Expired or invalid job 4',
    code: 1,
    why: 'Slurm job 4 has expired',
  },
  {
    of: 'kubectl, of a pod that was removed',
    says: 'Error from server (NotFound): pods "web-0" not found',
    code: 1,
    why: 'pods "web-0" not found',
  },
  {
    of: 'a script, by its exit code',
    says: 'checking\nerror: the lease is over',
    code: 99,
    why: 'the lease is over',
  },
  { of: 'a script, by its exit code alone', says: '', code: 99, why: 'the command ended with exit code 99' },
];

describe('A place that a command leads to @all', () => {
  let home: ServerHome;
  let backend: RemoteBackend;
  let states: ConnectionState[];

  beforeEach(async () => {
    home = makeServerHome();
    fs.writeFileSync(file('attempts'), '');
    // Like `podman exec`: it goes into the container, or says that the container does not exist.
    const script =
      'echo >> "$1/attempts"; if [ -e "$1/over" ]; then cat "$1/over" >&2; exit "$(cat "$1/code")"; fi; shift; exec "$@"';
    const bridge = ['bridge', '--stdio', '--socket', file('own/socket')];
    const argv = ['/bin/sh', '-c', script, 'exec', home.folder, process.execPath, ownServer, ...bridge];
    const connector = commandConnector({ argv, cwd: home.folder, env: home.env, finalExitCodes: [99] });
    backend = await RemoteBackend.connect({ connector, clientName: 'x' });
    states = [];
    backend.onDidChangeConnection((state) => states.push(state));
  });
  afterEach(async () => {
    backend.disconnect();
    for (const { pid } of await ofThisTest()) {
      killIfThere(pid);
    }
    await home.remove();
  });

  const file = (name: string) => path.join(home.folder, name);
  const attempts = () => fs.readFileSync(file('attempts'), 'utf8').length;
  const ofThisTest = async () =>
    (await listProcesses()).filter(({ pid }) => commandLine(pid).includes(home.folder));
  const start = async () => {
    const argv = ['/bin/sh', '-c', 'echo ready; sleep 1000'];
    const params = { argv, cwd: home.folder, env: { PATH: '/bin:/usr/bin' }, tty: false };
    const started = await backend.start({ ...params, processId: 'p' });
    await untilOutput(started, 'ready');
    return started;
  };
  /** Ends the place, as a stop of a container does: with everything in it. */
  const end = async (says: string, code: number) => {
    fs.writeFileSync(file('code'), String(code));
    fs.writeFileSync(file('over'), says === '' ? '' : `${says}\n`);
    for (const { pid } of await ofThisTest()) {
      killIfThere(pid);
    }
  };

  for (const { of, says, code, why } of ENDS) {
    it(`is lost at once, with the reason that the command gives: ${of}`, async () => {
      const started = await start();
      await end(says, code);
      const { failure } = await untilEvent(started, 'failed');
      assert.deepEqual(failure, { kind: 'disconnected', reason: { kind: 'gone', ended: why } });
      assert.deepEqual(
        states.map(({ kind }) => kind),
        ['recovering', 'lost'],
      );
      // The first connection, and the one attempt that was told.
      assert.equal(attempts(), 2);
    });
  }

  it('is tried again if it is still starting, or if its state is unknown', async () => {
    const started = await start();
    const texts = [
      'Error response from daemon: Container 0f1e2d3c is restarting, wait until the container is running',
      'ssh: connect to host build port 22: Connection refused',
      'my worker is not running',
    ];
    fs.writeFileSync(file('code'), '1');
    fs.writeFileSync(file('over'), texts.join('\n'));
    const bridge = (await ofThisTest()).find(({ pid }) => commandLine(pid).includes(' bridge '));
    process.kill(bridge?.pid ?? 0, 'SIGKILL');
    await until(() => attempts() > 3);
    fs.rmSync(file('over'));
    await until(() => states.length, 2);
    assert.deepEqual(
      states.map(({ kind }) => kind),
      ['recovering', 'connected'],
    );
    assert.equal(started.info().state, 'running');
  });
});
