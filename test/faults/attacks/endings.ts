import type { ExecProcess } from '../../../src/core/index.js';
import { RemoteBackend, webSocketConnector } from '../../../src/remote/index.js';
import { command, ownServer, type RunningServer, startServer } from '../../support/execServer.js';
import { Random } from '../../support/random.js';
import { type Attack, inTime, Tally } from './attack.js';
import { untilNothingRuns } from './leftovers.js';
import { type Shape, shapes } from './shapes.js';

const AT_ONCE = 6;
const LATEST_MS = 250;
const graceMs = { interrupt: 50, hangup: 50, terminate: 50 };
const env = { PATH: process.env['PATH'] ?? '/bin:/usr/bin' };

interface Round {
  readonly server: RunningServer;
  readonly backend: RemoteBackend;
  /** A start that is cancelled rejects. */
  readonly starts: readonly Promise<ExecProcess>[];
}

interface Way {
  readonly name: string;
  readonly end: (round: Round) => Promise<unknown>;
  /** Programs that an exited process has left running go on. */
  readonly onlyRunning?: boolean;
}

/** The ways of ending processes that do not end by themselves. No way leaves anything of them. */
const WAYS: readonly Way[] = [
  { name: 'stopped', end: ({ starts }) => ofEach(starts, (one) => one.stop({ graceMs })) },
  { name: 'terminated', end: ({ starts }) => ofEach(starts, (one) => one.terminate()), onlyRunning: true },
  {
    name: 'cancelled',
    end: ({ backend, starts }) => Promise.all(starts.map((_, index) => backend.terminate(`p${index}`))),
    onlyRunning: true,
  },
  { name: 'shut down', end: ({ backend }) => backend.shutdown({ graceMs }) },
  { name: 'left by their client', end: ({ backend }) => at(() => backend.disconnect()) },
  {
    name: 'of a server that is told to end',
    end: ({ server }) => at(() => process.kill(server.pid, 'SIGTERM')),
  },
  { name: 'of a server that is killed', end: ({ server }) => at(() => process.kill(server.pid, 'SIGKILL')) },
];

/** Programs that are hard to end, ended in every way and at any moment. */
export const endings: Attack = {
  name: 'Programs that are hard to end, ended in seven ways at any moment',
  unit: 'programs',
  amount: { short: AT_ONCE * WAYS.length, long: 840 },
  async run(amount, seed) {
    const tally = new Tally();
    const random = new Random(seed);
    for (let count = 0; count < amount;) {
      for (const way of WAYS) {
        await endSome(way, random, tally);
        count += AT_ONCE;
      }
    }
    return tally;
  },
};

async function endSome(way: Way, random: Random, tally: Tally): Promise<void> {
  const { name, end } = way;
  const server = await startServer((home) => {
    const argv = [process.execPath, ownServer, '--listen', 'ws://127.0.0.1:0'] as const;
    return command(argv, home.env, { cwd: home.folder, args: ['--detached-session-seconds', '1'] });
  });
  const backend = await RemoteBackend.connect({
    connector: webSocketConnector({ url: server.url }),
    clientName: 'endings',
    recovery: { limitMs: 0 },
  });
  try {
    const starts = Array.from({ length: AT_ONCE }, (_, index) =>
      start(backend, server.folder, `p${index}`, random.of(shapesFor(way)), random.next() < 0.5),
    );
    const settled = Promise.allSettled(starts);
    // Some have not begun yet, others have their descendants.
    await new Promise((resolve) => setTimeout(resolve, random.between(0, LATEST_MS)));
    if ((await inTime(end({ server, backend, starts }))) === undefined) tally.fault(`${name}: no end`);
    if ((await inTime(settled)) === undefined) tally.fault(`${name}: a start was not answered`);
    await untilNothingRuns(server.folder, name, tally);
    tally.count(name, AT_ONCE);
  } finally {
    backend.disconnect();
    await server.stop();
  }
}

function shapesFor({ onlyRunning = false }: Way): readonly [Shape, ...Shape[]] {
  const fitting = shapes.filter(
    ({ detaches, exits }) => detaches !== true && !(onlyRunning && exits === true),
  );
  return fitting as [Shape, ...Shape[]];
}

function start(
  backend: RemoteBackend,
  cwd: string,
  processId: string,
  { script }: Shape,
  tty: boolean,
): Promise<ExecProcess> {
  return backend.start({ processId, argv: ['bash', '-c', script], cwd, env, tty });
}

/** The ways that take no answer. */
function at(run: () => void): Promise<void> {
  run();
  return Promise.resolve();
}

async function ofEach(
  starts: readonly Promise<ExecProcess>[],
  end: (one: ExecProcess) => Promise<unknown>,
): Promise<void> {
  await Promise.all(starts.map(async (start) => end(await start)));
}
