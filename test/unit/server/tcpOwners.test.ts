import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { endianness, tmpdir } from 'node:os';
import path from 'node:path';

import { TcpOwners } from '../../../src/server/listen/tcpOwners.js';

const HEAD =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
const ends = {
  localAddress: '127.0.0.1',
  localPort: 4711,
  remoteAddress: '127.0.0.1',
  remotePort: 40_000,
};
/** 40,000 and 4,711. */
const [CLIENT, SERVER] = ['9C40', '1267'];

describe('TcpOwners', () => {
  let proc: string;

  beforeEach(() => {
    proc = mkdtempSync(path.join(tmpdir(), 'es-proc-'));
    mkdirSync(path.join(proc, 'net'));
  });
  afterEach(() => rmSync(proc, { recursive: true }));

  const write = (table: 'tcp' | 'tcp6', ...rows: readonly string[]) => {
    writeFileSync(path.join(proc, 'net', table), HEAD + rows.join(''));
  };
  const row = (local: string, remote: string, uid: number, inode = 99): string =>
    `   0: ${inWords(local)} ${inWords(remote)} 01 00000000:00000000 00:00000000 00000000 ${uid}        0 ${inode} 1 x 20 4 30 10 -1\n`;

  it('are the owners of the other end, for these two ports', async () => {
    write(
      'tcp',
      row(`7F000001:${SERVER}`, `7F000001:${CLIENT}`, 1),
      row(`7F000001:${CLIENT}`, `7F000001:1268`, 2),
      row(`7F000001:9C41`, `7F000001:${SERVER}`, 3),
      row(`7F000002:${CLIENT}`, `7F000001:${SERVER}`, 4),
      row(`7F000001:${CLIENT}`, `7F000002:${SERVER}`, 5),
      row(`7F000001:${CLIENT}`, `7F000001:${SERVER}`, 1000),
    );
    assert.equal(await new TcpOwners(proc).ofPeer(ends), 1000);
    assert.equal(await new TcpOwners(proc).ofPeer({ ...ends, localPort: 4713 }), undefined);
  });

  it('are unknown for an end without a holder, which is listed as of root', async () => {
    write('tcp', row(`7F000001:${CLIENT}`, `7F000001:${SERVER}`, 0, 0));
    assert.equal(await new TcpOwners(proc).ofPeer(ends), undefined);
  });

  it('are unknown while another user begins a connection of the same ports', async () => {
    const connecting = row(`7F000001:${CLIENT}`, `7F000001:${SERVER}`, 1000).replace(' 01 ', ' 02 ');
    write('tcp', connecting);
    assert.equal(await new TcpOwners(proc).ofPeer(ends), undefined);
  });

  it('are found among those of IPv6, and for IPv4 in the form of IPv6', async () => {
    const one = '00000000000000000000000000000001';
    const mapped = '00000000000000000000FFFF7F000001';
    write('tcp');
    write(
      'tcp6',
      row(`${one}:${CLIENT}`, `${one}:${SERVER}`, 7),
      row(`${mapped}:${CLIENT}`, `${mapped}:${SERVER}`, 8),
    );
    const owners = new TcpOwners(proc);
    assert.equal(await owners.ofPeer({ ...ends, localAddress: '::1', remoteAddress: '::1' }), 7);
    assert.equal(await owners.ofPeer(ends), 8);
    const both = { localAddress: '::ffff:127.0.0.1', remoteAddress: '::ffff:127.0.0.1' };
    assert.equal(await owners.ofPeer({ ...ends, ...both }), 8);
  });

  it('are found with one look for all who ask at the same time, begun when they have asked', async () => {
    const looks: ((text: string) => void)[] = [];
    const read = () => new Promise<string>((resolve) => looks.push(resolve));
    const owners = new TcpOwners(proc, read);
    const list = (...clients: readonly number[]) =>
      HEAD + clients.map((port) => row(`7F000001:${hex(port)}`, `7F000001:${SERVER}`, port, 1)).join('');
    const ask = (remotePort: number) => owners.ofPeer({ ...ends, remotePort });
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const early = [1, 2].map(ask);
    await turn();
    const later = [3, 4].map(ask);
    await turn();
    assert.equal(looks.length, 1);
    looks[0]?.(list(1, 2));
    assert.deepEqual(await Promise.all(early), [1, 2]);
    await turn();
    assert.equal(looks.length, 2);
    looks[1]?.(list(1, 2, 3, 4));
    assert.deepEqual(await Promise.all(later), [3, 4]);
  });

  it('are not known without a list', async () => {
    assert.equal(new TcpOwners(proc).areKnown, false);
    assert.equal(await new TcpOwners(proc).ofPeer(ends), undefined);
    write('tcp');
    assert.equal(new TcpOwners(proc).areKnown, true);
  });
});

function hex(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}

/** An address in the order of the network, as Linux lists it on a processor like this one. */
function inWords(end: string): string {
  const [address = '', port = ''] = end.split(':');
  const bytes = Buffer.from(address, 'hex');
  return `${(endianness() === 'LE' ? bytes.swap32() : bytes).toString('hex').toUpperCase()}:${port}`;
}
