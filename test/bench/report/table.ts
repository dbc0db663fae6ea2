import { contenderTitles } from '../contenders.js';
import { claimTitle, goalText, number, verdictText } from './format.js';
import type { ClaimRecord, ContenderRecord, Machine, MeasurementRecord } from './record.js';

/** A measurement as a section of the report, in Markdown. */
export function section(record: MeasurementRecord): string {
  const lists = [
    ...record.notes.map((note) => `- ${note}`),
    ...record.failures.map((failure) => `- **Failed:** ${failure}`),
  ].join('\n');
  return [
    `### ${record.name}: ${record.title}`,
    record.about,
    figuresTable(record),
    claimsTable(record.claims),
    lists,
    `_${machineText(record.machine)}_`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The figures of each contender over all its samples, with the extremes of the rounds in brackets. */
export function figuresTable({ contenders, quantities }: MeasurementRecord): string {
  if (contenders.length === 0) return '';
  const columns = quantities.flatMap(({ name, unit, statistics }) =>
    statistics.map((statistic) => ({ quantity: name, statistic, title: `${name} ${statistic} (${unit})` })),
  );
  const row = ({ name, figures }: ContenderRecord): readonly string[] => [
    `\`${name}\``,
    ...columns.map(({ quantity, statistic }) => {
      const figure = figures.find((each) => each.quantity === quantity && each.statistic === statistic);
      if (figure === undefined) return '';
      const range = figure.samples === 1 ? '' : ` (${number(figure.min)}–${number(figure.max)})`;
      return `${number(figure.value)}${range}`;
    }),
  ];
  return table(['', ...columns.map(({ title }) => title)], contenders.map(row));
}

export function claimsTable(claims: readonly ClaimRecord[]): string {
  if (claims.length === 0) return '';
  return table(
    ['', 'median of rounds', 'min–max', 'goal', ''],
    claims.map(({ claim, measured }) => [
      claimTitle(claim),
      measured === undefined ? '' : number(measured.median),
      measured === undefined ? '' : `${number(measured.min)}–${number(measured.max)}`,
      goalText(claim),
      measured === undefined
        ? '**not measured**'
        : measured.verdict === undefined
          ? ''
          : verdictText[measured.verdict],
    ]),
  );
}

/** The contenders, for the report. */
export function legend(records: readonly MeasurementRecord[]): string {
  const present = new Set(records.flatMap(({ contenders }) => contenders.map(({ name }) => name)));
  const rows = Object.entries(contenderTitles)
    .filter(([name]) => present.has(name))
    .map(([name, title]) => [`\`${name}\``, title]);
  return table(['', ''], rows);
}

export function machineText({ date, node, codex, cpu, cores, system, load }: Machine): string {
  const busy =
    load > cores / 2 ? `; **the machine was busy: load ${number(load)}**` : `; load ${number(load)}`;
  return `${date}, Node ${node}, codex ${codex}, ${cpu}, ${cores} cores, ${system}${busy}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
