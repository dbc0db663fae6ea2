import { Contenders } from '../contenders.js';
import type { BenchOptions, OpenMeasurement, Samples } from '../measurement.js';
import type { Worker } from '../workerProcess.js';

/** Measures memory, in a new process for each round, because remains of the previous round must not count. */
export function inFreshProcesses(
  rounds: number,
  options: BenchOptions,
  measure: (worker: Worker) => Promise<Samples>,
): OpenMeasurement {
  return {
    contenders: ['local'],
    rounds: options.rounds ?? rounds,
    notes: [],
    run: async () => {
      const contenders = await Contenders.open(['local'], options);
      try {
        return await measure(contenders.get('local').worker);
      } finally {
        await contenders.close();
      }
    },
    close: () => Promise.resolve(),
  };
}
