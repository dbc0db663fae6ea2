import { messageOf } from '../rig/paths.js';
import type { BenchOptions, Claim, Measurement, OpenMeasurement, Samples } from './measurement.js';
import { spreadOf, statisticOf, type Spread, type Statistic } from './statistics.js';

/** The samples of one contender. */
export interface ContenderResult {
  readonly name: string;
  readonly samples: readonly Samples[];
}

export interface ClaimResult {
  readonly claim: Claim;
  /** Missing if one of the two contenders did not run to the end. */
  readonly spread?: Spread;
}

export interface Failure {
  /** Absent if the measurement as a whole could not begin or end. */
  readonly contender?: string;
  readonly message: string;
}

export interface MeasurementResult {
  readonly measurement: Measurement;
  readonly contenders: readonly ContenderResult[];
  readonly claims: readonly ClaimResult[];
  readonly notes: readonly string[];
  /** Failures of some contenders, or of the measurement as a whole. The other contenders ran all the same. */
  readonly failures: readonly Failure[];
  readonly seconds: number;
}

/** Runs a measurement. Every round has every contender once, so that a disturbance of a round affects all of them. */
export async function runMeasurement(
  measurement: Measurement,
  options: BenchOptions,
): Promise<MeasurementResult> {
  const started = performance.now();
  const failures: Failure[] = [];
  const samples = new Map<string, Samples[]>();
  let notes: readonly string[] = [];
  try {
    const open = await measurement.open(options);
    try {
      await runRounds(open, samples, failures);
      notes = open.notes;
    } finally {
      await open.close();
    }
  } catch (error) {
    failures.push({ message: messageOf(error) });
  }
  const contenders = [...samples].map(([name, rounds]) => ({ name, samples: rounds }));
  return {
    measurement,
    contenders,
    claims: [...measurement.claims, ...claimsAgainst(measurement, samples)].map((claim) =>
      judgeClaim(claim, samples),
    ),
    notes,
    failures,
    seconds: (performance.now() - started) / 1000,
  };
}

async function runRounds(
  open: OpenMeasurement,
  samples: Map<string, Samples[]>,
  failures: Failure[],
): Promise<void> {
  const running = new Set(open.contenders);
  const attempt = async (contender: string, what: () => Promise<void>): Promise<void> => {
    try {
      await what();
    } catch (error) {
      // Its rounds so far would be compared with the full number of others' rounds.
      running.delete(contender);
      samples.delete(contender);
      failures.push({ contender, message: messageOf(error) });
    }
  };
  for (const contender of open.contenders) {
    await attempt(contender, async () => open.warmUp?.(contender));
  }
  for (let round = 0; round < open.rounds; round++) {
    for (const contender of orderOf(open.contenders, round)) {
      if (running.has(contender)) {
        await attempt(contender, async () => {
          const sample = await open.run(contender, round);
          samples.set(contender, [...(samples.get(contender) ?? []), sample]);
        });
      }
    }
  }
}

export function failureText({ contender, message }: Failure): string {
  return contender === undefined ? message : `${contender}: ${message}`;
}

/**
 * Another contender begins each round, and every second round runs in reverse, so that none always follows the same.
 */
function orderOf(contenders: readonly string[], round: number): readonly string[] {
  const first = round % contenders.length;
  const turned = [...contenders.slice(first), ...contenders.slice(0, first)];
  return round % 2 === 0 ? turned : turned.reverse();
}

/** The claims that compare each figure of ours with that of another build, if that runs as well. */
function claimsAgainst({ quantities }: Measurement, samples: ReadonlyMap<string, unknown>): readonly Claim[] {
  return [...samples.keys()]
    .filter((name) => name.startsWith('before-'))
    .flatMap((to) =>
      quantities.flatMap(({ name, statistics }) =>
        statistics.map((statistic): Claim => ({
          quantity: name,
          statistic,
          of: to.replace('before-', 'ours-'),
          to,
        })),
      ),
    );
}

function judgeClaim(claim: Claim, samples: ReadonlyMap<string, readonly Samples[]>): ClaimResult {
  const { quantity, statistic, of, to } = claim;
  const ours = roundsOf(samples.get(of) ?? [], quantity, statistic);
  if (to === undefined) {
    return ours.length === 0 ? { claim } : { claim, spread: spreadOf(ours) };
  }
  const theirs = roundsOf(samples.get(to) ?? [], quantity, statistic);
  const ratios = ours.flatMap((one, round) => {
    const other = theirs[round];
    return other === undefined ? [] : [claim.difference ? one - other : one / other];
  });
  return ratios.length === 0 ? { claim } : { claim, spread: spreadOf(ratios) };
}

/** The figure of each round. */
export function roundsOf(
  rounds: readonly Samples[],
  quantity: string,
  statistic: Statistic,
): readonly number[] {
  return rounds.flatMap((samples) => {
    const own = samples[quantity] ?? [];
    return own.length === 0 ? [] : [statisticOf(own, statistic)];
  });
}
