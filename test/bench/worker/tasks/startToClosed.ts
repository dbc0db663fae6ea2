import type { Driver } from '../driver.js';

export interface StartToClosed {
  readonly args: { readonly tty: boolean; readonly count: number };
  /** Milliseconds, one for each process. */
  readonly result: readonly number[];
}

/** Runs a program that does nothing, one after the other, each until everything about it is known. */
export async function startToClosed(
  driver: Driver,
  { tty, count }: StartToClosed['args'],
): Promise<StartToClosed['result']> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const start = performance.now();
    const process = driver.start({ argv: ['/bin/true'], tty }, (bytes) => {
      throw new Error(`/bin/true says: ${Buffer.from(bytes).toString()}`);
    });
    await process.closed;
    times.push(performance.now() - start);
  }
  return times;
}
