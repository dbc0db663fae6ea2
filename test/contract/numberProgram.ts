import { MachineNumbers } from '../../src/local/index.js';

/** Prints numbers, of the folder that it is given or else of its user's, as fast as it can, and ends. */
async function main([folder, count = '1']: readonly string[]): Promise<void> {
  const numbers = new MachineNumbers(folder);
  for (let left = Number(count); left > 0; left--) {
    process.stdout.write(`${await numbers.next()}\n`);
  }
}

void main(process.argv.slice(2));
