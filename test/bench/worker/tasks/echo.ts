import { setTimeout as delay } from 'node:timers/promises';

import type { Driver } from '../driver.js';

export interface Echo {
  readonly args: { readonly count: number; readonly leastPauseMs: number; readonly mostPauseMs: number };
  /** Milliseconds from each key to its echo. */
  readonly result: readonly number[];
}

/** In raw mode the kernel echoes nothing: every byte that returns has been read and written by the program. */
const PROGRAM = ['/bin/sh', '-c', 'stty raw -echo && printf R && exec cat'] as const;
const FIRST_KEY = 97;
const KEYS = 26;

/** Types one key at a time, each some time after the echo of the previous one. */
export async function echo(
  driver: Driver,
  { count, leastPauseMs, mostPauseMs }: Echo['args'],
): Promise<Echo['result']> {
  const times: number[] = [];
  let typedAt = 0;
  let expected = 'R'.charCodeAt(0);
  let heard: () => void = () => undefined;
  let failed: (error: Error) => void = () => undefined;
  const next = (): Promise<void> =>
    new Promise((resolve, reject) => {
      heard = resolve;
      failed = reject;
    });
  let ready = next();
  const process = driver.start({ argv: PROGRAM, tty: true }, (bytes) => {
    times.push(performance.now() - typedAt);
    if (bytes.length === 1 && bytes[0] === expected) {
      heard();
    } else {
      failed(new Error(`Not an echo: ${JSON.stringify(Buffer.from(bytes).toString())}`));
    }
  });
  process.closed.catch((error: unknown) => failed(error as Error));
  try {
    await ready;
    times.length = 0;
    for (let index = 0; index < count; index++) {
      await delay(leastPauseMs + Math.random() * (mostPauseMs - leastPauseMs));
      expected = FIRST_KEY + (index % KEYS);
      ready = next();
      typedAt = performance.now();
      process.write(Uint8Array.of(expected));
      await ready;
    }
  } finally {
    process.kill();
  }
  await process.closed;
  return times;
}
