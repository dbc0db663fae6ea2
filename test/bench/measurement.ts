import type { Goal, Statistic } from './statistics.js';

/** `check`: the short selection that CI runs. */
export type Scale = 'full' | 'quick' | 'check';

export interface BenchOptions {
  readonly scale: Scale;
  /** The folder of our build that is measured. */
  readonly dist: string;
  /** The folder of another build of ours to compare with. */
  readonly against?: string | undefined;
  /** Replaces the number of rounds of the scale. */
  readonly rounds?: number | undefined;
  /** The contenders that take part; all by default. */
  readonly contenders?: ReadonlySet<string> | undefined;
}

/** A measured quantity, and the statistics of its samples to show. */
export interface Quantity {
  readonly name: string;
  readonly unit: string;
  readonly better: 'lower' | 'higher';
  readonly statistics: readonly Statistic[];
}

/** The samples of one contender in one round, by quantity; without the quantities that it does not have. */
export type Samples = Readonly<Record<string, readonly number[]>>;

/** A claim about a measurement: the ratio or the difference of two contenders or, without `to`, the figure of one. */
export interface Claim extends Goal {
  readonly quantity: string;
  readonly statistic: Statistic;
  readonly of: string;
  readonly to?: string;
  /** Whether it is about the difference to the other one, in the unit of the quantity, and not about the ratio. */
  readonly difference?: true;
  /** A hope that is better than the goal. */
  readonly aim?: number;
}

/** One thing to measure on all contenders, side by side. */
export interface Measurement {
  readonly name: string;
  readonly title: string;
  /** The way in which it is measured, for the report. */
  readonly about: string;
  readonly quantities: readonly Quantity[];
  /** A claim without a bound only shows how things are. */
  readonly claims: readonly Claim[];
  /** Whether it runs only if it is requested by its name. */
  readonly onRequest?: boolean;
  open(options: BenchOptions): Promise<OpenMeasurement>;
}

/** A measurement for which everything has been started. */
export interface OpenMeasurement {
  readonly contenders: readonly string[];
  readonly rounds: number;
  /** Runs once for each contender before the first round. */
  warmUp?(contender: string): Promise<void>;
  /** @throws Error if anything was lost or failed. */
  run(contender: string, round: number): Promise<Samples>;
  /** Remarks on the results. */
  readonly notes: readonly string[];
  close(): Promise<void>;
}
