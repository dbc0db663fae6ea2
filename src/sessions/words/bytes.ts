import type { Localizer } from '../../core/index.js';

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
