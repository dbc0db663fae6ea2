import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';

import { outputOf, viewImage } from './calls.js';
import { interopServers, useServer } from './servers.js';

/** A PNG of noise, which cannot be made smaller: three bytes a pixel. */
function noise(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // Eight bits of red, green and blue each.
  header.set([8, 2], 8);
  const rows = randomBytes((side * 3 + 1) * side);
  // Each row begins with the number of its filter: 0, no filter.
  for (let row = 0; row < side; row++) rows[(side * 3 + 1) * row] = 0;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data]);
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32BE(data.byteLength, 0);
  numbers.writeUInt32BE(crc32(typed), 4);
  return Buffer.concat([numbers.subarray(0, 4), typed, numbers.subarray(4)]);
}

for (const kind of interopServers) {
  describe(`${kind.name}: pictures for the real client`, () => {
    const bench = useServer(kind);

    it('are read by the server, small and large', async () => {
      const pictures = { small: noise(1), large: noise(400) };
      for (const [name, bytes] of Object.entries(pictures)) {
        fs.writeFileSync(path.join(bench.server.folder, `${name}.png`), bytes);
      }
      // This path leads into the working directory of the process that reads it, and the client has another one.
      const { outputs } = await bench.run([
        [
          viewImage('small', '/proc/self/cwd/small.png'),
          viewImage('large', '/proc/self/cwd/large.png'),
          viewImage('missing', '/proc/self/cwd/missing.png'),
        ],
      ]);
      for (const [name, bytes] of Object.entries(pictures)) {
        const [image = ''] = outputOf(outputs, name).images;
        const prefix = 'data:image/png;base64,';
        assert.ok(image.startsWith(prefix), `${name}: ${outputOf(outputs, name).text}`);
        assert.ok(Buffer.from(image.slice(prefix.length), 'base64').equals(bytes), name);
      }
      assert.match(outputOf(outputs, 'missing').text, /No such file or directory/);
    });
  });
}
