import { type Localizer, timeSpan } from '../../core/index.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A time span for a narrow place. Below a minute it is one constant text, so that it does not flicker. */
export function shortDuration(ms: number, l10n: Localizer): string {
  const { days, hours, minutes } = timeSpan(ms);
  if (days > 0) {
    return hours > 0 ? l10n.t('{0} d {1} h', days, hours) : l10n.t('{0} d', days);
  }
  if (hours > 0) {
    return minutes > 0 ? l10n.t('{0} h {1} m', hours, minutes) : l10n.t('{0} h', hours);
  }
  return minutes > 0 ? l10n.t('{0} m', minutes) : l10n.t('< 1 m');
}

/** A time span that is over, so that it may have seconds; below an hour it is exact to the second. */
export function formatDuration(ms: number, l10n: Localizer): string {
  if (ms < 1_000) {
    return l10n.t('less than 1 s');
  }
  const { minutes, seconds } = timeSpan(ms);
  if (ms < MINUTE_MS) {
    return l10n.t('{0} s', seconds);
  }
  return ms < HOUR_MS && seconds > 0 ? l10n.t('{0} m {1} s', minutes, seconds) : shortDuration(ms, l10n);
}

/** The time since something happened, for a narrow place. */
export function shortAgo(ms: number, l10n: Localizer): string {
  return ms < MINUTE_MS ? l10n.t('just now') : l10n.t('{0} ago', shortDuration(ms, l10n));
}

/** A time span in whole words, for tooltips and screen readers; the largest unit only. */
export function longDuration(ms: number, l10n: Localizer): string {
  const { days, hours, minutes } = timeSpan(ms);
  if (days > 0) {
    return days === 1 ? l10n.t('one day') : l10n.t('{0} days', days);
  }
  if (hours > 0) {
    return hours === 1 ? l10n.t('one hour') : l10n.t('{0} hours', hours);
  }
  if (minutes > 0) {
    return minutes === 1 ? l10n.t('one minute') : l10n.t('{0} minutes', minutes);
  }
  return l10n.t('less than a minute');
}

const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'] as const;

/** A number of bytes for people. */
export function byteText(bytes: number, l10n: Localizer): string {
  if (bytes < 1024) {
    return bytes === 1 ? l10n.t('1 byte') : l10n.t('{0} bytes', bytes);
  }
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ${UNITS[unit] ?? ''}`;
}

export function processCount(count: number, l10n: Localizer): string {
  return count === 1 ? l10n.t('1 process') : l10n.t('{0} processes', count);
}
