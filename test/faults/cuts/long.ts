import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';

import { format, resolveConfig } from 'prettier';

import { endAll } from '../../rig/lifetime.js';
import { lineKinds } from './lines.js';
import { round, type Tally } from './round.js';
import { forecast } from './weather.js';

/** `npm run cuts [cuts] [seed]`: many more cuts than in the tests, and a page that keeps the counts. */

const PAGE = 'test/faults/results/cuts.md';
const CUTS_A_ROUND = 10;

const HEAD = `# Cuts on slow lines

Each row is a run of \`npm run cuts\`. All columns from "missing" on have to be 0.

| Day | Seed | Line | Cuts | Numbers | Writes | Missing | Doubled | Writes missing | Writes repeated | Processes lost |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
`;

async function main(cuts: number, seed: number): Promise<boolean> {
  if (!existsSync(PAGE)) writeFileSync(PAGE, HEAD);
  const rounds = Math.ceil(cuts / CUTS_A_ROUND / lineKinds.length);
  let faults = 0;
  for (const [index, kind] of lineKinds.entries()) {
    const sum: Partial<Tally> = {};
    for (let number = 0; number < rounds; number++) {
      const own = seed + 1_000 * index + number;
      const line = await kind.open();
      try {
        const tally = await round(line, forecast(own, CUTS_A_ROUND, kind.cuts), String(own));
        process.stdout.write(`${kind.name}, seed ${own}: ${JSON.stringify(tally)}\n`);
        for (const name of ORDER) sum[name] = (sum[name] ?? 0) + tally[name];
      } finally {
        await line.stop();
      }
    }
    const counts = ORDER.map((name) => sum[name] ?? 0);
    faults += counts.slice(3).reduce((total, count) => total + count, 0);
    appendFileSync(
      PAGE,
      `| ${new Date().toISOString().slice(0, 10)} | ${seed} | ${[kind.name, ...counts].join(' | ')} |\n`,
    );
  }
  // The lint checks the page as well.
  const options = { ...(await resolveConfig(PAGE)), filepath: PAGE };
  writeFileSync(PAGE, await format(readFileSync(PAGE, 'utf8'), options));
  return faults === 0;
}

const ORDER = [
  'cuts',
  'numbers',
  'writes',
  'missing',
  'doubled',
  'writesMissing',
  'writesRepeated',
  'sessionsLost',
] as const;

const [cuts = '500', seed = '1'] = process.argv.slice(2);
void main(Number(cuts), Number(seed)).then(async (isClean) => {
  await endAll();
  process.exit(isClean ? 0 : 1);
});
