import { setTimeout as delay } from 'node:timers/promises';

import type { ExecProcess, ProcessInfo } from '../../../src/core/index.js';
import { listProcesses } from '../../../src/local/marks/processTable.js';
import type { Machine } from '../../../src/machine/index.js';
import { commandConnector, RemoteBackend, socketConnector } from '../../../src/remote/index.js';
import { Cable } from '../../support/cable.js';
import { type Collected, collectEvents } from '../../support/collect.js';
import { makeServerHome, ownServer, type ServerHome } from '../../support/execServer.js';
import { killIfThere } from '../../support/killIfThere.js';
import { commandLine, isRunning } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { Random } from '../../support/random.js';
import { sessionServersOf } from '../../support/sessionServers.js';
import { type Attack, inTime, Tally } from './attack.js';
import { killAtAnyMoment } from './hostKills.js';
import { untilNothingRuns } from './leftovers.js';
import { connectToMachine } from './sessionServer.js';
import { counting } from './shapes.js';

const LATEST_MS = 250;
const env = { PATH: process.env['PATH'] ?? '/bin:/usr/bin' };

/** One session server, with a client that outlives the others. */
interface Scene {
  readonly home: ServerHome;
  readonly pid: number;
  readonly machine: Machine;
  readonly random: Random;
  readonly tally: Tally;
}

/** Kills everybody around a session server, and in the end the server. */
export const ownedKills: Attack = {
  name: 'Around a session server its guard, a window, its line, a bridge or a host is killed at any moment, and then itself',
  unit: 'kills',
  amount: { short: 5, long: 100 },
  async run(amount, seed) {
    const tally = new Tally();
    const home = makeServerHome();
    try {
      const machine = await connectToMachine(home);
      const [pid = 0] = sessionServersOf(home.folder);
      const scene: Scene = { home, pid, machine, random: new Random(seed), tally };
      for (let count = 0; count < amount; count += 1) {
        const victim = [killWindow, cutWindow, killBridge, killHost, killGuard][count % 5];
        if ((await inTime(victim?.(scene) ?? Promise.resolve())) === undefined) {
          tally.fault(`${victim?.name ?? ''}, kill ${count}, did not end`);
          break;
        }
        tally.count('kills');
      }
      await start(scene, machine.backend, 'sleep 1000');
      process.kill(pid, 'SIGKILL');
      await untilNothingRuns(home.folder, 'after the session server', tally);
      machine.disconnect();
    } finally {
      sessionServersOf(home.folder).forEach((pid) => killIfThere(pid));
      await home.remove();
    }
    return tally;
  },
};

/** A window that shows what another one has started has seen the beginning of it, and the next one shows all. */
async function killWindow(scene: Scene): Promise<void> {
  const { machine, random, tally } = scene;
  const ours = await start(scene, machine.backend, counting.script);
  const cable = await Cable.open(machine.socket);
  const killed = await openWindow(String(cable.place));
  await delay(random.between(0, LATEST_MS));
  // The kernel does the same with the connections of a program that is killed.
  cable.dispose();
  killed.client.disconnect();
  for (const { stdout } of await Promise.all(killed.seen)) {
    if (!counting.output.startsWith(stdout.replaceAll('\r', ''))) tally.fault(`a window saw ${stdout}`);
  }
  const next = await openWindow(machine.socket);
  await expectAllSeen(scene, next, 'the window');
  await expectWhole(scene, ours, 'the window');
}

/** A window whose connection is lost, and which comes back, goes on showing the session: each number comes once. */
async function cutWindow(scene: Scene): Promise<void> {
  const { machine, random } = scene;
  const ours = await start(scene, machine.backend, counting.script);
  const cable = await Cable.open(machine.socket);
  const window = await openWindow(String(cable.place));
  await delay(random.between(0, LATEST_MS));
  cable.cut();
  await expectAllSeen(scene, window, 'the line of a window');
  cable.dispose();
  await expectWhole(scene, ours, 'the line of a window');
}

/** A window, and what its terminals show of each session: it looks on, and has started none of them. */
interface LookingOn {
  readonly client: RemoteBackend;
  readonly seen: readonly Promise<Collected>[];
}

async function openWindow(socket: string): Promise<LookingOn> {
  const connector = socketConnector(socket);
  const client = await RemoteBackend.connect({ connector, clientName: 'window' });
  const shown = await Promise.all((await client.list()).map(({ processId }) => client.attach(processId)));
  await Promise.all(shown.map((each) => each.view('focused')));
  return { client, seen: shown.map(collectEvents) };
}

/** Counts what a window has shown, and closes it. */
async function expectAllSeen({ tally }: Scene, { client, seen }: LookingOn, victim: string): Promise<void> {
  for (const each of await Promise.all(seen)) {
    if (!isWhole(each)) tally.fault(`after ${victim}: a window has shown ${JSON.stringify(each.stdout)}`);
    tally.count('processes shown whole by a window');
  }
  client.disconnect();
}

/** The connection goes on through another bridge, and each line comes once. */
async function killBridge(scene: Scene): Promise<void> {
  const { home, machine, random } = scene;
  const argv = [process.execPath, ownServer, 'bridge', '--stdio', '--socket', machine.socket] as const;
  const connector = commandConnector({ argv: [...argv], cwd: home.folder, env: home.env });
  const client = await RemoteBackend.connect({ connector, clientName: 'bridged' });
  const theirs = await start(scene, client, counting.script);
  await delay(random.between(0, LATEST_MS));
  for (const { pid } of await listProcesses()) {
    if (commandLine(pid).includes(argv.slice(1).join(' '))) killIfThere(pid);
  }
  await expectWhole(scene, theirs, 'the bridge');
  client.disconnect();
}

/** Every process that a host has told of is there, and the next host gets all of its output. */
async function killHost(scene: Scene): Promise<void> {
  const { home, machine, random, tally } = scene;
  const told = await killAtAnyMoment('machine', home.folder, random, tally);
  const listed = await machine.backend.list();
  for (const pid of told) {
    if (listed.every((info) => info.pid !== pid)) tally.fault('after the host: a process is lost');
  }
  await expectWhole(scene, await attach(machine, listed), 'the host');
}

/** The guard is replaced, and nothing ends with it. */
async function killGuard(scene: Scene): Promise<void> {
  const { machine, random, pid } = scene;
  const ours = await start(scene, machine.backend, counting.script);
  await delay(random.between(0, LATEST_MS));
  const guard = await untilGuard(pid, 0);
  killIfThere(guard);
  await untilGuard(pid, guard);
  await expectWhole(scene, ours, 'the guard');
}

/** @returns the id of the guard of a server, once it has one that is not the old one. */
async function untilGuard(server: number, old: number): Promise<number> {
  for (;;) {
    const children = (await listProcesses()).filter(({ pid, ppid }) => ppid === server && pid !== old);
    const guard = children.find(({ pid }) => commandLine(pid).includes('/proc/self/fd/'));
    if (guard !== undefined) return guard.pid;
  }
}

/** The list shows the earlier processes in their true states. Their output is whole: nothing is lost or doubled. */
async function expectWhole(
  { machine: { backend }, tally }: Scene,
  processes: readonly ExecProcess[],
  victim: string,
): Promise<void> {
  for (const { state, pid = 0 } of await backend.list()) {
    if (state === 'running' && !(await isRunning(pid))) {
      // It may have ended since.
      await until(
        () => backend.list(),
        (seen) => seen.every((now) => now.pid !== pid || now.state !== 'running'),
      );
    }
  }
  for (const each of processes) {
    const seen = await collectEvents(each);
    if (!isWhole(seen)) tally.fault(`after ${victim}: ${JSON.stringify([seen.stdout, seen.exit])}`);
    tally.count('processes that said all');
  }
  // A process that a host asked for in its last moment is started after its death as well.
  await until(async () => {
    const listed = await backend.list();
    for (const { processId, exit } of listed.filter(({ state }) => state === 'closed')) {
      if (exit?.exitCode !== counting.exitCode) tally.fault(`after ${victim}: ${JSON.stringify(exit)}`);
      await backend.remove(processId);
    }
    return listed.length === 0;
  });
}

/** Whether each number came once, in its order, and then the end. */
function isWhole({ stdout, exit }: Collected): boolean {
  return stdout.replaceAll('\r', '') === counting.output && exit?.exitCode === counting.exitCode;
}

async function start(
  { home }: Scene,
  backend: RemoteBackend,
  script: string,
): Promise<readonly ExecProcess[]> {
  const started = [false, true].map((tty) =>
    backend.start({
      processId: `${tty ? 'terminal' : 'pipes'} ${process.hrtime.bigint()}`,
      argv: ['bash', '-c', script],
      cwd: home.folder,
      env,
      tty,
      owned: true,
    }),
  );
  return Promise.all(started);
}

function attach({ backend }: Machine, listed: readonly ProcessInfo[]): Promise<readonly ExecProcess[]> {
  return Promise.all(listed.map(({ processId }) => backend.attach(processId)));
}
