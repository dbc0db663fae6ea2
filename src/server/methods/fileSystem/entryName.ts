import path from 'node:path';

const SEPARATOR = Buffer.from(path.sep);

/** The path of an entry of a directory, in bytes: what the system takes for a name need not be text. */
export function entryOf(directory: Buffer, name: Buffer): Buffer {
  return Buffer.concat([directory, SEPARATOR, name]);
}
