import { InvalidArgumentError } from 'commander';

/** @throws InvalidArgumentError */
export function count(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    throw new InvalidArgumentError('It must be a number from 1 on.');
  }
  return Number(text);
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A time span as people write it, in milliseconds: `90s`, `1h30m`; undefined for other text. */
export function spanOf(text: string): number | undefined {
  const parts = text.matchAll(/([\d.]+)([smhd])/g);
  return /^(?:\d+(?:\.\d+)?[smhd])+$/.test(text)
    ? [...parts].reduce((sum, [, number, unit = '']) => sum + Number(number) * (UNITS_MS[unit] ?? 0), 0)
    : undefined;
}

/** @throws InvalidArgumentError */
export function span(text: string): number {
  const ms = spanOf(text);
  if (ms === undefined) {
    throw new InvalidArgumentError('It must be a time: 90s, 10m, 1h30m, 2d.');
  }
  return ms;
}

/** @throws InvalidArgumentError */
export function bytes(text: string): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([KMG])$/i.exec(text) ?? [];
  if (number === undefined) {
    throw new InvalidArgumentError('It must be a size: 500M, 2G.');
  }
  return Number(number) * 1024 ** ('KMG'.indexOf(unit.toUpperCase()) + 1);
}
