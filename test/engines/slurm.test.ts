import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { type ConnectionState, type ExecProcess, shellArgv } from '../../src/core/index.js';
import { allocate, cancelAllocation, engineConnector } from '../../src/engines/index.js';
import { listProcesses } from '../../src/local/marks/processTable.js';
import { RemoteBackend } from '../../src/remote/index.js';
import { runOwned } from '../rig/lifetime.js';
import { type Slurm, startSlurm } from '../rig/slurm.js';
import { collectEvents, untilOutput } from '../support/collect.js';
import { ownServer } from '../support/execServer.js';
import { commandLine } from '../support/processes.js';
import { until } from '../support/until.js';

const NODES = 4;
const ON_EACH = 50;
/** A node that says nothing is down after 15 seconds, and a time limit is a minute; both are noticed a while later. */
const NOTICED_MS = 150_000;

/** Sessions on all nodes of a job: each prints a line, waits for one, prints it, and ends with a code of its own. */
interface Fleet {
  readonly job: string;
  readonly sessions: readonly RunningSession[];
  /** Each state of the connections, by node. */
  readonly states: ReadonlyMap<string, readonly ConnectionState[]>;
  /** Lets these sessions end. */
  release(which: (session: RunningSession) => boolean): Promise<void>;
}

interface RunningSession {
  readonly node: string;
  readonly number: number;
  readonly process: ExecProcess;
}

const unstopped = new AbortController().signal;

const codeOf = (number: number): number => number % 100;

describe('A cluster of Slurm', () => {
  let slurm: Slurm;
  let backends: RemoteBackend[] = [];
  let jobs: string[] = [];
  /** Each reason and place of a job that waited. */
  const states: (readonly [string, number])[] = [];

  before(async function () {
    this.timeout(60_000);
    slurm = await startSlurm(NODES);
  });
  after(() => slurm.stop());
  afterEach(async () => {
    for (const job of jobs) await slurm.run('scancel', job).catch(() => undefined);
    jobs = [];
    await Promise.all(backends.map((backend) => backend.shutdown({ graceMs: { interrupt: 0 } })));
    backends = [];
    await until(() => slurm.run('squeue', '-h', '-o', '%i'), '');
  });

  const newJob = async (...options: readonly string[]) => {
    const said = await slurm.run('salloc', '--no-shell', `-N${NODES}`, '-c2', ...options);
    const [, job = ''] = /Granted job allocation (\d+)/.exec(said) ?? [];
    assert.match(job, /^\d+$/, said);
    jobs.push(job);
    return job;
  };

  const allocation = (signal: AbortSignal, ...options: readonly string[]) => {
    const onState = (...state: [string, number]) => states.push(state);
    return allocate({ options: [`-N${NODES}`, ...options], env: slurm.env, signal, onState });
  };

  it('grants an allocation, and cancels it', async () => {
    const job = await allocation(unstopped);
    assert.equal(await slurm.run('squeue', '-h', '-o', '%i %T'), `${job} RUNNING\n`);
    await cancelAllocation(job, slurm.env);
    await until(() => slurm.run('squeue', '-h', '-t', 'R', '-o', '%i'), '');
  });

  it('says why an allocation waits, and takes it back when it is given up', async () => {
    const giveUp = new AbortController();
    const waiting = allocation(giveUp.signal, '--begin=now+1hour');
    await until(() => states.length > 0);
    assert.deepEqual(states[0], ['BeginTime', 1]);
    giveUp.abort(new Error('given up'));
    await assert.rejects(waiting, /^Error: given up$/);
    await until(() => slurm.run('squeue', '-h', '-t', 'PD', '-o', '%i'), '');
  });

  it('refuses an allocation with the words of Slurm', () =>
    assert.rejects(allocation(unstopped, '-pnowhere'), /^Error: salloc: error: .*[Ii]nvalid partition/));

  const connect = async (job: string, node: string, states: ConnectionState[] = []) => {
    const connector = engineConnector({
      reached: { kind: 'member', member: { engine: 'slurm', name: `${job}/${node}` } },
      ...{ files: path.dirname(ownServer), version: '0.0.0', env: slurm.env, cwd: slurm.folder },
      mayInstallNode: () => Promise.resolve(false),
    });
    const backend = await RemoteBackend.connect({ connector, clientName: 'test', connectMs: 30_000 });
    backend.onDidChangeConnection((state) => states.push(state));
    backends.push(backend);
    return backend;
  };

  it('hands on few variables of this machine', async () => {
    const argv = shellArgv({ engine: 'slurm', name: await newJob() });
    const [file, ...args] = [...argv, 'env'];
    const env = { ...slurm.env, TOKEN: 'secret', SSH_AUTH_SOCK: '/here', XDG_RUNTIME_DIR: '/here' };
    const said = await runOwned(file, args, { env, cwd: slurm.folder });
    const names = said.split('\n').flatMap((line) => /^(\w+)=/.exec(line)?.[1] ?? []);
    const own = names.filter((name) => !/^(?:SLURM|SRUN|PWD|TMPDIR|_$)/.test(name)).sort();
    assert.deepEqual(own, ['HOME', 'LANG', 'PATH']);
  });

  const startFleet = async (job: string): Promise<Fleet> => {
    const fifos = path.join(slurm.folder, `fifos-${job}`);
    fs.mkdirSync(fifos);
    const fifo = (number: number) => path.join(fifos, String(number));
    const states = new Map(slurm.nodes.map((node) => [node, [] as ConnectionState[]]));
    const perNode = slurm.nodes.map(async (node, index) => {
      const backend = await connect(job, node, states.get(node));
      const numbers = Array.from({ length: ON_EACH }, (_, each) => index * ON_EACH + each);
      await runOwned('mkfifo', numbers.map(fifo), {});
      return Promise.all(
        numbers.map(async (number): Promise<RunningSession> => {
          const script = `echo begin ${number}; read line < ${fifo(number)}; echo "$line"; exit ${codeOf(number)}`;
          const started = await backend.start({
            ...{ processId: `${job}-${number}`, argv: ['/bin/sh', '-c', script], cwd: '/', env: {} },
            ...{ tty: false, pipeStdin: false },
          });
          await untilOutput(started, 'begin');
          return { node, number, process: started };
        }),
      );
    });
    const sessions = (await Promise.all(perNode)).flat();
    const release: Fleet['release'] = async (which) => {
      const lines = sessions.filter(which).map(({ number }) => `echo end ${number} > ${fifo(number)}`);
      await runOwned('/bin/sh', ['-c', lines.join('\n')], {});
    };
    return { job, sessions, states, release };
  };

  /** Whole output and the right code. */
  const assertExited = async ({ number, process: process_ }: RunningSession) => {
    const { stdout, exit } = await collectEvents(process_);
    assert.deepEqual([stdout, exit?.exitCode], [`begin ${number}\nend ${number}\n`, codeOf(number)]);
  };
  /** No exit code, and nothing lost of what it had printed. */
  const assertLost = async ({ number, process: process_ }: RunningSession) => {
    const { stdout, exit, events } = await collectEvents(process_);
    assert.deepEqual([stdout, exit, events.at(-1)?.type], [`begin ${number}\n`, undefined, 'failed']);
  };

  /** They are lost for good, and Slurm says why. */
  const untilLost = async ({ states }: Fleet, nodes: readonly string[], why: RegExp) => {
    const last = () => nodes.map((node) => states.get(node)?.at(-1));
    await until(last, (seen) => seen.every((state) => state?.kind === 'lost'), NOTICED_MS);
    for (const state of last()) {
      const reason = state?.kind === 'lost' ? state.reason : undefined;
      assert.equal(reason?.kind, 'gone', JSON.stringify(reason));
      assert.match(reason.ended, why);
    }
  };

  it('keeps 200 sessions whose steps are cancelled: all end with their own codes, and no byte is lost', async function () {
    this.timeout(NOTICED_MS);
    const job = await newJob();
    const fleet = await startFleet(job);
    const isConnecting = (line: string) => !line.endsWith(' exec-sessions');
    const steps = (await slurm.run('squeue', '-s', '-h', '-j', job, '-o', '%i %j')).trim().split('\n');
    assert.equal(steps.length, 2 * NODES, steps.join());
    // They would hand on signals of the step that they were started in.
    const starters = (await listProcesses()).filter(({ pid }) => commandLine(pid).includes('=exec-sessions'));
    assert.deepEqual(starters, []);
    const cancelled = steps.filter(isConnecting).map((line) => line.split(' ')[0] ?? '');
    await slurm.run('scancel', ...cancelled);
    // These end while the lines are cut.
    await fleet.release(({ number }) => number % 2 === 0);
    for (const states of fleet.states.values()) {
      await until(
        () => states.map(({ kind }) => kind),
        (seen) => seen.includes('recovering') && seen.at(-1) === 'connected',
      );
    }
    await fleet.release(({ number }) => number % 2 === 1);
    await Promise.all(fleet.sessions.map(assertExited));
  });

  it('loses the sessions of a cancelled job, and tells them from those that have ended', async function () {
    this.timeout(NOTICED_MS);
    const fleet = await startFleet(await newJob());
    const ended = ({ number }: RunningSession) => number % 4 === 0;
    await fleet.release(ended);
    await Promise.all(fleet.sessions.filter(ended).map(assertExited));
    await slurm.run('scancel', fleet.job);
    await untilLost(fleet, slurm.nodes, /^Slurm job \d+: CANCELLED$/);
    await Promise.all(fleet.sessions.filter((session) => !ended(session)).map(assertLost));
  });

  it('loses the sessions of a job whose time is over', async function () {
    this.timeout(2 * NOTICED_MS);
    const fleet = await startFleet(await newJob('-t1'));
    await fleet.release(({ number }) => number % 4 === 0);
    await untilLost(fleet, slurm.nodes, /^Slurm job \d+: TIMEOUT$/);
    await Promise.all(
      fleet.sessions.map((session) =>
        session.number % 4 === 0 ? assertExited(session) : assertLost(session),
      ),
    );
  });

  it('loses the sessions of a node that is killed, and no other', async function () {
    this.timeout(2 * NOTICED_MS);
    const fleet = await startFleet(await newJob('--no-kill'));
    const [, killed = ''] = slurm.nodes;
    slurm.killNode(killed);
    await untilLost(fleet, [killed], /^Slurm node p\d+n2: down\*? Not responding$/);
    const isLost = ({ node }: RunningSession) => node === killed;
    await Promise.all(fleet.sessions.filter(isLost).map(assertLost));
    await fleet.release((session) => !isLost(session));
    await Promise.all(fleet.sessions.filter((session) => !isLost(session)).map(assertExited));
  });
});
