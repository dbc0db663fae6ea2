import { setTimeout as delay } from 'node:timers/promises';

import type { Driver, RunningProcess } from '../driver.js';

export interface ManyStart {
  /** `atOnce`: the most starts in progress. */
  readonly args: { readonly count: number; readonly everyMs: number; readonly atOnce: number };
  /** Milliseconds until each of them had printed its first line. */
  readonly result: number;
}

export interface ManyListen {
  readonly args: { readonly seconds: number };
  /** Milliseconds from the print of a line to its arrival. */
  readonly result: readonly number[];
}

export interface ManyStop {
  /** `atOnce`: the most kills in progress. */
  readonly args: { readonly atOnce: number };
  /** Milliseconds until all killed processes had closed. */
  readonly result: number;
}

/** The processes end by themselves after this time, in case nothing else ends them. */
const LONGEST_S = 300;

/** A line is its number and the time at which it was printed, by the clock that Node's `hrtime` reads as well. */
function program(everyMs: number): readonly [string, ...string[]] {
  const script = `use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC sleep); $| = 1;
    for my $n (1..${(LONGEST_S * 1000) / everyMs}) {
      printf "%d %.6f\\n", $n, clock_gettime(CLOCK_MONOTONIC); sleep ${everyMs / 1000};
    }`;
  return ['perl', '-e', script];
}

/** Many processes at once that print a line now and then. */
export class Many {
  readonly #driver: Driver;
  readonly #latencies: number[] = [];
  readonly #talkers: Talker[] = [];
  #listening = false;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  async start({ count, everyMs, atOnce }: ManyStart['args']): Promise<ManyStart['result']> {
    const begun = performance.now();
    const argv = program(everyMs);
    const heard = (printedAt: number) => {
      if (this.#listening) {
        this.#latencies.push(monotonicMs() - printedAt * 1000);
      }
    };
    const startOn = async (): Promise<void> => {
      while (this.#talkers.length < count) {
        const talker = new Talker(this.#driver, argv, heard);
        this.#talkers.push(talker);
        await talker.spoke;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, startOn));
    return performance.now() - begun;
  }

  async listen({ seconds }: ManyListen['args']): Promise<ManyListen['result']> {
    this.#latencies.length = 0;
    this.#listening = true;
    await delay(seconds * 1000);
    this.#listening = false;
    this.#talkers.forEach((talker) => talker.check());
    return this.#latencies;
  }

  async stop({ atOnce }: ManyStop['args']): Promise<ManyStop['result']> {
    const begun = performance.now();
    const left = this.#talkers.splice(0);
    const stopOn = async (): Promise<void> => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        next.process.kill();
        await next.process.closed;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, stopOn));
    return performance.now() - begun;
  }
}

function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

class Talker {
  readonly process: RunningProcess;
  /** Resolves with its first line. */
  readonly spoke: Promise<void>;
  #rest = '';
  #lines = 0;
  #trouble: Error | undefined;

  constructor(driver: Driver, argv: readonly [string, ...string[]], heard: (printedAt: number) => void) {
    let spoke: () => void = () => undefined;
    const first = new Promise<void>((resolve) => (spoke = resolve));
    this.process = driver.start({ argv, tty: false }, (bytes) => {
      const lines = (this.#rest + Buffer.from(bytes).toString()).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) {
        this.#take(line, heard);
      }
      spoke();
    });
    const ended = this.process.closed.then(() => {
      throw new Error('It ended before it had printed anything.');
    });
    this.spoke = Promise.race([first, ended]);
    this.spoke.catch(() => undefined);
  }

  /** @throws Error if a line was lost or malformed. */
  check(): void {
    if (this.#trouble !== undefined) {
      throw this.#trouble;
    }
  }

  #take(line: string, heard: (printedAt: number) => void): void {
    const [number, printedAt] = line.split(' ').map(Number);
    this.#lines += 1;
    if (number !== this.#lines || printedAt === undefined) {
      this.#trouble ??= new Error(`Line ${this.#lines} is: ${JSON.stringify(line)}`);
      return;
    }
    heard(printedAt);
  }
}
