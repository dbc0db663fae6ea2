import { createHash } from 'node:crypto';

import type { Driver } from '../driver.js';

export interface Throughput {
  readonly args: {
    readonly tty: boolean;
    readonly argv: readonly [string, ...string[]];
    readonly expectedBytes: number;
    /** The digest of the whole expected output, in hex. With it nothing is timed. */
    readonly sha256?: string;
  };
  /** Millions of bytes a second from the first output to the last, and the number of events that arrived too early. */
  readonly result: { readonly rate: number; readonly outOfOrder: number };
}

/** @throws Error unless exactly the printed output has arrived. */
export async function throughput(
  driver: Driver,
  { tty, argv, expectedBytes, sha256 }: Throughput['args'],
): Promise<Throughput['result']> {
  const stays = tty && driver.losesTail;
  const hash = sha256 === undefined ? undefined : createHash('sha256');
  let bytes = 0;
  let first = 0;
  let last = 0;
  const process = driver.start({ argv: stays ? staying(argv) : argv, tty }, (chunk) => {
    last = performance.now();
    first ||= last;
    bytes += chunk.byteLength;
    hash?.update(chunk);
    if (stays && bytes >= expectedBytes) {
      process.kill();
    }
  });
  const { outOfOrder } = await process.closed;
  if (bytes !== expectedBytes) {
    if (stays && bytes < expectedBytes) process.kill();
    throw new Error(`${bytes - expectedBytes} bytes too many of ${expectedBytes} (negative: lost)`);
  }
  if (hash !== undefined && hash.digest('hex') !== sha256) {
    throw new Error('What came is not what was printed.');
  }
  return { rate: bytes / 1e6 / ((last - first) / 1000), outOfOrder };
}

/** The same program, but it does not exit by itself: it is killed once all output has arrived. */
function staying(argv: readonly string[]): readonly [string, ...string[]] {
  return ['/bin/sh', '-c', '"$@"; exec sleep 100', 'sh', ...argv];
}
