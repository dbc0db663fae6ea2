import { Contenders } from '../contenders.js';
import type { Measurement } from '../measurement.js';
import { doubled, type Doubled } from '../worker/doubled.js';

const SIZES = { full: 5, quick: 3, check: 3 } as const;

/** The growth of the work on text of programs, servers and models. */
export const doubling: Measurement = {
  name: 'doubling',
  title: 'Twice the text',
  about:
    'How many times the processor time twice the text takes, in functions that work on text of others. It is the average ' +
    'of three doublings, from a length that takes at least 50 ms. The text is what is dear for the function.',
  quantities: [{ name: 'ratio', unit: '', better: 'lower', statistics: ['p50'] }],
  claims: doubled.map((of) => ({ quantity: 'ratio', statistic: 'p50', of, atMost: 2.3 })),
  async open(options) {
    const contenders = await Contenders.open(['local'], { ...options, contenders: undefined });
    return {
      contenders: doubled.filter((name) => options.contenders?.has(name) !== false),
      rounds: options.rounds ?? SIZES[options.scale],
      notes: [],
      run: (of) => contenders.get('local').worker.call('doubling', { of: of as Doubled }),
      close: () => contenders.close(),
    };
  },
};
