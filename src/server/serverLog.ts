import { appendFileSync, renameSync, statSync } from 'node:fs';

/** The longest line of the log, in UTF-16 units: room for an error with its stack. */
const LONGEST_LINE = 4_000;

/**
 * A text as one line of the log. It may contain names that clients and programs have given themselves. These cannot
 * make a line look like several, hide or reorder its text, or drive the terminal of a reader.
 */
export function logLine(text: string): string {
  const line = text
    .slice(0, LONGEST_LINE + 1)
    .replaceAll(/[\s\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ')
    .trim();
  return text.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
}

/**
 * Makes the writer of a log whose file stays small. A line that cannot be written is lost, without a word.
 *
 * @param file Readable only for its user. A full file gets the ending `.old`, and a new one begins.
 */
export function boundedLog(file: string, limitBytes: number): (line: string) => void {
  return (line) => {
    try {
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > limitBytes) {
        renameSync(file, `${file}.old`);
      }
      appendFileSync(file, `${new Date().toISOString()} ${line}\n`, { mode: 0o600 });
    } catch {
      // The disk may be full, or the folder gone.
    }
  };
}
