import fs from 'node:fs';

/**
 * A line of the file that a mocha run writes, a JSON object. There is one for each test as it starts and ends, and for
 * each hook as it ends. One is for the end of the run, and one for a program that did not end by itself.
 */
export type ResultLine =
  | { readonly event: 'start'; readonly title: string }
  | {
      readonly event: 'passed' | 'failed' | 'pending';
      readonly title: string;
      readonly ms?: number;
      readonly error?: string;
    }
  | { readonly event: 'hook'; readonly title: string; readonly ms: number }
  | { readonly event: 'end'; readonly failures: number }
  | { readonly event: 'held'; readonly by: string };

export interface Results {
  readonly passed: number;
  /** At least 1 for a run that broke off or ran nothing: only a complete run with tests can be green. */
  readonly failed: number;
  /** The reason if `failed` is more than the number of failed tests. */
  readonly problem?: string;
  /** The failed tests in order, each with its title and the text of its error. */
  readonly failures?: readonly string[];
  /** The time of each test and hook. */
  readonly times?: readonly Time[];
}

export interface Time {
  readonly title: string;
  readonly ms: number;
}

export function readLines(file: string): ResultLine[] {
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  // An incomplete last line is still being written.
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as ResultLine);
}

/** Judges a run by its lines and the exit code of its process; neither is enough alone. */
export function judge(lines: readonly ResultLine[], exitCode: number): Results {
  const count = (event: ResultLine['event']): number => lines.filter((line) => line.event === event).length;
  const passed = count('passed');
  const failed = count('failed');
  const end = lines.find((line) => line.event === 'end');
  const held = lines.find((line) => line.event === 'held');
  let problem: string | undefined;
  if (!end) {
    const last = lines.findLast((line) => 'title' in line);
    const where = last === undefined ? '' : ` ${last.event === 'start' ? 'during' : 'after'} "${last.title}"`;
    problem = lines.length === 0 ? 'it did not run' : `it broke off${where}`;
  } else if (passed + failed === 0) {
    problem = 'it ran no tests';
  } else if (failed === 0 && held) {
    problem = `all tests passed, but something that they left held their program: ${held.by}`;
  } else if (failed === 0 && (end.failures > 0 || exitCode !== 0)) {
    problem = `all tests passed, but it reported ${end.failures} failures and exit ${exitCode}`;
  }
  const failures = lines.flatMap((line) =>
    line.event === 'failed' ? [`${line.title}\n${line.error ?? ''}`] : [],
  );
  const times = lines.flatMap((line) => ('ms' in line ? [{ title: line.title, ms: line.ms }] : []));
  return problem === undefined
    ? { passed, failed, failures, times }
    : { passed, failed: failed + 1, problem, failures, times };
}

/** The ten longest of all times, longest first. */
export function slowest(times: readonly Time[]): readonly Time[] {
  return times.toSorted((a, b) => b.ms - a.ms).slice(0, 10);
}
