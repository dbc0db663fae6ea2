import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isIPv6, SocketAddress } from 'node:net';
import path from 'node:path';

import { tcpAddress, tcpPortText, tcpRow } from '../../core/index.js';
import { SharedAnswer } from '../../local/index.js';

/** Both ends of a connection, as seen from this process. */
interface ConnectionEnds {
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}

/** Linux lists its connections piece by piece, and one that moves meanwhile can be missing. */
const LOOKS = 3;
/** IPv4 first: nearly all local connections are of that kind. */
const TABLES = ['net/tcp', 'net/tcp6'] as const;
/** An end in these states belongs to a later connection of the same ports: SYN_SENT and SYN_RECV. */
const CONNECTING: readonly string[] = ['02', '03'];

/** The lines of a table by the port of their own end. */
type Lines = ReadonlyMap<string, readonly string[]>;

/**
 * The users to whom the TCP connections of this machine belong, as Linux lists them. Each connection asks, and a list
 * of thousands takes tens of milliseconds. So all callers that ask at the same time share a look. With a look for each,
 * clients that gave up and came again kept everybody out.
 */
export class TcpOwners {
  readonly #proc: string;
  readonly #tables: readonly SharedAnswer<Lines>[];

  /** @param read Gives the text of a file. */
  constructor(proc = '/proc', read = (file: string) => readFile(file, 'latin1')) {
    this.#proc = proc;
    this.#tables = TABLES.map(
      (table) => new SharedAnswer(async () => byPort(await read(path.join(proc, table)).catch(() => ''))),
    );
  }

  /** Whether this system tells them. */
  get areKnown(): boolean {
    try {
      return /^\s*sl\s+local_address/.test(readFileSync(path.join(this.#proc, TABLES[0]), 'utf8'));
    } catch {
      return false;
    }
  }

  /**
   * The user at the other end of a connection from this machine.
   *
   * @returns the uid; undefined if there is no such end, or no process holds it any more.
   */
  async ofPeer(ends: ConnectionEnds): Promise<number | undefined> {
    for (let look = 0; look < LOOKS; look++) {
      for (const table of this.#tables) {
        const owner = ownerIn(await table.get(), ends);
        if (owner !== undefined) {
          return owner;
        }
      }
    }
    return undefined;
  }
}

/** Taking a line apart is slow, and a busy machine has thousands: only the port is looked for. */
function byPort(table: string): Lines {
  const lines = new Map<string, string[]>();
  for (const line of table.split('\n').slice(1)) {
    // The first colon follows the number of the line, the second one is in the line's own end.
    const colon = line.indexOf(':', line.indexOf(':') + 1);
    const port = line.slice(colon, line.indexOf(' ', colon));
    const others = lines.get(port);
    if (others === undefined) {
      lines.set(port, [line]);
    } else {
      others.push(line);
    }
  }
  return lines;
}

function ownerIn(table: Lines, ends: ConnectionEnds): number | undefined {
  const { localAddress = '', localPort = 0, remoteAddress = '', remotePort = 0 } = ends;
  for (const line of table.get(tcpPortText(remotePort)) ?? []) {
    const row = tcpRow(line);
    if (row === undefined) {
      continue;
    }
    // The two ends of a connection list the same addresses, the other way round.
    const isPeer =
      row.remote.endsWith(tcpPortText(localPort)) &&
      isSameAddress(tcpAddress(row.local), remoteAddress) &&
      isSameAddress(tcpAddress(row.remote), localAddress) &&
      !CONNECTING.includes(row.state);
    // An end that no process holds any more has no inode. It is listed as root's, whoever has left it.
    if (isPeer && row.inode > 0) {
      return row.uid;
    }
  }
  return undefined;
}

function isSameAddress(one: string, other: string): boolean {
  return canonical(one) === canonical(other);
}

/** IPv6 addresses have many forms, and IPv4 ones can be written as such. */
function canonical(address: string): string {
  const { address: short } = isIPv6(address) ? new SocketAddress({ address, family: 'ipv6' }) : { address };
  return short.replace(/^::ffff:(?=\d+\.)/i, '');
}
