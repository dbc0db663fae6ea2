import { Contenders } from '../contenders.js';
import type { Measurement } from '../measurement.js';

const SIZES = {
  full: { rounds: 10, looks: 20 },
  quick: { rounds: 3, looks: 10 },
  check: { rounds: 3, looks: 5 },
} as const;
/** How many sessions the list has, by the names of the contenders. */
const COUNTS: Readonly<Record<string, number>> = { '200': 200, '2,000': 2_000, '10,000': 10_000 };

/** The tree of a long day. */
export const tree: Measurement = {
  name: 'tree',
  title: 'The tree with 200, 2,000 and 10,000 ended sessions',
  about:
    "Draws the extension's tree as VS Code does: it asks for the children of what has changed, and for the item of each of " +
    'them. `open` is the processor time until a view that somebody opens is drawn, `end` from the end of one more ' +
    'session until that is drawn. What VS Code itself does with the items is not in it.',
  quantities: [
    { name: 'open', unit: 'ms', better: 'lower', statistics: ['p50', 'p99'] },
    { name: 'end', unit: 'ms', better: 'lower', statistics: ['p50', 'p99'] },
  ],
  claims: [
    { quantity: 'open', statistic: 'p99', of: '2,000', atMost: 100 },
    { quantity: 'end', statistic: 'p50', of: '2,000', atMost: 5 },
    { quantity: 'open', statistic: 'p50', of: '2,000', to: '200' },
    { quantity: 'end', statistic: 'p50', of: '2,000', to: '200' },
    { quantity: 'open', statistic: 'p50', of: '10,000', to: '2,000' },
    { quantity: 'end', statistic: 'p50', of: '10,000', to: '2,000' },
  ],
  async open(options) {
    const { rounds, looks } = SIZES[options.scale];
    const contenders = await Contenders.open(['local'], { ...options, contenders: undefined });
    const draw = (name: string) =>
      contenders.get('local').worker.call('drawTree', { count: COUNTS[name] ?? 0, looks });
    return {
      contenders: Object.keys(COUNTS).filter((name) => options.contenders?.has(name) !== false),
      rounds: options.rounds ?? rounds,
      notes: [],
      warmUp: async (name) => {
        await draw(name);
      },
      run: draw,
      close: () => contenders.close(),
    };
  },
};
