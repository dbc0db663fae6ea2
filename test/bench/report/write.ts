import fs from 'node:fs';
import path from 'node:path';
import { format, resolveConfig, type Options } from 'prettier';

import { root } from '../../rig/paths.js';
import type { MeasurementRecord } from './record.js';
import { plot } from './plot.js';
import { legend, section } from './table.js';

const folder = path.join(root, 'test/bench/results');
const recordsFile = path.join(folder, 'figures.json');
const plotFile = path.join(folder, 'figures.svg');
const reportFile = path.join(folder, 'figures.md');
const BEGIN = '<!-- npm run bench writes from here -->';
const END = '<!-- to here -->';

/**
 * Stores new figures and writes the report of all stored ones: a measurement that did not run this time keeps its
 * figures.
 *
 * @param order The names of all measurements; the figures of others are dropped.
 */
export async function writeReport(
  news: readonly MeasurementRecord[],
  order: readonly string[],
): Promise<void> {
  const kept = new Map([...readRecords(), ...news].map((record) => [record.name, record]));
  const records = order.flatMap((name) => kept.get(name) ?? []);
  const options = (await resolveConfig(reportFile)) ?? {};
  await write(recordsFile, JSON.stringify(records), { ...options, parser: 'json' });
  fs.writeFileSync(plotFile, plot(records));
  const report = fs.readFileSync(reportFile, 'utf8');
  const begin = report.indexOf(BEGIN);
  const end = report.indexOf(END);
  if (begin < 0 || end < begin) {
    throw new Error(`${reportFile} has not the two lines between which the figures go.`);
  }
  const figures = [
    `![How far each figure is from its goal](${path.basename(plotFile)})`,
    legend(records),
    ...records.map(section),
  ].join('\n\n');
  const text = `${report.slice(0, begin)}${BEGIN}\n\n${figures}\n\n${report.slice(end)}`;
  await write(reportFile, text, { ...options, parser: 'markdown' });
}

function readRecords(): readonly MeasurementRecord[] {
  return fs.existsSync(recordsFile)
    ? (JSON.parse(fs.readFileSync(recordsFile, 'utf8')) as MeasurementRecord[])
    : [];
}

/** Formats the file with `prettier`, because the lint checks it. */
async function write(file: string, text: string, options: Options): Promise<void> {
  fs.writeFileSync(file, await format(text, options));
}
