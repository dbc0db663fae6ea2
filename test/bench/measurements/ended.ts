import type { Measurement } from '../measurement.js';
import { inFreshProcesses } from './freshProcess.js';

const SIZES = {
  full: { rounds: 3, count: 2000 },
  quick: { rounds: 1, count: 2000 },
  check: { rounds: 1, count: 2000 },
} as const;

/** A long day's sessions. */
export const ended: Measurement = {
  name: 'ended',
  title: 'The list with 2,000 ended sessions',
  about:
    'Really runs 2,000 processes through the list that the extension has, half of them in terminals. `memory` is what each ' +
    'ended session holds beyond its retained output, after a full collection.',
  quantities: [{ name: 'memory', unit: 'KB', better: 'lower', statistics: ['p50'] }],
  claims: [{ quantity: 'memory', statistic: 'p50', of: 'local', atMost: 20 }],
  open(options) {
    const { rounds, count } = SIZES[options.scale];
    const measure = inFreshProcesses(rounds, options, async (worker) => {
      const bytes = await worker.call('endedSessions', { count });
      return { memory: [bytes / 1000] };
    });
    return Promise.resolve(measure);
  },
};
