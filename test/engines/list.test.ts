import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import type { EngineQuery, HostVariables } from '../../src/core/index.js';
import { listMembers, matchHosts, offeredMembers } from '../../src/engines/index.js';
import { withReason } from '../../src/engines/engineEnd.js';
import { runProgram } from '../../src/engines/list/runProgram.js';
import { GoneError } from '../../src/remote/index.js';
import { removeFolder } from '../rig/lifetime.js';
import { isRunning } from '../support/processes.js';
import { until } from '../support/until.js';

const { signal } = new AbortController();

/** Podman 4.3.1, without the columns that nobody reads. */
const PODMAN_PS = JSON.stringify([
  { Names: ['live'], State: 'running', Status: 'Up 2 seconds ago', ExitCode: 0, Labels: { fleet: 'a' } },
  { Names: ['frozen'], State: 'paused', Status: 'Paused', ExitCode: 0, Labels: null },
  { Names: ['seven'], State: 'exited', Status: 'Exited (7) 1 second ago', ExitCode: 7, Labels: null },
  { Names: ['fresh'], State: 'created', Status: 'Created', ExitCode: 0, Labels: null },
  { Names: ['oom'], State: 'exited', Status: 'Exited (137) 1 second ago', ExitCode: 137, Labels: null },
]);
const DOCKER_PS = [
  { Names: 'db,web/db', State: 'running', Status: 'Up 3 days', ID: '0f1e' },
  { Names: 'old', State: 'exited', Status: 'Exited (1) 2 days ago', ID: '0f1f' },
  { Names: '--privileged', State: 'running', Status: 'Up 3 days', ID: '0f20' },
]
  .map((row) => JSON.stringify(row))
  .join('\n');

const pod = (name: string, status: object, metadata: object = {}) => ({
  metadata: { name, namespace: 'web', ...metadata },
  status,
});
const running = { phase: 'Running', containerStatuses: [{ state: { running: {} } }] };
const PODS = [
  pod('a', running),
  pod('evicted', { phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory.' }),
  pod('oom', {
    phase: 'Failed',
    containerStatuses: [{ state: { terminated: { exitCode: 137, reason: 'OOMKilled' } } }],
  }),
  pod('job', {
    phase: 'Succeeded',
    containerStatuses: [{ state: { terminated: { exitCode: 0, reason: 'Completed' } } }],
  }),
  pod('loop', {
    phase: 'Running',
    containerStatuses: [{ state: { waiting: { reason: 'CrashLoopBackOff' } } }],
  }),
  pod('leaving', running, { deletionTimestamp: '2026-11-28T22:00:00Z' }),
  pod('$(reboot)', running),
  'nonsense',
];

describe('The members of engines', () => {
  let folder: string;
  let env: HostVariables;

  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-members-')));
    env = { PATH: `${folder}/bin`, HOME: folder };
    fs.mkdirSync(path.join(folder, 'bin'));
    fs.mkdirSync(path.join(folder, '.ssh'));
  });
  afterEach(() => removeFolder(folder));

  /** An engine's program that answers by the words of its command line, with what it gets in `asked`. */
  const script = (program: string, ...lines: readonly string[]) => {
    const text = ['#!/bin/sh', `echo "$*" >> '${folder}/asked'`, ...lines].join('\n');
    fs.writeFileSync(path.join(folder, 'bin', program), text, { mode: 0o755 });
  };
  const answer = (program: string, text: string) => {
    const file = path.join(folder, `${program}.answer`);
    fs.writeFileSync(file, text);
    script(program, `exec /bin/cat '${file}'`);
  };
  const asked = () => fs.readFileSync(path.join(folder, 'asked'), 'utf8').trim().split('\n');
  const drawn = async (query: EngineQuery) => {
    const { members } = await listMembers(query, { env, signal });
    return members.map(({ name, state, detail }) =>
      [name, state, ...(detail === undefined ? [] : [detail])].join(': '),
    );
  };
  const config = (name: string, ...lines: readonly string[]) =>
    fs.writeFileSync(path.join(folder, '.ssh', name), lines.join('\n'));

  it('are the containers of podman, as it lists them', async () => {
    fs.writeFileSync(path.join(folder, 'ps'), PODMAN_PS);
    script(
      'podman',
      `case $1 in ps) exec /bin/cat '${folder}/ps' ;; esac`,
      `echo '{"Status":"exited","OOMKilled":true,"ExitCode":137}'`,
    );
    assert.deepEqual(await drawn({ engine: 'podman', members: 'label=fleet=a web' }), [
      'live: running',
      'frozen: waiting: paused',
      'seven: ended: exit code 7',
      'fresh: waiting: created',
      'oom: ended: OOMKilled, exit code 137',
    ]);
    assert.deepEqual(asked(), [
      'ps --all --no-trunc --filter=label=fleet=a --filter=name=web --format=json',
      'inspect --type=container --format={{json .State}} oom',
    ]);
  });

  it('are the containers of docker, without those that look like options', async () => {
    answer('docker', DOCKER_PS);
    assert.deepEqual(await drawn({ engine: 'docker', members: '' }), [
      'db: running',
      'old: ended: exit code 1',
    ]);
  });

  it('are the pods of a scripted kubectl, with the words of their states', async () => {
    answer('kubectl', JSON.stringify({ items: PODS }));
    const query = { members: 'app=web', context: 'prod', namespace: 'web' };
    assert.deepEqual(await drawn({ engine: 'kubernetes', ...query }), [
      'web/a: running',
      'web/evicted: ended: Evicted',
      'web/oom: ended: OOMKilled, exit code 137',
      'web/job: ended: Completed',
      'web/loop: waiting: CrashLoopBackOff',
      'web/leaving: waiting: Terminating',
    ]);
    assert.deepEqual(asked(), ['--context=prod --namespace=web get pods --selector=app=web --output=json']);
  });

  it('are at most 1,000 of the pods in an answer of 16 MB, and a count', async () => {
    const status = { ...running, message: 'x'.repeat(15_000) };
    const items = Array.from({ length: 1_020 }, (_, index) => pod(`p${index}`, status));
    answer('kubectl', JSON.stringify({ items }));
    const { members, leftOut } = await listMembers({ engine: 'kubernetes', members: '' }, { env, signal });
    assert.deepEqual([members.length, leftOut], [1_000, 20]);
  });

  it('are the nodes of a running job of Slurm, with the time left', async () => {
    script('squeue', `echo 'RUNNING|None|53:14|main|n[1-2]'`);
    script('scontrol', 'echo n1; echo n2');
    script('sinfo', `echo 'n1 mixed'; echo 'n2 down*'`);
    assert.deepEqual(await drawn({ engine: 'slurm', members: '7' }), [
      '7/n1: running: 53:14 left',
      '7/n2: ended: the node is down',
    ]);
  });

  it('are a job of Slurm alone that waits, with its place', async () => {
    script('squeue', `case $* in *--jobs*) echo 'PENDING|Resources|1:00|main|' ;; *) echo 5; echo 7 ;; esac`);
    assert.deepEqual(await drawn({ engine: 'slurm', members: '7' }), [
      '7: waiting: Resources, place 2 of 2 in main',
    ]);
  });

  it('are hosts by their names and by patterns of the configuration', async () => {
    config('config', 'Host web-1 web-2 db');
    assert.deepEqual(await drawn({ engine: 'ssh', members: 'other, web-*' }), [
      'other: running',
      'web-1: running',
      'web-2: running',
    ]);
    await assert.rejects(drawn({ engine: 'ssh', members: '-oProxyCommand=x' }), /is no name of a host$/);
  });

  it('are an error with the last line of the program, or with what is wrong', async () => {
    const list = (engine: EngineQuery['engine'], members = '') => drawn({ engine, members });
    script('docker', 'echo first >&2; echo "Cannot connect to the Docker daemon." >&2; exit 1');
    await assert.rejects(list('docker'), /^Error: Cannot connect to the Docker daemon\.$/);
    answer('podman', '<html>\u001b[2J');
    await assert.rejects(
      list('podman'),
      /^Error: podman answered with something that is no JSON: <html> \[2J$/,
    );
    answer('kubectl', '[]');
    await assert.rejects(list('kubernetes'), /^Error: kubectl answered without a list of pods$/);
    answer('squeue', 'RUNNING|None|53:14|main|n[1-2];reboot');
    await assert.rejects(list('slurm', '7'), /is no state of a job$/);
    fs.rmSync(path.join(folder, 'bin/docker'));
    await assert.rejects(list('docker'), /^Error: docker is not installed here, or not on the PATH$/);
  });

  it('are given up with the whole group of a program that hangs', async () => {
    script('docker', `/bin/sleep 600 & echo $! > '${folder}/child'; wait`);
    const file = path.join(folder, 'child');
    const child = () => (fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8')) : 0);
    const abort = new AbortController();
    const hung = listMembers({ engine: 'docker', members: '' }, { env, signal: abort.signal });
    await until(() => child() > 0);
    abort.abort(new Error('enough'));
    await assert.rejects(hung, /^Error: enough$/);
    await until(() => isRunning(child()), false);
    const limited = runProgram(['docker'], { env, signal, limitMs: 200 });
    await assert.rejects(limited, /^Error: docker did not answer within 0\.2 s$/);
  });

  it('end with the reason that their engine knows', async () => {
    const failure = new Error('cut');
    const end = async (engine: EngineQuery['engine'], name: string) => {
      const reason = await withReason(failure, { engine, name }, env);
      return reason === failure ? 'nothing' : reason;
    };
    answer('podman', '{"Status":"exited","OOMKilled":true,"ExitCode":137}');
    assert.deepEqual(await end('podman', 'db'), new GoneError('podman db: OOMKilled, exit code 137'));
    answer('docker', '{"Status":"running","OOMKilled":false,"ExitCode":0}');
    assert.equal(await end('docker', 'db'), 'nothing');
    answer('kubectl', JSON.stringify(PODS[1]));
    assert.deepEqual(
      await end('kubernetes', 'web/evicted'),
      new GoneError('kubernetes web/evicted: Evicted'),
    );
    assert.equal(asked().at(-1), '--namespace=web get pods evicted --output=json');
    answer('kubectl', JSON.stringify(PODS[0]));
    assert.equal(await end('kubernetes', 'web/a'), 'nothing');
    assert.equal(await end('ssh', 'host'), 'nothing');
    script('docker', 'exit 1');
    assert.equal(await end('docker', 'db'), 'nothing');
  });

  it('are offered: the hosts of the configuration, and what runs', async () => {
    config(
      'config',
      'Host Plain  "quoted" # comment',
      'host=equals *.example.com !not web?',
      'HOST -oProxyCommand=x a;b user@x:22',
      `Match exec "touch ${folder}/executed"`,
      'Include conf.d/*.conf ~/.ssh/config',
      'Include missing',
    );
    fs.mkdirSync(path.join(folder, '.ssh/conf.d'));
    config('conf.d/b.conf', 'Host second');
    config('conf.d/a.conf', '  Host first', 'Include conf.d/a.conf');
    config('conf.d/c.txt', 'Host other');
    const known = ['Plain', 'quoted', 'equals', 'user@x:22', 'first', 'second'];
    const ours = (names: readonly string[]) => names.slice(0, known.length);
    answer('docker', DOCKER_PS);
    script('podman', 'echo broken; exit 1');
    const offered = await offeredMembers({ env, signal });
    assert.deepEqual(ours(offered.map(({ name }) => name)), known);
    assert.deepEqual(offered.at(-1), { engine: 'docker', name: 'db' });
    assert.equal(fs.existsSync(path.join(folder, 'executed')), false);
    assert.deepEqual(ours(matchHosts('*', env).hosts), known);
    assert.deepEqual(matchHosts('?econd', env).hosts, ['second']);
    assert.deepEqual(matchHosts('a.b', env).hosts, []);
  });
});
