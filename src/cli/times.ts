import { InvalidArgumentError } from 'commander';

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Reads a time as people write it: how long ago it was (`90s`, `1h30m`), or a date in ISO 8601, with or without a time.
 * A date is of this time zone, unless it names another one.
 *
 * @param now In milliseconds since 1970, as the outcome.
 * @throws InvalidArgumentError
 */
export function timeOf(text: string, now: number): number {
  if (/^(?:\d+(?:\.\d+)?[smhd])+$/.test(text)) {
    const parts = text.matchAll(/([\d.]+)([smhd])/g);
    return [...parts].reduce(
      (time, [, count, unit = '']) => time - Number(count) * (UNITS_MS[unit] ?? 0),
      now,
    );
  }
  // A date alone would be taken for one of UTC.
  const [, date, time = '00:00'] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d.*))?$/.exec(text) ?? [];
  const found = date === undefined ? Number.NaN : Date.parse(`${date}T${time}`);
  if (Number.isNaN(found)) {
    throw new InvalidArgumentError(
      'It must be how long ago (90s, 10m, 1h30m, 2d), or a time (2026-11-26T09:30).',
    );
  }
  return found;
}
