import type { ExecBackend, ExecProcess } from '../../src/core/index.js';
import { textOf } from './bytes.js';
import { until } from './processes.js';

/** A part of a long output: a command line of `sh`, and what it prints last. */
export interface Part {
  readonly print: string;
  readonly end: string;
}

/** More than memory keeps by default. */
export const NUMBERS: readonly Part[] = [
  { print: 'seq 1 200000', end: '\n200000\n' },
  { print: 'seq 200001 400000', end: '\n400000\n' },
];

/** Prints each part when it gets a line, and ends with one more. */
export function scriptOf(parts: readonly Part[]): string {
  return [...parts.map(({ print }) => `read x; ${print}`), 'read x'].join('; ');
}

/** Has the only process of a server print its parts; each is on disk before the next one. It goes on to run. */
export async function keepOnDisk(backend: ExecBackend, parts: readonly Part[]): Promise<ExecProcess> {
  const [info] = await backend.list();
  const process = await backend.attach(info?.processId ?? '');
  await process.describe({ keepOutput: true });
  for (const { end } of parts) {
    await process.write(Buffer.from('\n'));
    await until(async () => textOf((await process.read()).chunks).endsWith(end));
    // It is answered when all is on disk that was printed before.
    await process.readKept({ afterSeq: process.info().output.lastSeq, maxBytes: 1 });
  }
  return process;
}
