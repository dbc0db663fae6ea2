import fs from 'node:fs';

/**
 * A line of the file that a mocha run writes: a JSON object for each test as it starts and ends, one for the end of the
 * run, and one if its program did not end by itself.
 */
export type ResultLine =
  | { readonly event: 'start'; readonly title: string }
  | {
      readonly event: 'passed' | 'failed' | 'pending';
      readonly title: string;
      readonly ms?: number;
      readonly error?: string;
    }
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
    const begun = lines.at(-1);
    const during = begun?.event === 'start' ? ` during "${begun.title}"` : '';
    problem = lines.length === 0 ? 'it did not run' : `it broke off${during}`;
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
  return problem === undefined
    ? { passed, failed, failures }
    : { passed, failed: failed + 1, problem, failures };
}
