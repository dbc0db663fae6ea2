import fs from 'node:fs';

import { format, resolveConfig } from 'prettier';

import { endAll } from '../../rig/lifetime.js';
import type { Attack, Outcome } from './attack.js';
import { attacks } from './attacks.js';

/** `npm run test:attack [seed] [words of names]`: much of each attack, and a page that keeps the results. */

const PAGE = 'test/faults/results/attacks.md';

function row({ name, unit, amount }: Attack, seed: number, { counts, faults }: Outcome): string {
  const happened = Object.entries(counts).map(([what, count]) => `${count.toLocaleString('en')} ${what}`);
  const many = Number.isFinite(amount.long) ? `${amount.long.toLocaleString('en')} ${unit}` : `all ${unit}`;
  const day = new Date().toISOString().slice(0, 10);
  const wrong = faults.map((fault) => fault.replaceAll(/[|\n]/g, ' ').slice(0, 200)).slice(0, 3);
  return `| ${[day, name, many, seed, happened.join(', '), wrong.join('; ')].join(' | ')} |\n`;
}

/** An error that an attack did not expect is a fault as well, and the others go on. */
function brokenOff(error: unknown): Outcome {
  return { counts: {}, faults: [`broken off: ${error instanceof Error ? error.message : String(error)}`] };
}

async function main(seed: number, wanted: string): Promise<boolean> {
  let isHeld = true;
  for (const attack of attacks.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()))) {
    process.stdout.write(`${attack.name}, seed ${seed}\n`);
    const outcome = await attack.run(attack.amount.long, seed).catch(brokenOff);
    process.stdout.write(`  ${JSON.stringify(outcome)}\n`);
    isHeld &&= outcome.faults.length === 0;
    fs.appendFileSync(PAGE, row(attack, seed, outcome));
  }
  // The lint checks the page as well.
  const options = { ...(await resolveConfig(PAGE)), filepath: PAGE };
  fs.writeFileSync(PAGE, await format(fs.readFileSync(PAGE, 'utf8'), options));
  return isHeld;
}

const [seed = '1', ...words] = process.argv.slice(2);
void main(Number(seed), words.join(' ')).then(async (isHeld) => {
  await endAll();
  process.exit(isHeld ? 0 : 1);
});
