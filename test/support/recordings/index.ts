import fs from 'node:fs';
import path from 'node:path';

/** The output of real programs in a terminal of 80 columns and 24 rows, by name; see record.ts. */
export const RECORDINGS: ReadonlyMap<string, Uint8Array> = new Map(
  fs
    .readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.bin'))
    .map((file) => [path.basename(file, '.bin'), fs.readFileSync(path.join(import.meta.dirname, file))]),
);
