import { execFile } from 'node:child_process';

import type { Costs } from './procCosts.js';

/** For macOS and others: the costs of the processes that still exist. Their `ps` does not include ended children. */
export function costsFromPs(pids: readonly number[]): Promise<readonly Costs[]> {
  return new Promise((resolve, reject) => {
    const options = { env: { ...process.env, LC_ALL: 'C' } };
    execFile('ps', ['-o', 'time=,rss=', '-p', pids.join(',')], options, (error, stdout) => {
      // It exits with 1 if all of the processes have ended.
      if (error === null || error.code === 1) {
        resolve(parseCosts(stdout));
      } else {
        reject(new Error(error.message, { cause: error }));
      }
    });
  });
}

/** Days, hours, minutes and seconds; the larger units only if needed: `0:00.52`, `1-02:03:04`. */
const LINE = /^\s*(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+(?:[.,]\d+)?)\s+(\d+)\s*$/;

/** Exported for its test. */
export function parseCosts(text: string): readonly Costs[] {
  return text.split('\n').flatMap((line) => {
    const match = LINE.exec(line);
    if (match === null) {
      return [];
    }
    const [, days = '0', hours = '0', minutes = '0', seconds = '0', kibibytes = '0'] = match;
    const whole = (Number(days) * 24 + Number(hours)) * 3600 + Number(minutes) * 60;
    return [{ cpuSeconds: whole + Number(seconds.replace(',', '.')), memoryBytes: Number(kibibytes) * 1024 }];
  });
}
