import { appendFileSync, renameSync, statSync } from 'node:fs';

/**
 * Makes the writer of a log whose file stays small. A line that cannot be written is lost: nobody waits for it.
 *
 * @param file Readable only for its user. What was in it before it was full is in the same name with `.old`.
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
