/**
 * Something that hostile or unlucky others do to this program. The tests do a little of each, and `npm run test:attack`
 * much of it.
 */
export interface Attack {
  readonly name: string;
  /** The unit of the counts: `messages`, for example. */
  readonly unit: string;
  /** How many units a test does, which takes seconds, and a long run. */
  readonly amount: { readonly short: number; readonly long: number };
  /** @param seed Chooses everything that happens by chance. */
  run(amount: number, seed: number): Promise<Outcome>;
}

export interface Outcome {
  /** The number of events of each kind. */
  readonly counts: Readonly<Record<string, number>>;
  /** Events that must not happen; empty if the attack was held. */
  readonly faults: readonly string[];
}

/** Counts what happens, and keeps what must not. */
export class Tally implements Outcome {
  readonly counts: Record<string, number> = {};
  readonly faults: string[] = [];

  count(what: string, by = 1): void {
    this.counts[what] = (this.counts[what] ?? 0) + by;
  }

  /** Records sizes and times. Only the largest one counts. */
  most(what: string, value: number): void {
    this.counts[what] = Math.max(this.counts[what] ?? 0, value);
  }

  fault(text: string): void {
    this.faults.push(text);
  }
}

/** An expected event that takes longer than this is a fault, however slow the machine. */
const PATIENCE_MS = 60_000;

/** @returns undefined if it takes longer than the slowest machine would need. */
export async function inTime<T>(promise: Promise<T>): Promise<{ readonly value: T } | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE_MS);
  });
  try {
    return await Promise.race([promise.then((value) => ({ value })), late]);
  } finally {
    clearTimeout(timer);
  }
}
