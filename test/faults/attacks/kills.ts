import { setTimeout as delay } from 'node:timers/promises';

import type { ExecProcess } from '../../../src/core/index.js';
import { listProcesses } from '../../../src/local/marks/processTable.js';
import { RemoteBackend, webSocketConnector } from '../../../src/remote/index.js';
import { webSocketClient } from '../../server/program.js';
import { collectEvents, untilOutput } from '../../support/collect.js';
import { makeServerHome, type RunningServer, startOwnServer } from '../../support/execServer.js';
import { killIfThere } from '../../support/killIfThere.js';
import { commandLine } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { Random } from '../../support/random.js';
import { type Attack, inTime, Tally } from './attack.js';
import { killHost, killHostOfServer } from './hostKills.js';
import { untilNothingRuns } from './leftovers.js';
import { bridgeArgv, connectThroughBridge, endServerOf } from './sessionServer.js';
import { counting, type Shape, shapes } from './shapes.js';

const AT_ONCE = 6;
const LATEST_MS = 250;
const env = { PATH: process.env['PATH'] ?? '/bin:/usr/bin' };
const atOnce = { interrupt: 0, hangup: 0, terminate: 0 };

/** Kills one of the programs that take part, at a random moment. */
export const kills: Attack = {
  name: 'The server, its guard, a client, the bridge or the host is killed at any moment',
  unit: 'kills',
  amount: { short: 12, long: 100 },
  async run(amount, seed) {
    const tally = new Tally();
    const random = new Random(seed);
    const victims = [killServer, killGuard, killClient, killBridge, killHost, killHostOfServer];
    for (let count = 0; count < amount; count++) {
      const victim = victims[count % victims.length];
      const done = await inTime(victim?.(random, tally) ?? Promise.resolve());
      if (done === undefined) {
        tally.fault(`${victim?.name ?? ''}, kill ${count}, did not end`);
        break;
      }
      tally.count('kills');
    }
    return tally;
  },
};

/** After a kill of a server, nothing is left of the programs that it started. */
async function killServer(random: Random, tally: Tally): Promise<void> {
  const server = await startOwnServer();
  const backend = await connect(server);
  const starts = startAny(backend, server.folder, random);
  await delay(random.between(0, LATEST_MS));
  process.kill(server.pid, 'SIGKILL');
  await Promise.allSettled(starts);
  backend.disconnect();
  await untilNothingRuns(server.folder, 'after the server', tally);
  await server.stop();
}

/** A guard that is killed is replaced, the processes go on, and the new one ends them all. */
async function killGuard(random: Random, tally: Tally): Promise<void> {
  const server = await startOwnServer();
  const backend = await connect(server);
  const calm = shapes.filter(({ name }) => name === 'child' || name === 'own groups');
  const all = await Promise.all(
    calm.map(({ script }, index) => start(backend, server.folder, script, index, false)),
  );
  const guards = async () =>
    (await listProcesses()).filter(
      ({ pid, ppid }) => ppid === server.pid && commandLine(pid).includes('guard.js'),
    );
  await until(async () => (await guards()).length, 1);
  const [old] = await guards();
  await delay(random.between(0, LATEST_MS));
  killIfThere(old?.pid ?? 0);
  await until(
    () => guards(),
    (seen) => seen.some(({ pid }) => pid !== old?.pid),
  );
  for (const each of all) {
    if (each.info().state !== 'running') tally.fault('a process ended with the guard');
  }
  process.kill(server.pid, 'SIGKILL');
  backend.disconnect();
  await untilNothingRuns(server.folder, 'after the guard and the server', tally);
  await server.stop();
}

/** The processes of a client that is gone go on, and one that comes back is told so. */
async function killClient(random: Random, tally: Tally): Promise<void> {
  const server = await startOwnServer();
  const client = await webSocketClient(server.url);
  const sessionId = await client.handshake();
  const argv = ['/bin/sh', '-c', 'echo ready; exec sleep 1000'];
  for (let index = 0; index < AT_ONCE; index++) await client.start(`p${index}`, argv);
  await delay(random.between(0, LATEST_MS));
  // The kernel does the same with the connections of a program that is killed.
  client.transport.destroy('killed');
  const heir = await resume(server, sessionId);
  const { processes } = await heir.request('process/list');
  const states = (processes as { readonly state: string }[]).map(({ state }) => state);
  if (states.length !== AT_ONCE || states.some((state) => state !== 'running')) {
    tally.fault(`after the client: ${states.join(', ')}`);
  }
  heir.transport.close();
  await server.stop();
}

/** Waits until the server has noticed that the connection before has ended. */
async function resume(server: RunningServer, sessionId: string) {
  for (;;) {
    const client = await webSocketClient(server.url);
    const { error } = await client.ask('initialize', { clientName: 'heir', resumeSessionId: sessionId });
    if (error === undefined) {
      client.notify('initialized');
      return client;
    }
    client.transport.destroy('the session is busy');
  }
}

/** The connection through a bridge that is killed is taken up through another one, and nothing is lost or doubled. */
async function killBridge(random: Random, tally: Tally): Promise<void> {
  const home = makeServerHome();
  const backend = await connectThroughBridge(home);
  const running = await start(backend, home.folder, counting.script, 0, false);
  const collected = collectEvents(running);
  await untilOutput(running, '0\n');
  await delay(random.between(0, LATEST_MS));
  const rows = await listProcesses();
  const bridge = rows.find(({ pid }) =>
    commandLine(pid).includes(bridgeArgv(home.folder).slice(1).join(' ')),
  );
  killIfThere(bridge?.pid ?? 0);
  const { stdout, exit } = await collected;
  if (stdout !== counting.output || exit?.exitCode !== counting.exitCode)
    tally.fault(`after the bridge: ${JSON.stringify([stdout, exit])}`);
  await until(() => backend.connection.kind, 'connected');
  await backend.shutdown({ graceMs: atOnce });
  await endServerOf(home);
  await home.remove();
}

function connect({ url }: RunningServer): Promise<RemoteBackend> {
  return RemoteBackend.connect({
    connector: webSocketConnector({ url }),
    clientName: 'kills',
    recovery: { limitMs: 0 },
  });
}

function start(
  backend: RemoteBackend,
  cwd: string,
  script: string,
  index: number,
  tty: boolean,
): Promise<ExecProcess> {
  return backend.start({ processId: `p${index}`, argv: ['bash', '-c', script], cwd, env, tty });
}

function startAny(backend: RemoteBackend, cwd: string, random: Random): Promise<ExecProcess>[] {
  const tame = shapes.filter(({ detaches }) => detaches !== true) as [Shape, ...Shape[]];
  return Array.from({ length: AT_ONCE }, (_, index) =>
    start(backend, cwd, random.of(tame).script, index, random.next() < 0.5),
  );
}
