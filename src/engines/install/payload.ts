import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import { readServerFiles, type ServerBuild } from '../../machine/index.js';

/** A tar.gz that is sent in one piece. */
export interface Payload {
  readonly bytes: Buffer;
  /** In hexadecimal digits. */
  readonly sha512: string;
}

const BLOCK = 512;

/** The files of our server for a system and a processor. */
export async function serverPayload(folder: string, build: ServerBuild): Promise<Payload> {
  const { files } = readServerFiles(folder, build);
  const parts = files.flatMap(({ name, content }) => [
    // macOS starts this program for each terminal.
    tarHeader(name, content.length, name.endsWith('/spawn-helper') ? 0o700 : 0o600),
    content,
    Buffer.alloc(-content.length & (BLOCK - 1)),
  ]);
  const bytes = await promisify(gzip)(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]));
  return { bytes, sha512: createHash('sha512').update(bytes).digest('hex') };
}

/** The header of a file in a tar archive (POSIX.1-1988). The names of our files have fewer than 100 bytes. */
function tarHeader(name: string, size: number, mode: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  header.write(name, 0);
  header.write(octal(mode, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(size, 11), 124);
  header.write(octal(0, 11), 136);
  // While the sum is made, its own place has spaces.
  header.write('        0', 148);
  header.write('ustar\u000000', 257);
  header.write(
    octal(
      header.reduce((sum, byte) => sum + byte, 0),
      6,
    ),
    148,
  );
  header[154] = 0;
  return header;
}
