import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Notes when the first byte came, counts the others, and notes when the last one came: a reader that costs next to nothing. */
const READ = '"$@" | { head -c 1 >/dev/null; date +%s%N; wc -c; date +%s%N; }';
const FIRST = 1n;

/**
 * The rate at which the output of a program comes out of a pipe, in millions of bytes a second. The time is that from
 * the first byte to the end. The reader is `wc`, since people's pipes have readers in C. A reader in Node would take a
 * good part of the two cores.
 *
 * @throws Error unless exactly `expectedBytes` have arrived.
 */
export async function rateIntoPipe(argv: readonly string[], expectedBytes: number): Promise<number> {
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', READ, 'sh', ...argv]);
  const [first, counted, last] = stdout.trim().split(/\s+/).map(BigInt);
  if (first === undefined || counted === undefined || last === undefined) {
    throw new Error(`These are not two times and a number of bytes: ${stdout}`);
  }
  const bytes = counted + FIRST;
  if (bytes !== BigInt(expectedBytes)) {
    throw new Error(`${bytes} bytes came, and ${expectedBytes} were expected.`);
  }
  return (expectedBytes * 1000) / Number(last - first);
}
