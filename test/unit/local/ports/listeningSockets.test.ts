import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { endianness, tmpdir } from 'node:os';
import path from 'node:path';

import { listeningSockets } from '../../../../src/local/ports/listeningSockets.js';

const HEAD =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';

describe('The sockets that listen', () => {
  let proc: string;
  beforeEach(() => {
    proc = mkdtempSync(path.join(tmpdir(), 'es-proc-'));
    mkdirSync(path.join(proc, 'net'));
  });
  afterEach(() => rmSync(proc, { recursive: true }));

  const write = (table: 'tcp' | 'tcp6', ...rows: readonly string[]) => {
    writeFileSync(path.join(proc, 'net', table), HEAD + rows.join(''));
  };
  const row = (local: string, state: string, uid: number, inode: number): string =>
    `   0: ${inWords(local)} ${inWords('00000000:0000')} ${state} 00000000:00000000 00:00000000 00000000 ${uid}        0 ${inode} 1 x 100 0 0 10 0\n`;

  it('have an address, a port, a user and a number, in both tables', async () => {
    write('tcp', row('7F000001:1267', '0A', 1000, 5));
    write('tcp6', row('00000000000000000000000000000001:0050', '0A', 0, 6));
    assert.deepEqual(await listeningSockets(proc), [
      { address: '127.0.0.1', port: 4711, uid: 1000, inode: 5 },
      { address: '0000:0000:0000:0000:0000:0000:0000:0001', port: 80, uid: 0, inode: 6 },
    ]);
  });

  it('end where the connections begin, which are not read', async () => {
    write('tcp', row('7F000001:0001', '0A', 0, 1), row('7F000001:0002', '01', 0, 2), 'what is no row\n');
    const all = await listeningSockets(proc);
    assert.deepEqual(
      all.map(({ inode }) => inode),
      [1],
    );
  });

  it('are all there if there are many, wherever a piece of the file ends', async () => {
    const numbers = Array.from({ length: 1_000 }, (_, index) => index + 1);
    write('tcp', ...numbers.map((inode) => row('00000000:1267', '0A', 0, inode)));
    const all = await listeningSockets(proc);
    assert.deepEqual(
      all.map(({ inode }) => inode),
      numbers,
    );
  });

  it('are those of IPv4 where there is no IPv6, and an error where there is no list', async () => {
    await assert.rejects(listeningSockets(proc), /cannot be listed/);
    write('tcp', row('7F000001:1267', '0A', 0, 5));
    assert.equal((await listeningSockets(proc)).length, 1);
  });
});

/** Turns an end into the form of the file: each word of four bytes in the order of the processor. */
function inWords(end: string): string {
  const [address = '', port = ''] = end.split(':');
  const bytes = Buffer.from(address, 'hex');
  if (endianness() === 'LE') {
    bytes.swap32();
  }
  return `${bytes.toString('hex').toUpperCase()}:${port}`;
}
