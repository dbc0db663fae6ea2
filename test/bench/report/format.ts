import type { Claim } from '../measurement.js';
import type { Goal, Verdict } from '../statistics.js';

/** A number with three significant digits, and no more zeros than needed. */
export function number(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const magnitude = Math.abs(value);
  const digits = magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : magnitude >= 1 ? 2 : magnitude >= 0.1 ? 3 : 4;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** The title of a claim: `rate p50, ours-ws / raw`. */
export function claimTitle({ quantity, statistic, of, to, difference }: Claim): string {
  const figure = `${quantity} ${statistic}`;
  return to === undefined ? `${figure}, ${of}` : `${figure}, ${of} ${difference ? '−' : '/'} ${to}`;
}

export function goalText({ atMost, atLeast, aim }: Goal & { readonly aim?: number | undefined }): string {
  const hope = aim === undefined ? '' : ` (aim ${number(aim)})`;
  if (atMost !== undefined) return `≤ ${number(atMost)}${hope}`;
  return atLeast === undefined ? '' : `≥ ${number(atLeast)}${hope}`;
}

export const verdictText: Readonly<Record<Verdict, string>> = {
  met: 'met',
  missed: '**missed**',
  noise: 'within noise',
};
