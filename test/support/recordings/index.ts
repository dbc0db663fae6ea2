import fs from 'node:fs';
import path from 'node:path';

/** The terminal's size from this many bytes of the output on. */
export interface Resize {
  readonly after: number;
  readonly columns: number;
  readonly rows: number;
}

/** The output of real programs in a terminal of 80 columns and 24 rows, by name; see record.ts. */
export const RECORDINGS: ReadonlyMap<string, Uint8Array> = new Map(
  files('.bin').map((file) => [path.basename(file, '.bin'), fs.readFileSync(file)]),
);

/** The sizes that the terminals of some recordings had later, by name. */
export const RESIZES: ReadonlyMap<string, readonly Resize[]> = new Map(
  files('.sizes.json').map((file) => [
    path.basename(file, '.sizes.json'),
    JSON.parse(fs.readFileSync(file, 'utf8')) as Resize[],
  ]),
);

function files(ending: string): readonly string[] {
  const names = fs.readdirSync(import.meta.dirname).filter((name) => name.endsWith(ending));
  return names.map((name) => path.join(import.meta.dirname, name));
}
