const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The whole units of a time span; each is less than one of the next larger unit. */
interface TimeSpan {
  readonly days: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
}

/** Splits a time span in milliseconds into units. Clocks that differ can make a span negative; it counts as zero. */
export function timeSpan(ms: number): TimeSpan {
  const whole = Math.max(0, ms);
  return {
    days: Math.floor(whole / DAY_MS),
    hours: Math.floor((whole % DAY_MS) / HOUR_MS),
    minutes: Math.floor((whole % HOUR_MS) / MINUTE_MS),
    seconds: Math.floor((whole % MINUTE_MS) / SECOND_MS),
  };
}

/** A time span in its largest unit, with the units of the rows in VS Code: `5 s`, `3 m`, `2 h`, `4 d`. */
export function spanText(ms: number): string {
  const { days, hours, minutes, seconds } = timeSpan(ms);
  if (days > 0) return `${days} d`;
  if (hours > 0) return `${hours} h`;
  return minutes > 0 ? `${minutes} m` : `${seconds} s`;
}

/** A time span to the hundredth of a second: `1.23 s`. */
export function secondsText(ms: number): string {
  return `${(Math.max(0, ms) / SECOND_MS).toFixed(2)} s`;
}
