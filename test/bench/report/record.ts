import os from 'node:os';

import { versions } from '../../rig/versions.js';
import type { Claim, Quantity } from '../measurement.js';
import { failureText, roundsOf, type MeasurementResult } from '../runner.js';
import { spreadOf, statisticOf, verdictOf, type Verdict } from '../statistics.js';

/** The figures of a measurement as they are stored, and from which the report is made. */
export interface MeasurementRecord {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly quantities: readonly Quantity[];
  readonly contenders: readonly ContenderRecord[];
  readonly claims: readonly ClaimRecord[];
  readonly notes: readonly string[];
  readonly failures: readonly string[];
  readonly machine: Machine;
}

export interface ContenderRecord {
  readonly name: string;
  readonly figures: readonly Figure[];
}

/** One statistic of all samples together, and its extremes over the rounds. */
export interface Figure {
  readonly quantity: string;
  readonly statistic: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly samples: number;
}

export interface ClaimRecord {
  readonly claim: Claim;
  /** Absent if the claim was not measured. */
  readonly measured?: {
    readonly median: number;
    readonly min: number;
    readonly max: number;
    readonly rounds: readonly number[];
    readonly verdict?: Verdict;
  };
}

/** The machine and the time of a measurement. */
export interface Machine {
  readonly date: string;
  readonly node: string;
  readonly codex: string;
  readonly cpu: string;
  readonly cores: number;
  readonly system: string;
  /** The load average over the minute before: how many processes were running or ready to run. */
  readonly load: number;
}

export function describeMachine(): Machine {
  const [cpu] = os.cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    codex: versions.codex,
    cpu: cpu?.model ?? 'unknown',
    cores: os.cpus().length,
    system: `${os.type()} ${os.release()}`,
    load: rounded(os.loadavg()[0] ?? 0),
  };
}

export function recordOf(result: MeasurementResult, machine: Machine): MeasurementRecord {
  const { name, title, about, quantities } = result.measurement;
  return {
    name,
    title,
    about,
    quantities,
    contenders: result.contenders.map(({ name: contender, samples }) => ({
      name: contender,
      figures: quantities.flatMap(({ name: quantity, statistics }) =>
        statistics.flatMap((statistic): Figure[] => {
          const all = samples.flatMap((round) => round[quantity] ?? []);
          if (all.length === 0) return [];
          const { min, max } = spreadOf(roundsOf(samples, quantity, statistic));
          const value = rounded(statisticOf(all, statistic));
          return [{ quantity, statistic, value, min: rounded(min), max: rounded(max), samples: all.length }];
        }),
      ),
    })),
    claims: result.claims.map(({ claim, spread }): ClaimRecord => {
      if (spread === undefined) return { claim };
      const hasGoal = claim.atMost !== undefined || claim.atLeast !== undefined;
      return {
        claim,
        measured: {
          median: rounded(spread.median),
          min: rounded(spread.min),
          max: rounded(spread.max),
          rounds: spread.rounds.map(rounded),
          ...(hasGoal && { verdict: verdictOf(spread, claim) }),
        },
      };
    }),
    notes: result.notes,
    failures: result.failures.map(failureText),
    machine,
  };
}

/** Rounds to four digits: more would change the file with every run and mean nothing. */
function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
