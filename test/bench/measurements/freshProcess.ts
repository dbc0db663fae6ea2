import { Contenders } from '../contenders.js';
import type { BenchOptions, OpenMeasurement, Samples } from '../measurement.js';
import type { Worker } from '../workerProcess.js';

/** Measures memory: in a new process each round, since what is left of the round before is not what is looked for. */
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
