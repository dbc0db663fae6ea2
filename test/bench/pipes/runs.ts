import type { ExecBackend, StartParams } from '../../../src/core/index.js';
import { collectEvents, type Collected } from '../../support/collect.js';
import { params } from '../../support/startParams.js';

let runs = 0;

/** Runs a program to its end, with input if that is not empty. */
export async function run(
  backend: ExecBackend,
  argv: readonly string[],
  { input = '', ...more }: Partial<StartParams> & { readonly input?: string } = {},
): Promise<Collected> {
  const pipeStdin = input !== '';
  const process = await backend.start(params({ argv, pipeStdin, ...more, processId: `run ${(runs += 1)}` }));
  const collected = collectEvents(process);
  if (pipeStdin) {
    await process.write(Buffer.from(input));
  }
  try {
    return await collected;
  } finally {
    process.release();
  }
}

/** Calls `work` for each contender in turn, round by round, so that a noisy moment meets all of them. */
export async function interleaved<Name extends string, T>(
  rounds: number,
  contenders: readonly Name[],
  work: (name: Name) => Promise<T>,
): Promise<Record<Name, T[]>> {
  const results = Object.fromEntries(contenders.map((name) => [name, [] as T[]])) as Record<Name, T[]>;
  for (let round = 0; round < rounds; round++) {
    for (const name of contenders) {
      results[name].push(await work(name));
    }
  }
  return results;
}
