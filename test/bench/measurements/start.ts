import { Contenders, everybody, type ContenderName } from '../contenders.js';
import type { Claim, Measurement } from '../measurement.js';

/** Rounds, and processes one after the other in each of them: 500 samples in a full run. */
const SIZES = {
  full: { rounds: 50, count: 10 },
  quick: { rounds: 10, count: 8 },
  check: { rounds: 9, count: 8 },
} as const;
const WARM_UP = 30;

const p50 = { quantity: 'start', statistic: 'p50' } as const;

const claims: readonly Claim[] = [
  { ...p50, of: 'raw-again', to: 'raw' },
  { ...p50, of: 'ours-ws', to: 'raw', atMost: 1.3 },
  { ...p50, of: 'ours-unix', to: 'raw' },
  { ...p50, of: 'local', to: 'raw', atMost: 1.2 },
  { ...p50, of: 'client-ws', to: 'raw' },
  { ...p50, of: 'client-unix', to: 'raw' },
  { ...p50, of: 'ours-ws', to: 'codex' },
  { ...p50, of: 'bare', to: 'raw' },
  { ...p50, of: 'ours-ws', to: 'bare' },
];

export const startPipes = startMeasurement({ name: 'start-pipes', what: 'pipes', claims });
export const startTerminal = startMeasurement({
  name: 'start-terminal',
  what: 'terminal',
  claims,
  tty: true,
});
export const startSandboxed = startMeasurement({
  name: 'start-sandboxed',
  what: 'in a sandbox',
  claims: [
    { ...p50, of: 'ours-sandboxed', to: 'ours-ws', atMost: 3 },
    { ...p50, of: 'ours-sandboxed', to: 'codex-sandboxed', atMost: 0.5 },
    { ...p50, of: 'codex-sandboxed', to: 'codex' },
  ],
  names: ['ours-ws', 'ours-sandboxed', 'codex', 'codex-sandboxed'],
});

function startMeasurement({
  name: measurement,
  what,
  claims: own,
  tty = false,
  names = everybody,
}: {
  readonly name: string;
  readonly what: string;
  readonly claims: readonly Claim[];
  readonly tty?: boolean;
  readonly names?: readonly ContenderName[];
}): Measurement {
  return {
    name: measurement,
    title: `Start → closed, ${what}`,
    about:
      'Runs `/bin/true` and waits until its exit is known and its output is closed, one process after the other. ' +
      'The clock starts when the client asks, and stops when it has been told.',
    quantities: [{ name: 'start', unit: 'ms', better: 'lower', statistics: ['p50', 'p99'] }],
    claims: own,
    async open(options) {
      const { count, rounds } = SIZES[options.scale];
      const contenders = await Contenders.open(names, options);
      const start = (name: string, howMany: number) =>
        contenders.get(name).worker.call('startToClosed', { tty, count: howMany });
      return {
        contenders: contenders.names,
        rounds: options.rounds ?? rounds,
        notes: [],
        warmUp: async (name) => {
          await start(name, WARM_UP);
        },
        run: async (name) => ({ start: await start(name, count) }),
        close: () => contenders.close(),
      };
    },
  };
}
