import path from 'node:path';
import { parseArgs } from 'node:util';

import { build } from '../rig/commands.js';
import { endAll } from '../rig/lifetime.js';
import { messageOf, root, say } from '../rig/paths.js';
import type { BenchOptions } from './measurement.js';
import { measurements, selectMeasurements } from './measurements/index.js';
import { describeMachine, recordOf, type MeasurementRecord } from './report/record.js';
import { claimsTable, figuresTable, machineText } from './report/table.js';
import { writeReport } from './report/write.js';
import { runMeasurement } from './runner.js';

const USAGE = `npm run bench -- [options]

  --quick           a look of a minute or two; writes no report
  --only NAME       this measurement; may be repeated
  --with NAME       this contender alone takes part; may be repeated
  --rounds N        in place of what the size says
  --dist FOLDER     measures this build of ours, and builds nothing
  --against FOLDER  another build of our exec-server takes part, and is compared with
  --no-build        measures dist/ as it is
  --list            names the measurements
`;

/** `npm run bench`: measures, prints, and after a whole run writes test/bench/results/figures.md. @returns the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      'quick': { type: 'boolean', default: false },
      'only': { type: 'string', multiple: true, default: [] },
      'with': { type: 'string', multiple: true },
      'rounds': { type: 'string' },
      'dist': { type: 'string' },
      'against': { type: 'string' },
      'no-build': { type: 'boolean', default: false },
      'list': { type: 'boolean', default: false },
      'help': { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    say(USAGE);
    return 0;
  }
  if (values.list) {
    measurements.forEach(({ name, title }) => say(`${name.padEnd(20)} ${title}`));
    return 0;
  }
  const selected = selectMeasurements(values.only);
  if (values.dist === undefined && !values['no-build']) {
    await build();
  }
  const options: BenchOptions = {
    scale: values.quick ? 'quick' : 'full',
    dist: path.resolve(values.dist ?? path.join(root, 'dist')),
    against: values.against === undefined ? undefined : path.resolve(values.against),
    rounds: values.rounds === undefined ? undefined : wholeNumber(values.rounds),
    contenders: values.with && new Set(values.with),
  };
  const machine = describeMachine();
  say(`${machineText(machine)}\n`);
  const records: MeasurementRecord[] = [];
  for (const measurement of selected) {
    say(`== ${measurement.name}: ${measurement.title}`);
    const result = await runMeasurement(measurement, options);
    const record = recordOf(result, machine);
    records.push(record);
    say(`\n${figuresTable(record)}\n\n${claimsTable(record.claims)}\n`);
    record.notes.forEach((note) => say(note));
    record.failures.forEach((failure) => say(`FAILED: ${failure}`));
    say(`(${result.seconds.toFixed(0)} s)\n`);
  }
  const isWhole = options.scale === 'full' && options.rounds === undefined && options.against === undefined;
  if (isWhole && values.dist === undefined && values.with === undefined) {
    const order = measurements.map(({ name }) => name);
    await writeReport(records, order);
    say('Written to test/bench/results/figures.md.');
  }
  return records.every(({ failures }) => failures.length === 0) ? 0 : 1;
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) {
    throw new Error(`Not a number of rounds: ${text}`);
  }
  return Number(text);
}

main(process.argv.slice(2))
  .catch((error: unknown) => {
    say(messageOf(error));
    return 1;
  })
  .then(async (code) => {
    await endAll();
    process.exitCode = code;
  })
  .catch(() => undefined);
