import type { Claim, Measurement } from '../measurement.js';
import { inFreshProcesses } from './freshProcess.js';

const SIZES = {
  full: { rounds: 3, logs: 16 },
  quick: { rounds: 1, logs: 8 },
  check: { rounds: 1, logs: 8 },
} as const;
/** Sizes of chunks in bytes: a key's echo, a line, a write of C programs, a read of Node. */
const CHUNKS = [16, 256, 4_096, 65_536] as const;

/** The full log of one process. */
export const log: Measurement = {
  name: 'log',
  title: 'The memory of a full log',
  about:
    'Logs of the default size (1 MiB and 50,000 chunks) take three times what they retain, in chunks of one size. The figure is ' +
    'what such a log holds after a full collection, on the heap and beside it, as a multiple of its payload with 13 bytes for ' +
    'each chunk.',
  quantities: CHUNKS.map((bytes) => ({
    name: quantityOf(bytes),
    unit: '×',
    better: 'lower',
    statistics: ['p50'],
  })),
  claims: CHUNKS.map((bytes): Claim => ({
    quantity: quantityOf(bytes),
    statistic: 'p50',
    of: 'local',
    atMost: 1.3,
  })),
  open(options) {
    const { rounds, logs } = SIZES[options.scale];
    const measure = inFreshProcesses(rounds, options, async (worker) => {
      const samples: Record<string, readonly number[]> = {};
      for (const chunkBytes of CHUNKS) {
        samples[quantityOf(chunkBytes)] = [await worker.call('logMemory', { chunkBytes, logs })];
      }
      return samples;
    });
    return Promise.resolve(measure);
  },
};

function quantityOf(bytes: number): string {
  return `chunks of ${bytes}`;
}
