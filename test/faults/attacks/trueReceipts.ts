import type { EndedReceipt, ExecProcess, ReceiptCause, StopStep } from '../../../src/core/index.js';
import { readReceipts, receiptPlace } from '../../../src/machine/index.js';
import type { RemoteBackend } from '../../../src/remote/index.js';
import { makeServerHome, type ServerHome } from '../../support/execServer.js';
import { killIfThere } from '../../support/killIfThere.js';
import { isRunning, until } from '../../support/processes.js';
import { Random } from '../../support/random.js';
import { sessionServersOf } from '../../support/sessionServers.js';
import { type Attack, inTime, Tally } from './attack.js';
import { untilNothingRuns } from './leftovers.js';
import { connectToMachine } from './sessionServer.js';

/** How many sessions end side by side, on one server. */
const AT_ONCE = 20;
/** What each step of a ladder is given, in milliseconds. */
const GRACE_MS = { interrupt: 30, hangup: 30, terminate: 30 };
const SIGNALS: readonly [string, ...string[]] = ['SIGTERM', 'SIGKILL', 'SIGUSR1', 'SIGHUP', 'SIGABRT'];

/** A session that has been started, and whether a receipt tells the truth of it. */
interface Expected {
  readonly sessionId: string;
  readonly isTrue: (receipt: EndedReceipt) => boolean;
}

interface Scene {
  readonly home: ServerHome;
  readonly backend: RemoteBackend;
  readonly random: Random;
  /** The number of the session. */
  readonly count: number;
}

/** Ends sessions in every way, kills the server in between, and compares what the receipts say. */
export const trueReceipts: Attack = {
  name: 'Sessions end by themselves, by signals, by people, by agents and with a killed server, and each has a true receipt',
  unit: 'ends',
  amount: { short: 40, long: 1_000 },
  async run(amount, seed) {
    const tally = new Tally();
    const home = makeServerHome();
    const place = receiptPlace(home.env);
    const read = async () => (place === undefined ? [] : (await readReceipts(place, Date.now())).ended);
    const random = new Random(seed);
    try {
      for (let count = 0; count < amount; count += AT_ONCE) {
        const machine = await connectToMachine(home);
        const sessions = Array.from({ length: AT_ONCE }, (_, index) =>
          endSomehow({ home, backend: machine.backend, random, count: count + index }),
        );
        const expected = await Promise.all(sessions);
        const [server = 0] = sessionServersOf(home.folder);
        const running = expected.filter((one) => one.runs);
        await compare(
          tally,
          read,
          expected.filter((one) => !one.runs),
        );
        process.kill(server, 'SIGKILL');
        await until(async () => !(await isRunning(server)));
        machine.disconnect();
        await compare(tally, read, running);
        await untilNothingRuns(home.folder, 'after the session server', tally);
      }
    } finally {
      sessionServersOf(home.folder).forEach((pid) => killIfThere(pid));
      await home.remove();
    }
    return tally;
  },
};

async function compare(
  tally: Tally,
  read: () => Promise<readonly EndedReceipt[]>,
  expected: readonly Expected[],
): Promise<void> {
  let wrong = expected;
  const looks = until(async () => {
    const receipts = new Map((await read()).map((receipt) => [receipt.sessionId, receipt]));
    wrong = expected.filter(({ sessionId, isTrue }) => {
      const receipt = receipts.get(sessionId);
      return receipt === undefined || !isTrue(receipt);
    });
    return wrong.length === 0;
  });
  if ((await inTime(looks)) === undefined) {
    const receipts = await read();
    wrong.forEach(({ sessionId }) =>
      tally.fault(`${sessionId}: ${JSON.stringify(receipts.find((one) => one.sessionId === sessionId))}`),
    );
  }
  tally.count('true receipts', expected.length - wrong.length);
}

type Way = (scene: Scene) => Promise<Expected & { readonly runs?: true }>;

function endSomehow(scene: Scene): Promise<Expected & { readonly runs?: true }> {
  return scene.random.of<Way>([endByItself, endBySignal, endByLadder, endByKill, stayRunning])(scene);
}

async function endByItself(scene: Scene): Promise<Expected> {
  const exitCode = scene.random.between(0, 255);
  const sessionId = `exit ${exitCode}, ${scene.count}`;
  await start(scene, sessionId, `echo ${'x'.repeat(scene.count)}; exit ${exitCode}`);
  return {
    sessionId,
    isTrue: ({ end, endedBy, bytes, steps }) =>
      end.kind === 'exit' &&
      end.status.exitCode === exitCode &&
      end.status.signal === undefined &&
      endedBy === undefined &&
      steps.length === 0 &&
      bytes > scene.count,
  };
}

async function endBySignal(scene: Scene): Promise<Expected> {
  const signal = scene.random.of(SIGNALS);
  const sessionId = `${signal}, ${scene.count}`;
  await start(scene, sessionId, `kill -${signal.slice(3)} $$`);
  return {
    sessionId,
    isTrue: ({ end, endedBy }) =>
      end.kind === 'exit' && end.status.signal === signal && endedBy === undefined,
  };
}

/** Stopped by a person or an agent, and stubborn: it lives through some of the steps. */
async function endByLadder(scene: Scene): Promise<Expected> {
  const { random, count } = scene;
  const ignored = random.of(['', 'INT', 'INT HUP', 'INT HUP TERM']);
  const endedBy = random.of<ReceiptCause>([{ kind: 'person' }, { kind: 'agent', name: `Agent ${count}` }]);
  const sessionId = `ladder, ${count}`;
  const trap = ignored === '' ? '' : `trap '' ${ignored}; `;
  const process = await start(scene, sessionId, `${trap}echo set; while :; do sleep 0.05; done`);
  await until(() => process.info().output.bytes > 0);
  await process.describe({ endedBy });
  const report = await process.stop({ graceMs: GRACE_MS });
  return {
    sessionId,
    isTrue: (receipt) =>
      receipt.end.kind === 'exit' &&
      sameSteps(receipt.steps, report.steps) &&
      JSON.stringify(receipt.endedBy) === JSON.stringify(endedBy),
  };
}

async function endByKill(scene: Scene): Promise<Expected> {
  const sessionId = `kill, ${scene.count}`;
  const process = await start(scene, sessionId, 'sleep 1000');
  await process.terminate();
  return {
    sessionId,
    isTrue: ({ end }) => end.kind === 'exit' && end.status.signal === 'SIGKILL',
  };
}

/** Until its server is killed. */
async function stayRunning(scene: Scene): Promise<Expected & { readonly runs: true }> {
  const sessionId = `lost, ${scene.count}`;
  await start(scene, sessionId, 'sleep 1000');
  return { sessionId, isTrue: ({ end }) => end.kind === 'lost', runs: true };
}

function start({ backend, home, random }: Scene, sessionId: string, script: string): Promise<ExecProcess> {
  return backend.start({
    processId: sessionId,
    argv: ['bash', '-c', script],
    cwd: home.folder,
    env: { PATH: process.env['PATH'] ?? '/bin:/usr/bin' },
    tty: random.between(0, 1) === 1,
    owned: true,
    metadata: { sessionId, origin: { kind: 'user' } },
  });
}

function sameSteps(one: readonly StopStep[], other: readonly StopStep[]): boolean {
  return one.join() === other.join();
}
