import { Contenders, type ContenderName } from '../contenders.js';
import type { Measurement } from '../measurement.js';
import { usageOf } from '../processUsage.js';

const NAMES: readonly ContenderName[] = [
  'raw',
  'ours-ws',
  'ours-unix',
  'codex',
  'bare',
  'client-ws',
  'before-ws',
];

const SIZES = {
  full: { rounds: 3, count: 500, seconds: 10 },
  quick: { rounds: 1, count: 500, seconds: 2 },
  check: { rounds: 2, count: 200, seconds: 2 },
} as const;
const EVERY_MS = 100;
/** The starts, and later the kills, in progress at a time, where these are not measured. */
const AT_ONCE = 16;
/** The aftermath of all the starts is over by then. */
const SETTLE_SECONDS = 1;
const MB = 1e6;

/** Many processes that print a little: the latency, and the cost of the server. */
export const many: Measurement = {
  name: 'many',
  title: 'One client with 500 processes that each print a line every 100 ms',
  about:
    'Each is a sleeping perl that prints its line with the time, for 10 seconds; less, and in the check fewer, in short runs. `latency` is from the print to ' +
    'the client, on one clock; every line is checked. `cpu` is the part of one core that the server uses meanwhile, and ' +
    '`memory` what it has resident at the end, its helpers included.',
  quantities: [
    { name: 'latency', unit: 'ms', better: 'lower', statistics: ['p50', 'p99'] },
    { name: 'cpu', unit: '%', better: 'lower', statistics: ['p50'] },
    { name: 'memory', unit: 'MB', better: 'lower', statistics: ['p50'] },
  ],
  claims: [
    { quantity: 'latency', statistic: 'p99', of: 'ours-ws', to: 'codex', atMost: 0.25 },
    { quantity: 'cpu', statistic: 'p50', of: 'ours-ws', to: 'codex', atMost: 1.3 },
    { quantity: 'memory', statistic: 'p50', of: 'ours-ws', to: 'codex', atMost: 1 },
    { quantity: 'cpu', statistic: 'p50', of: 'bare', to: 'codex' },
    { quantity: 'cpu', statistic: 'p50', of: 'ours-ws', to: 'bare' },
    { quantity: 'latency', statistic: 'p99', of: 'ours-ws', to: 'raw' },
    { quantity: 'latency', statistic: 'p99', of: 'client-ws', to: 'codex' },
  ],
  async open(options) {
    const { rounds, count, seconds } = SIZES[options.scale];
    const contenders = await Contenders.open(NAMES, options);
    return {
      contenders: contenders.names,
      rounds: options.rounds ?? rounds,
      notes: [],
      run: async (name) => {
        const { worker, server } = contenders.get(name);
        await worker.call('manyStart', { count, everyMs: EVERY_MS, atOnce: AT_ONCE });
        await worker.call('manyListen', { seconds: SETTLE_SECONDS });
        const before = server && usageOf(server.pid);
        const latency = await worker.call('manyListen', { seconds });
        const after = server && usageOf(server.pid);
        await worker.call('manyStop', { atOnce: AT_ONCE });
        return {
          latency,
          ...(before &&
            after && {
              cpu: [((after.cpuSeconds - before.cpuSeconds) / seconds) * 100],
              memory: [after.residentBytes / MB],
            }),
        };
      },
      close: () => contenders.close(),
    };
  },
};

const CROWD_SIZES = {
  full: { rounds: 3, count: 2000 },
  quick: { rounds: 1, count: 200 },
  check: { rounds: 1, count: 1000 },
} as const;
/** So seldom that 2,000 of them leave the processor to the measured work. */
const CROWD_EVERY_MS = 1000;
const CROWD_SECONDS = 2;
const CODEX_AT_ONCE = 50;

/** All processes are started at once. */
export const crowd: Measurement = {
  name: 'crowd',
  title: '2,000 processes started at once',
  about:
    'All are asked for at the same time; `running` is until each has printed its first line. Then all go on for two ' +
    'seconds, and are killed, all at once as well; `stopped` is until the last has closed. Any error, and any line that is ' +
    'lost, is a failure. Short runs start fewer. Of codex 50 are asked for, or killed, at a time: with more than about 150 ' +
    'waiting, 0.169.0 answers nothing any more.',
  quantities: [
    { name: 'running', unit: 'ms', better: 'lower', statistics: ['p50'] },
    { name: 'stopped', unit: 'ms', better: 'lower', statistics: ['p50'] },
  ],
  claims: [
    { quantity: 'running', statistic: 'p50', of: 'ours-ws', to: 'raw' },
    { quantity: 'running', statistic: 'p50', of: 'ours-ws', to: 'codex' },
    { quantity: 'stopped', statistic: 'p50', of: 'ours-ws', to: 'codex' },
  ],
  async open(options) {
    const { rounds, count } = CROWD_SIZES[options.scale];
    const contenders = await Contenders.open(['raw', 'ours-ws', 'codex', 'client-ws'], options);
    return {
      contenders: contenders.names,
      rounds: options.rounds ?? rounds,
      notes: [],
      run: async (name) => {
        const { worker } = contenders.get(name);
        const atOnce = name === 'codex' ? CODEX_AT_ONCE : count;
        const running = await worker.call('manyStart', { count, everyMs: CROWD_EVERY_MS, atOnce });
        await worker.call('manyListen', { seconds: CROWD_SECONDS });
        const stopped = await worker.call('manyStop', { atOnce });
        return { running: [running], stopped: [stopped] };
      },
      close: () => contenders.close(),
    };
  },
};
