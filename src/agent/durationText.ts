const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A duration to the hundredth of a second: `1.23 s`. */
export function secondsText(ms: number): string {
  return `${(Math.max(0, ms) / SECOND_MS).toFixed(2)} s`;
}

/** A rough duration: `5 s`, `3 min`, `2 h 5 min`, `3 d 4 h`. */
export function durationText(ms: number): string {
  if (ms < MINUTE_MS) {
    return `${Math.max(0, Math.floor(ms / SECOND_MS))} s`;
  }
  if (ms < HOUR_MS) {
    return `${Math.floor(ms / MINUTE_MS)} min`;
  }
  return ms < DAY_MS
    ? pair(Math.floor(ms / HOUR_MS), 'h', Math.floor((ms % HOUR_MS) / MINUTE_MS), 'min')
    : pair(Math.floor(ms / DAY_MS), 'd', Math.floor((ms % DAY_MS) / HOUR_MS), 'h');
}

function pair(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}
