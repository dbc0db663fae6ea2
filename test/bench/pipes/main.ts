import { spawn } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';

import type { ExecBackend, ExecEvent } from '../../../src/core/index.js';
import { LocalBackend } from '../../../src/local/index.js';
import { RemoteBackend, webSocketConnector } from '../../../src/remote/index.js';
import { build } from '../../rig/commands.js';
import { startCodexServer } from '../../support/codexServer.js';
import { startOwnServer } from '../../support/execServer.js';
import { quantile } from '../statistics.js';
import { runCrowd } from './crowd.js';
import { interleaved, run } from './runs.js';

/**
 * The pipes of children beside those of the real exec-server, in one interleaved run, idle and with two busy cores:
 * `npm run bench:pipes`. Prints what it sees, and ends with 1 if something is worse than it may be.
 */

/** Programs that open their streams by name. The last one reads its input so. */
const COMMANDS = [
  'echo x > /dev/stderr',
  'echo x > /dev/stdout',
  'echo x | tee /dev/stderr',
  'curl --silent --output /dev/stdout file:///etc/passwd | head -n 1',
  'curl --silent --output /dev/stdout file:///etc/passwd',
  `python3 -c "open('/dev/stdout', 'w').write('x')"`,
  `node -e "fs.writeFileSync('/dev/stderr', 'x')"`,
  'head -n 1 < /dev/stdin',
] as const;

/** A test run that fails: 5,009 lines, and an end that does not wait for them. */
const FAILING_RUN =
  'for (let i = 1; i <= 5009; i++) console.log(`  ok ${i} a test with a name of the usual length`); process.exit(1)';
const LINES = 5_009;
const RUNS = 60;
const MAY_BE_RARER = 0.15 * RUNS;
/** Both streams in turn: as fast as a shell can, right after the start and later, and with programs in between. */
const STEPS = {
  'at once': 'for i in 1 2 3 4 5 6; do echo out$i; echo err$i >&2; done',
  'after a while': 'sleep 0.1; for i in 1 2 3 4 5 6; do echo out$i; echo err$i >&2; done',
  'of programs': 'for i in 1 2 3 4 5 6; do /bin/echo out$i; /bin/echo err$i >&2; done',
} as const;
const ORDERED_LINES = [1, 2, 3, 4, 5, 6].flatMap((i) => [`out${i}`, `err${i}`]);
const ORDER_RUNS = 40;
/** In points, the mean of the three. On a quiet machine the two are alike; on a busy one runs differ by as much. */
const MAY_BE_WORSE = 10;
const ROUNDS = 10;
const FLOOD_BYTES = 256 * 1024 * 1024;

const problems: string[] = [];

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function check(holds: boolean, what: string): void {
  if (!holds) {
    problems.push(what);
  }
}

async function compare(backends: Record<'ours' | 'real', ExecBackend>): Promise<void> {
  for (const command of COMMANDS) {
    const seen = await interleaved(1, ['ours', 'real'], async (name) => {
      const input = command.includes('/dev/stdin') ? 'a line\n' : '';
      const { stdout, stderr, exit } = await run(backends[name], ['bash', '-c', command], { input });
      return { stdout, stderr, exit };
    });
    const same = isDeepStrictEqual(seen.ours, seen.real) && seen.ours[0]?.exit?.exitCode === 0;
    say(`  ${same ? 'as the real one' : 'DIFFERENT'}: ${command}`);
    check(same, `${command}: ${JSON.stringify(seen)}`);
  }

  const node = [process.execPath, '-e', FAILING_RUN];
  const ways = {
    'ours': () => run(backends.ours, node),
    'real': () => run(backends.real, node),
    'ours, | cat': () => run(backends.ours, ['bash', '-c', '"$@" | cat', 'bash', ...node]),
    'ours, agents': () => run(backends.ours, node, { stderrToStdout: true }),
  };
  const names = Object.keys(ways) as (keyof typeof ways)[];
  const lines = await interleaved(
    RUNS,
    names,
    async (name) => (await ways[name]()).stdout.split('\n').length - 1,
  );
  const whole = Object.fromEntries(
    names.map((name) => [name, lines[name].filter((count) => count === LINES).length]),
  );
  for (const name of names) {
    say(
      `  ${LINES} lines and process.exit(), ${name}: ${whole[name]} of ${RUNS} whole, least ${Math.min(...lines[name])}`,
    );
  }
  for (const name of ['ours', 'ours, agents']) {
    check(
      (whole[name] ?? 0) >= (whole['ours, | cat'] ?? 0) - MAY_BE_RARER,
      `${name}: fewer whole runs than through | cat`,
    );
  }

  let [ours, real] = [0, 0];
  for (const [when, script] of Object.entries(STEPS)) {
    const order = await interleaved(ORDER_RUNS, ['ours', 'real'], async (name) => {
      const { events } = await run(backends[name], ['bash', '-c', script]);
      return neighboursInOrder(textOfAll(events));
    });
    say(`  two streams ${when}: neighbours in order, ours ${mean(order.ours)} %, real ${mean(order.real)} %`);
    ours += mean(order.ours);
    real += mean(order.real);
    const { stdout } = await run(backends.ours, ['bash', '-c', script], { stderrToStdout: true });
    check(neighboursInOrder(stdout) === 100, `one pipe for both streams is out of order: ${stdout}`);
  }
  check(ours >= real - 3 * MAY_BE_WORSE, 'two streams come in a worse order than from the real one');
}

function textOfAll(events: readonly ExecEvent[]): string {
  return events.map((event) => (event.type === 'output' ? Buffer.from(event.bytes).toString() : '')).join('');
}

/** How many lines come before the one that was written next, in per cent. */
function neighboursInOrder(text: string): number {
  const lines = text.split('\n');
  const pairs = ORDERED_LINES.slice(1).map((line, index) => [ORDERED_LINES[index] ?? '', line] as const);
  const right = pairs.filter(([one, next]) => lines.indexOf(one) < lines.indexOf(next));
  return (100 * right.length) / pairs.length;
}

function mean(samples: readonly number[]): number {
  return Math.round(samples.reduce((sum, sample) => sum + sample, 0) / samples.length);
}

/** The local backend with pipes beside the same with the socket pairs of Node. */
async function measure(): Promise<void> {
  const backends = { pipes: new LocalBackend(), sockets: new LocalBackend({ pipes: () => undefined }) };
  const names = ['pipes', 'sockets'] as const;
  const timed = async (work: () => Promise<unknown>) => {
    const begun = performance.now();
    await work();
    return performance.now() - begun;
  };
  const starts = await interleaved(ROUNDS, names, async (name) => {
    const samples: number[] = [];
    for (let index = 0; index < 30; index++) {
      samples.push(await timed(() => run(backends[name], ['true'])));
    }
    return quantile(samples, 0.5);
  });
  const flood = ['head', '-c', String(FLOOD_BYTES), '/dev/zero'];
  const floods = await interleaved(ROUNDS, names, (name) =>
    timed(async () => {
      const child = await backends[name].start({
        processId: crypto.randomUUID(),
        argv: flood,
        cwd: '/',
        env: { PATH: '/bin:/usr/bin' },
        tty: false,
      });
      await new Promise<void>((resolve) => {
        const subscription = child.subscribe({}, ({ type }) => {
          if (type === 'closed') {
            subscription.dispose();
            resolve();
          }
        });
      });
      child.release();
    }),
  );
  const ratios = starts.pipes.map((ms, round) => ms / (starts.sockets[round] ?? Number.NaN));
  const start = quantile(ratios, 0.5);
  // The fastest of each: a flood takes long enough to be disturbed in nearly every round.
  const throughput = Math.min(...floods.sockets) / Math.min(...floods.pipes);
  say(`  start to close: ${start.toFixed(2)} x that of socket pairs, the median of ${ROUNDS} rounds`);
  say(`  throughput: ${throughput.toFixed(2)} x that of socket pairs`);
  check(start <= 1.15, 'a start takes more than 1.15 x as long');
  check(throughput >= 1, 'the throughput is lower');
  await Promise.all(names.map((name) => backends[name].shutdown()));
}

async function main(): Promise<void> {
  await build();
  const servers = { ours: await startOwnServer(), real: await startCodexServer() };
  const connect = (url: string) =>
    RemoteBackend.connect({ connector: webSocketConnector({ url }), clientName: 'bench' });
  const backends = { ours: await connect(servers.ours.url), real: await connect(servers.real.url) };
  try {
    for (const busy of [0, 2]) {
      say(busy === 0 ? 'Idle' : `With ${busy} busy programs`);
      const burners = Array.from({ length: busy }, () =>
        spawn('sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' }),
      );
      await compare(backends);
      await measure();
      burners.forEach((burner) => burner.kill('SIGKILL'));
    }
    if (process.getuid?.() === 0) {
      const { crowd, onPipes, whole, seconds } = await runCrowd();
      say(
        `${crowd} programs at once as another user: ${onPipes} on pipes, ${whole} whole, ${seconds.toFixed(1)} s`,
      );
      check(onPipes === crowd && whole === crowd, 'not all of the crowd ran on pipes, or not whole');
    }
  } finally {
    await Promise.all([backends.ours.shutdown(), backends.real.shutdown()]);
    await Promise.all([servers.ours.stop(), servers.real.stop()]);
  }
  say(
    problems.length === 0 ? 'All is as it should be.' : `Worse than it may be:\n- ${problems.join('\n- ')}`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
}

void main();
