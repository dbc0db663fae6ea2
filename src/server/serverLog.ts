import { appendFileSync, renameSync, statSync } from 'node:fs';

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
