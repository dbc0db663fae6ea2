import { type ChildProcess, spawn } from 'node:child_process';

import type { ExecProcess } from '../../../src/core/index.js';
import { commandConnector, RemoteBackend } from '../../../src/remote/index.js';
import { canLimit, LimitedUser } from '../../support/limitedUser.js';
import { killIfThere } from '../../support/killIfThere.js';
import { until } from '../../support/until.js';
import { Random } from '../../support/random.js';
import { type Attack, inTime, Tally } from './attack.js';

/** The processes and threads that the bomb's user may have, and how many of them are not the bomb's. */
const LIMIT = 300;
const OTHERS = 40;
/**
 * Each program forks without an end; without help, it ends by itself in time. The programs differ in the signals that
 * they ignore and the places that they go to.
 */
const BOMB = `
$SIG{$_} = 'IGNORE' for @ARGV;
my $end = time + 300;
while (time < $end) {
  my $child = fork;
  setpgrp if defined $child && !$child && rand(10) < 1;
  select undef, undef, undef, 0.02 unless defined $child;
}
`;
const IGNORED: readonly [string[], ...string[][]] = [[], ['HUP', 'INT', 'TERM']];
const graceMs = { interrupt: 50, hangup: 50, terminate: 50 };

interface Scene {
  readonly server: ChildProcess;
  readonly backend: RemoteBackend;
  readonly bomb: ExecProcess;
}

interface End {
  readonly name: string;
  readonly end: (scene: Scene) => Promise<unknown>;
}

const ends: readonly [End, ...End[]] = [
  { name: 'stopped', end: ({ bomb }) => bomb.stop({ graceMs }) },
  { name: 'of a server that is killed', end: ({ server }) => Promise.resolve(server.kill('SIGKILL')) },
  { name: 'of a server that is told to end', end: ({ server }) => Promise.resolve(server.kill('SIGTERM')) },
  { name: 'shut down', end: ({ backend }) => backend.shutdown({ graceMs }) },
];

/** Fork bombs that have taken all processes that a user may have, and have to end whole. */
export const forkBombs: Attack = {
  name: 'Fork bombs that have come to the limit of processes, ended in four ways',
  unit: 'bombs',
  amount: { short: 2, long: 40 },
  async run(amount, seed) {
    const tally = new Tally();
    if (!canLimit) {
      tally.count('not made: only root can limit the processes of another user');
      return tally;
    }
    const random = new Random(seed);
    for (let count = 0; count < amount; count += 1) {
      const { name, end } = random.of(ends);
      const user = new LimitedUser();
      try {
        const scene = await explode(user, random);
        await until(async () => (await user.processes()).length >= LIMIT - OTHERS);
        const server = scene.server.pid;
        const bombs = async () =>
          (await user.processes()).filter(({ pid, ppid }) => pid !== server && ppid !== server);
        if ((await inTime(end(scene))) === undefined) tally.fault(`${name}: no answer`);
        if ((await inTime(until(async () => (await bombs()).length, 0))) === undefined)
          tally.fault(`${name}: ${(await bombs()).length} are left`);
        tally.count(name);
        scene.backend.disconnect();
        scene.server.kill('SIGKILL');
      } finally {
        for (let all = await user.processes(); all.length > 0; all = await user.processes())
          all.forEach(({ pid }) => killIfThere(pid));
        await user.home.remove();
      }
    }
    return tally;
  },
};

async function explode(user: LimitedUser, random: Random): Promise<Scene> {
  let server: ChildProcess | undefined;
  const [program, ...args] = user.command(`--nproc=${LIMIT}`, [
    process.execPath,
    user.server,
    '--listen',
    'stdio',
  ]);
  const { home: cwd, env } = user.home;
  const connector = commandConnector({
    argv: [program, ...args],
    cwd,
    env,
    start: ([first, ...others], { env: variables, ...options }) => {
      const child = spawn(first, others, { ...options, env: { ...variables }, stdio: 'pipe' });
      server = child;
      return Promise.resolve(child);
    },
  });
  const backend = await RemoteBackend.connect({ connector, clientName: 'bombs', recovery: { limitMs: 0 } });
  if (server === undefined) throw new Error('The connection has no program.');
  const argv = ['perl', '-e', BOMB, ...random.of(IGNORED)];
  const bomb = await backend.start({ processId: 'bomb', argv, cwd, env, tty: random.next() < 0.5 });
  return { server, backend, bomb };
}
