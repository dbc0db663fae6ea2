import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';

/** A program that prints a lot, and the output that must arrive. */
export interface Source {
  readonly argv: readonly [string, ...string[]];
  readonly expectedBytes: number;
  /** Hex. */
  readonly sha256: string;
}

/** Eight digits and a line feed. */
const LINE_BYTES = 9;
const FIRST_LINE = 10_000_000;

/**
 * A program that makes its text while it prints it, and writes it in blocks of 4 KB, as C programs do.
 *
 * @param file Gets the output once, from which the expected values are computed.
 */
export function countingSource(file: string, bytes: number): Source {
  const lines = Math.ceil(bytes / LINE_BYTES);
  const argv = ['/usr/bin/seq', String(FIRST_LINE), String(FIRST_LINE + lines - 1)] as const;
  const descriptor = fs.openSync(file, 'w');
  try {
    execFileSync(argv[0], argv.slice(1), { stdio: ['ignore', descriptor, 'inherit'] });
  } finally {
    fs.closeSync(descriptor);
  }
  const all = fs.readFileSync(file);
  return { argv, expectedBytes: all.length, sha256: createHash('sha256').update(all).digest('hex') };
}

const LINES_AT_ONCE = 16 * 1024;
const FILLING = ' The quick brown fox jumps over the lazy dog, and back';

/**
 * A program that only copies, in blocks of 128 KB: `cat` of about `bytes` of numbered lines.
 *
 * @param tty Whether the output goes through a terminal, which puts a carriage return before each line feed.
 */
export function fileSource(file: string, bytes: number, tty: boolean): Source & { readonly lines: number } {
  const hash = createHash('sha256');
  const descriptor = fs.openSync(file, 'w');
  let expectedBytes = 0;
  let count = 0;
  try {
    for (let written = 0; written < bytes; count += LINES_AT_ONCE) {
      const lines = Array.from(
        { length: LINES_AT_ONCE },
        (_, index) => `${String(count + index).padStart(9, '0')}${FILLING}\n`,
      ).join('');
      fs.writeSync(descriptor, lines);
      written += lines.length;
      const shown = tty ? lines.replaceAll('\n', '\r\n') : lines;
      hash.update(shown);
      expectedBytes += shown.length;
    }
  } finally {
    fs.closeSync(descriptor);
  }
  return { argv: ['/bin/cat', file], expectedBytes, sha256: hash.digest('hex'), lines: count };
}
