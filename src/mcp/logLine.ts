const LONGEST_LINE = 300;

/** What went wrong, as one line of a log that nobody who sends something can make long, or make look like several. */
export function logLine(error: unknown, what?: string): string {
  const message = error instanceof Error ? error.message : String(error);
  const line = `MCP: ${what === undefined ? '' : `${what}: `}${message}`.slice(0, LONGEST_LINE * 10);
  const clean = line.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  return clean.length > LONGEST_LINE ? `${clean.slice(0, LONGEST_LINE)}…` : clean;
}
