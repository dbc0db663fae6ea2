import type { Measurement } from '../measurement.js';
import { inFreshProcesses } from './freshProcess.js';

const SIZES = {
  full: { rounds: 3, count: 2000 },
  quick: { rounds: 1, count: 2000 },
  check: { rounds: 1, count: 2000 },
} as const;
const LOOKS = 20;

/** A long day's sessions. */
export const ended: Measurement = {
  name: 'ended',
  title: 'The list with 2,000 ended sessions',
  about:
    'Really runs 2,000 processes through the list that the extension has, half of them in terminals. `tree` is the time from ' +
    'the list to the model of the whole tree, what the view needs to draw; `memory` is what each ended session holds beyond ' +
    'its retained output, after a full collection.',
  quantities: [
    { name: 'tree', unit: 'ms', better: 'lower', statistics: ['p50', 'p99'] },
    { name: 'memory', unit: 'KB', better: 'lower', statistics: ['p50'] },
  ],
  claims: [
    { quantity: 'tree', statistic: 'p99', of: 'local', atMost: 100 },
    { quantity: 'memory', statistic: 'p50', of: 'local', atMost: 20 },
  ],
  open(options) {
    const { rounds, count } = SIZES[options.scale];
    const measure = inFreshProcesses(rounds, options, async (worker) => {
      const { tree, bytes } = await worker.call('endedSessions', { count, looks: LOOKS });
      return { tree, memory: [bytes / 1000] };
    });
    return Promise.resolve(measure);
  },
};
