import { Contenders, everybody } from '../contenders.js';
import type { Measurement } from '../measurement.js';

const SIZES = {
  full: { rounds: 10, count: 100 },
  quick: { rounds: 4, count: 30 },
  check: { rounds: 3, count: 40 },
} as const;
const WARM_UP = 30;
/**
 * The pauses are faster than fingers, and random to avoid lock step: if the next key followed at once, its packet would
 * carry acknowledgements.
 */
const PAUSE = { leastPauseMs: 1, mostPauseMs: 9 } as const;

export const echo: Measurement = {
  name: 'echo',
  title: 'Keystroke echo through a terminal',
  about:
    'Types one key at a time into `cat` on a terminal in raw mode, 1 to 9 ms after the echo of the one before, and takes ' +
    'the time until it comes back. The kernel echoes nothing in raw mode: what comes back has been through the program.',
  quantities: [{ name: 'echo', unit: 'ms', better: 'lower', statistics: ['p50', 'p99'] }],
  claims: [
    { quantity: 'echo', statistic: 'p50', of: 'raw-again', to: 'raw' },
    { quantity: 'echo', statistic: 'p99', of: 'raw-again', to: 'raw' },
    { quantity: 'echo', statistic: 'p50', of: 'ours-ws', to: 'codex', atMost: 0.01 },
    { quantity: 'echo', statistic: 'p99', of: 'ours-ws', to: 'codex', atMost: 0.1 },
    { quantity: 'echo', statistic: 'p50', of: 'bare', to: 'codex' },
    { quantity: 'echo', statistic: 'p50', of: 'ours-ws', to: 'bare' },
    { quantity: 'echo', statistic: 'p50', of: 'ours-ws', to: 'raw' },
    { quantity: 'echo', statistic: 'p50', of: 'client-ws', to: 'raw' },
    { quantity: 'echo', statistic: 'p50', of: 'client-unix', to: 'raw' },
    { quantity: 'echo', statistic: 'p50', of: 'local', to: 'raw' },
  ],
  async open(options) {
    const { count, rounds } = SIZES[options.scale];
    const contenders = await Contenders.open(everybody, options);
    const type = (name: string, howMany: number) =>
      contenders.get(name).worker.call('echo', { count: howMany, ...PAUSE });
    return {
      contenders: contenders.names,
      rounds: options.rounds ?? rounds,
      notes: [],
      warmUp: async (name) => {
        await type(name, WARM_UP);
      },
      run: async (name) => ({ echo: await type(name, count) }),
      close: () => contenders.close(),
    };
  },
};
