import { TCP_LISTEN, tcpPort, tcpPortText, tcpRow } from '../../core/index.js';
import { decodeBase64 } from '../../protocol/index.js';
import { REQUEST_MS } from '../limits.js';
import type { Calls } from './resumableConnection.js';

const TABLES = ['file:///proc/net/tcp', 'file:///proc/net/tcp6'] as const;

/**
 * Whether anything listens at a TCP port of a server's machine, according to Linux' list there. For servers that cannot
 * name listeners but can read files.
 *
 * @throws Error if the list cannot be read.
 */
export async function isListedPort(port: number, calls: Calls): Promise<boolean> {
  const [four, six] = await Promise.allSettled(TABLES.map((table) => readTable(table, calls)));
  if (four?.status !== 'fulfilled') {
    throw four?.reason;
  }
  // A machine may have no IPv6.
  return [four.value, six?.status === 'fulfilled' ? six.value : ''].some((table) => hasListener(table, port));
}

async function readTable(path: string, calls: Calls): Promise<string> {
  const options = { timeoutMs: REQUEST_MS, repeat: true };
  const { dataBase64 } = await calls.call('fs/readFile', { path }, options);
  return Buffer.from(decodeBase64(dataBase64, 'dataBase64')).toString('latin1');
}

function hasListener(table: string, port: number): boolean {
  const text = `${tcpPortText(port)} `;
  return table.split('\n').some((line) => {
    const row = line.includes(text) ? tcpRow(line) : undefined;
    return row?.state === TCP_LISTEN && tcpPort(row.local) === port;
  });
}
