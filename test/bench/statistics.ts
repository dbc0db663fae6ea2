/** Statistics of samples, and the verdicts on claims about them. */

export type Statistic = 'p50' | 'p99';

/** One figure of each round, and their statistics. */
export interface Spread {
  readonly rounds: readonly number[];
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /**
   * The bounds between which the true median is with 95 % confidence; the extremes if there are fewer than six rounds.
   */
  readonly low: number;
  readonly high: number;
}

/** The goal of a figure. Exactly one of the two is present. */
export interface Goal {
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** `noise`: the rounds do not agree on which side of the goal the figure is. */
export type Verdict = 'met' | 'missed' | 'noise';

/** @throws Error without samples. */
export function quantile(samples: readonly number[], q: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * q;
  const below = sorted[Math.floor(place)];
  const above = sorted[Math.ceil(place)];
  if (below === undefined || above === undefined) {
    throw new Error('There is no sample.');
  }
  return below + (above - below) * (place - Math.floor(place));
}

export function statisticOf(samples: readonly number[], statistic: Statistic): number {
  return quantile(samples, statistic === 'p50' ? 0.5 : 0.99);
}

/** @throws Error without rounds. */
export function spreadOf(rounds: readonly number[]): Spread {
  const sorted = rounds.toSorted((a, b) => a - b);
  const inside = ranksInside(sorted.length);
  const at = (index: number): number => sorted.at(index) ?? Number.NaN;
  return {
    rounds,
    median: quantile(rounds, 0.5),
    min: at(0),
    max: at(-1),
    low: at(inside),
    high: at(-1 - inside),
  };
}

export function verdictOf(spread: Pick<Spread, 'low' | 'high'>, { atMost, atLeast }: Goal): Verdict {
  if (atMost !== undefined) {
    return spread.high <= atMost ? 'met' : spread.low > atMost ? 'missed' : 'noise';
  }
  if (atLeast !== undefined) {
    return spread.low >= atLeast ? 'met' : spread.high < atLeast ? 'missed' : 'noise';
  }
  throw new Error('A goal has a bound.');
}

/**
 * The number of sorted samples that may be left out at either end of `count`. The true median is between the others
 * with 95 % confidence. Each sample is on either side of the median with equal chance: no distribution is assumed.
 */
function ranksInside(count: number): number {
  let probability = 0.5 ** count;
  let below = probability;
  let ranks = 0;
  while (below * 2 <= 0.05) {
    ranks += 1;
    probability *= (count - ranks + 1) / ranks;
    below += probability;
  }
  return Math.max(0, ranks - 1);
}
