import type { Bound } from './bounds.js';
import { number } from './report/format.js';
import { failureText, type MeasurementResult } from './runner.js';
import { spreadOf } from './statistics.js';

/** Whose failure is no fault of ours. */
const PEER = 'codex';

/** `missing`: it was not measured, which is no better than broken. */
export interface Judgement {
  readonly kind: 'kept' | 'broken' | 'missing';
  /** What was seen, run by run. */
  readonly text: string;
}

/**
 * Judges a bound by the median of the rounds of all runs together: a second run can outweigh a disturbed first one, and
 * cannot wipe it out. What went wrong with ours (output was lost, say) stays wrong.
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
  // Nothing compares with what is no number.
  return { kind: kept && Number.isFinite(median) ? 'kept' : 'broken', text };
}

function same(claim: MeasurementResult['claims'][number]['claim'], bound: Bound): boolean {
  return (['quantity', 'statistic', 'of', 'to'] as const).every((key) => claim[key] === bound[key]);
}
