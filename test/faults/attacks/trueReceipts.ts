import type { EndedReceipt, ExecProcess, ReceiptCause, StopStep } from '../../../src/core/index.js';
import { listProcesses } from '../../../src/local/marks/processTable.js';
import { endProcess, findLeftovers, readReceipts, receiptPlace } from '../../../src/machine/index.js';
import type { RemoteBackend } from '../../../src/remote/index.js';
import { INHERITING } from '../../support/envPolicy.js';
import { makeServerHome, type ServerHome } from '../../support/execServer.js';
import { killIfThere } from '../../support/killIfThere.js';
import { commandLine, isRunning } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { Random } from '../../support/random.js';
import { sessionServersOf } from '../../support/sessionServers.js';
import { type Attack, inTime, Tally } from './attack.js';
import { untilNothingRuns } from './leftovers.js';
import { connectToMachine } from './sessionServer.js';

/** How many sessions end side by side, on one server. */
const AT_ONCE = 20;
/** The time for each step of a ladder, in milliseconds. */
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

/** Ends sessions in every way, ends the server in three in between, and compares what the receipts say. */
export const trueReceipts: Attack = {
  name: 'Sessions end in nine ways, by the guard, with their server and as all is killed too, and each has a true receipt',
  unit: 'ends',
  amount: { short: 60, long: 1_000 },
  async run(amount, seed) {
    const tally = new Tally();
    const home = makeServerHome();
    const place = receiptPlace(home.env);
    const read = async () => (place === undefined ? [] : readReceipts(place, Date.now()));
    const random = new Random(seed);
    try {
      for (let count = 0; count < amount; count += AT_ONCE) {
        const machine = await connectToMachine(home);
        const sessions = Array.from({ length: AT_ONCE }, (_, index) =>
          endSomehow({ home, backend: machine.backend, random, count: count + index }),
        );
        const expected = await Promise.all(sessions);
        await compare(tally, read, expected.filter(isOver));
        await endLeftovers(home, tally);
        const end = SERVER_ENDS[(count / AT_ONCE) % SERVER_ENDS.length];
        await end?.(home, expected.filter(isRunningYet), read, tally);
        machine.disconnect();
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

type Way = (scene: Scene) => Promise<Expected | StillRunning>;

/** A session that runs until its server ends. */
interface StillRunning {
  readonly sessionId: string;
  readonly pid: number;
  readonly tty: boolean;
}

const isOver = (one: Expected | StillRunning): one is Expected => 'isTrue' in one;
const isRunningYet = (one: Expected | StillRunning): one is StillRunning => !isOver(one);

function endSomehow(scene: Scene): ReturnType<Way> {
  const ways: readonly [Way, ...Way[]] = [
    endByItself,
    endBySignal,
    endByLadder,
    endByKill,
    leaveSomething,
    stayRunning,
    stayRunning,
  ];
  return scene.random.of(ways)(scene);
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

/**
 * Ends once its survivor has a POSIX session of its own: otherwise the hang-up of its terminal would end the survivor.
 */
const LEAVE = 'read -r < <(setsid sh -c "echo; exec sleep 1000 >/dev/null 2>&1"); exit 0';

async function leaveSomething(scene: Scene): Promise<Expected> {
  const sessionId = `left, ${scene.count}`;
  await start(scene, sessionId, LEAVE);
  return {
    sessionId,
    isTrue: ({ end, left }) => end.kind === 'exit' && left.length === 1 && left[0]?.command === 'sleep',
  };
}

async function stayRunning(scene: Scene): Promise<StillRunning> {
  const sessionId = `lost, ${scene.count}`;
  const process = await start(scene, sessionId, 'exec sleep 1000');
  const { pid = 0, tty } = process.info();
  return { sessionId, pid, tty };
}

/** A process that a session has left is listed with that session, and is ended by its identity. */
async function endLeftovers(home: ServerHome, tally: Tally): Promise<void> {
  for (const leftover of await findLeftovers(home.env, Date.now(), (reason) => {
    throw new Error(reason);
  })) {
    if (leftover.receipt?.cwd === home.folder) {
      const { exited } = await endProcess(leftover);
      tally.count(exited ? 'leftovers ended' : 'leftovers that stayed');
    }
  }
}

type ServerEnd = (
  home: ServerHome,
  running: readonly StillRunning[],
  read: () => Promise<readonly EndedReceipt[]>,
  tally: Tally,
) => Promise<void>;

/** Its guard stops what ran, unless the hang-up of its terminal was quicker. */
const killServer: ServerEnd = async ({ folder }, running, read, tally) => {
  await endServer(folder, 'SIGKILL');
  tally.count('servers killed');
  const expected = running.map(({ sessionId, tty }) => ({
    sessionId,
    isTrue: ({ end, endedBy, steps }: EndedReceipt) =>
      end.kind === 'lost' &&
      (endedBy?.kind === 'guard' ? steps[0] === 'interrupt' : tty && endedBy === undefined),
  }));
  await compare(tally, read, expected);
};

/** As when the machine fails: it can only be known that the sessions are lost. */
const killAll: ServerEnd = async ({ folder }, running, read, tally) => {
  const [server = 0] = sessionServersOf(folder);
  // It would start another guard.
  process.kill(server, 'SIGSTOP');
  const guards = (await listProcesses()).filter(
    ({ pid, ppid }) => ppid === server && commandLine(pid).includes('guard.js'),
  );
  for (const { pid } of [...guards, ...running]) killIfThere(pid);
  await endServer(folder, 'SIGKILL');
  tally.count('times that all was killed');
  const expected = running.map(({ sessionId }) => ({
    sessionId,
    isTrue: ({ end, endedBy, steps }: EndedReceipt) =>
      end.kind === 'lost' && endedBy === undefined && steps.length === 0,
  }));
  await compare(tally, read, expected);
};

const tellServer: ServerEnd = async ({ folder }, running, read, tally) => {
  await endServer(folder, 'SIGTERM');
  tally.count('servers told to end');
  const expected = running.map(({ sessionId }) => ({
    sessionId,
    isTrue: ({ end, endedBy }: EndedReceipt) =>
      end.kind === 'exit' && endedBy?.kind === 'server' && endedBy.signal === 'SIGTERM',
  }));
  await compare(tally, read, expected);
};

const SERVER_ENDS = [killServer, killAll, tellServer];

async function endServer(folder: string, signal: NodeJS.Signals): Promise<void> {
  for (const server of sessionServersOf(folder)) {
    process.kill(server, signal);
    await until(async () => !(await isRunning(server)));
  }
}

function start({ backend, home, random }: Scene, sessionId: string, script: string): Promise<ExecProcess> {
  return backend.start({
    processId: sessionId,
    argv: ['bash', '-c', script],
    cwd: home.folder,
    // Only what inherits variables has the mark that its leftovers are found by.
    env: {},
    envPolicy: INHERITING,
    tty: random.between(0, 1) === 1,
    owned: true,
    metadata: { sessionId, origin: { kind: 'user' } },
  });
}

function sameSteps(one: readonly StopStep[], other: readonly StopStep[]): boolean {
  return one.join() === other.join();
}
