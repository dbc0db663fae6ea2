import type { Goal, Statistic } from './statistics.js';

/** `check`: the short selection that CI runs. */
export type Scale = 'full' | 'quick' | 'check';

export interface BenchOptions {
  readonly scale: Scale;
  /** The build of ours that is measured. */
  readonly dist: string;
  /** Another build of ours, to compare with. */
  readonly against?: string | undefined;
  /** In place of what the scale says. */
  readonly rounds?: number | undefined;
  /** Those that take part, if not all do. */
  readonly contenders?: ReadonlySet<string> | undefined;
}

/** Something that is measured: `statistics` says what is shown of its samples. */
export interface Quantity {
  readonly name: string;
  readonly unit: string;
  readonly better: 'lower' | 'higher';
  readonly statistics: readonly Statistic[];
}

/** The samples of one contender in one round, by quantity. What it does not have is not there. */
export type Samples = Readonly<Record<string, readonly number[]>>;

/** What is said about a measurement: the ratio of two contenders, or, without `to`, the figure of one. */
export interface Claim extends Goal {
  readonly quantity: string;
  readonly statistic: Statistic;
  readonly of: string;
  readonly to?: string;
  /** Better than the goal, and what is hoped for. */
  readonly aim?: number;
}

/** One thing to measure, side by side. */
export interface Measurement {
  readonly name: string;
  readonly title: string;
  /** How it is measured, for the report. */
  readonly about: string;
  readonly quantities: readonly Quantity[];
  /** One without a bound only shows how things are. */
  readonly claims: readonly Claim[];
  /** Runs only when it is asked for by its name. */
  readonly onRequest?: boolean;
  open(options: BenchOptions): Promise<OpenMeasurement>;
}

/** A measurement with everything that it needs started. */
export interface OpenMeasurement {
  readonly contenders: readonly string[];
  readonly rounds: number;
  /** Runs once for each contender before the first round. */
  warmUp?(contender: string): Promise<void>;
  /** @throws Error if anything was lost, or went wrong otherwise. */
  run(contender: string, round: number): Promise<Samples>;
  /** What should be known about what was seen. */
  readonly notes: readonly string[];
  close(): Promise<void>;
}
