import fs from 'node:fs';

/** What a mocha run leaves behind, one JSON object a line: the tests as they end, and at last that it came to its end. */
export type ResultLine =
  | { readonly event: 'start'; readonly title: string }
  | {
      readonly event: 'passed' | 'failed' | 'pending';
      readonly title: string;
      readonly ms?: number;
      readonly error?: string;
    }
  | { readonly event: 'end'; readonly failures: number };

export interface Results {
  readonly passed: number;
  /** At least 1 for a run that broke off or ran nothing: only a complete run with tests can be green. */
  readonly failed: number;
  /** Why `failed` is more than the failed tests, if it is. */
  readonly problem?: string;
  /** The tests that failed, in their order: a title and the error's text each. */
  readonly failures?: readonly string[];
}

export function readLines(file: string): ResultLine[] {
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  // A line without its end is still being written.
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as ResultLine);
}

/** Judges a run by its lines and by the exit code of its process, neither of which is enough. */
export function judge(lines: readonly ResultLine[], exitCode: number): Results {
  const count = (event: ResultLine['event']): number => lines.filter((line) => line.event === event).length;
  const passed = count('passed');
  const failed = count('failed');
  const end = lines.find((line) => line.event === 'end');
  let problem: string | undefined;
  if (!end) {
    const begun = lines.at(-1);
    const during = begun?.event === 'start' ? ` during "${begun.title}"` : '';
    problem = lines.length === 0 ? 'it did not run' : `it broke off${during}`;
  } else if (passed + failed === 0) {
    problem = 'it ran no tests';
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
