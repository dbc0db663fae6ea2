import type { Bound } from './bounds.js';
import { number } from './report/format.js';
import { failureText, type MeasurementResult } from './runner.js';
import { spreadOf } from './statistics.js';

/** The contender whose failures are no faults of ours. */
const PEER = 'codex';

/** `missing`: the bound was not measured, which is no better than broken. */
export interface Judgement {
  readonly kind: 'kept' | 'broken' | 'missing';
  /** The measured values, run by run. */
  readonly text: string;
}

/**
 * Judges a bound by the median of the rounds of all runs together. So a second run can outweigh a disturbed first one,
 * but cannot cancel it. An error of ours, such as lost output, always breaks the bound.
 */
export function judgeBound(bound: Bound, runs: readonly MeasurementResult[]): Judgement {
  const [fault] = runs.flatMap(({ failures }) => failures.filter(({ contender }) => contender !== PEER));
  if (fault !== undefined) {
    return { kind: 'broken', text: failureText(fault) };
  }
  const measured = runs.map(({ claims }) => claims.find(({ claim }) => same(claim, bound))?.spread);
  const text = measured
    .map((spread) =>
      spread === undefined
        ? 'not measured'
        : `${number(spread.median)} (${number(spread.min)}–${number(spread.max)})`,
    )
    .join(', then ');
  if (measured.at(-1) === undefined) {
    return { kind: 'missing', text };
  }
  const { median } = spreadOf(measured.flatMap((spread) => spread?.rounds ?? []));
  const kept =
    (bound.atMost === undefined || median <= bound.atMost) &&
    (bound.atLeast === undefined || median >= bound.atLeast);
  // All comparisons with NaN are false.
  return { kind: kept && Number.isFinite(median) ? 'kept' : 'broken', text };
}

function same(claim: MeasurementResult['claims'][number]['claim'], bound: Bound): boolean {
  return (['quantity', 'statistic', 'of', 'to'] as const).every((key) => claim[key] === bound[key]);
}
