import type { Verdict } from '../statistics.js';
import { claimTitle, goalText, number } from './format.js';
import type { ClaimRecord, MeasurementRecord } from './record.js';

/**
 * One line of the plot: the distance of a claim from its goal. Better is further to the right; 1 is the goal itself.
 */
interface Row {
  readonly title: string;
  readonly goal: string;
  readonly median: number;
  readonly rounds: readonly number[];
  readonly label: string;
  readonly verdict: Verdict;
}

const WIDTH = 1000;
const LEFT = 400;
const RIGHT = 90;
const ROW = 24;
const TOP = 64;
const BOTTOM = 36;
const INK = '#24292f';
const FAINT = '#8c959f';
const COLORS: Readonly<Record<Verdict, string>> = { met: '#1a7f37', missed: '#cf222e', noise: '#9a6700' };

/** Every claim that has a goal, by measurement, as an SVG: a dot for each round, a bar for the median. */
export function plot(records: readonly MeasurementRecord[]): string {
  const rows = records.flatMap(({ name, claims }) => claims.flatMap((claim) => rowOf(name, claim)));
  const values = rows.flatMap(({ rounds }) => rounds).filter((value) => value > 0);
  const low = Math.min(0.5, ...values) / 1.1;
  const high = Math.max(2, ...values) * 1.1;
  const x = (value: number): number =>
    LEFT + ((Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low))) * (WIDTH - LEFT - RIGHT);
  const height = TOP + rows.length * ROW + BOTTOM;
  const grid = [0.1, 0.25, 0.5, 1, 2, 4, 10, 25, 100].filter((value) => value > low && value < high);
  const parts = [
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    text(LEFT, 22, 'How far from the goal: at it is 1, better is to the right', { weight: 'bold' }),
    text(
      LEFT,
      40,
      'A dot is one round, the bar their median; green met, red missed, brown within noise. Logarithmic.',
      { fill: FAINT },
    ),
    ...grid.flatMap((value) => {
      const at = x(value).toFixed(1);
      const stroke = value === 1 ? INK : '#d0d7de';
      return [
        `<line x1="${at}" y1="${TOP - 8}" x2="${at}" y2="${height - BOTTOM}" stroke="${stroke}"/>`,
        text(x(value), height - BOTTOM + 18, String(value), { anchor: 'middle', fill: FAINT }),
      ];
    }),
    ...rows.flatMap((row, index) => drawRow(row, TOP + index * ROW + ROW / 2, x)),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">\n${parts.join('\n')}\n</svg>\n`;
}

function rowOf(measurement: string, { claim, measured }: ClaimRecord): readonly Row[] {
  const { atMost, atLeast } = claim;
  // A ratio of a difference to its goal says nothing: the difference may be zero, or less.
  if (measured?.verdict === undefined || claim.difference) return [];
  const toGoal = (value: number): number => (atMost === undefined ? value / (atLeast ?? 1) : atMost / value);
  return [
    {
      title: `${measurement}: ${claimTitle(claim)}`,
      goal: goalText({ ...claim, aim: undefined }),
      median: toGoal(measured.median),
      rounds: measured.rounds.map(toGoal),
      label: number(measured.median),
      verdict: measured.verdict,
    },
  ];
}

function drawRow(
  { title, goal, median, rounds, label, verdict }: Row,
  y: number,
  x: (value: number) => number,
): string[] {
  const best = Math.max(...rounds);
  const worst = Math.min(...rounds);
  const color = COLORS[verdict];
  const at = x(median).toFixed(1);
  return [
    text(LEFT - 100, y + 4, title, { anchor: 'end' }),
    text(LEFT - 92, y + 4, goal, { fill: FAINT }),
    `<line x1="${x(worst).toFixed(1)}" y1="${y}" x2="${x(best).toFixed(1)}" y2="${y}" stroke="${color}" stroke-opacity="0.4" stroke-width="2"/>`,
    ...rounds.map(
      (value) => `<circle cx="${x(value).toFixed(1)}" cy="${y}" r="2.5" fill="${color}" fill-opacity="0.5"/>`,
    ),
    `<line x1="${at}" y1="${y - 8}" x2="${at}" y2="${y + 8}" stroke="${color}" stroke-width="3"/>`,
    text(WIDTH - RIGHT + 16, y + 4, label, { fill: color, weight: 'bold' }),
  ];
}

function text(
  x: number,
  y: number,
  content: string,
  {
    anchor = 'start',
    fill = INK,
    weight = 'normal',
  }: { anchor?: string; fill?: string; weight?: string } = {},
): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<text x="${x.toFixed(1)}" y="${y}" text-anchor="${anchor}" fill="${fill}" font-weight="${weight}">${escaped}</text>`;
}
