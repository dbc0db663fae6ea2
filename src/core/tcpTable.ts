/**
 * A line of a file like `/proc/net/tcp`, where Linux lists TCP sockets: listening ones first, then the others. See
 * https://docs.kernel.org/networking/proc_net_tcp.html
 */
export interface TcpRow {
  /** The local end, for example `0100007F:1267`; see {@link tcpAddress} and {@link tcpPort}. */
  readonly local: string;
  readonly remote: string;
  /** {@link TCP_LISTEN}, for example. */
  readonly state: string;
  /** The user who made the socket. */
  readonly uid: number;
  /** The inode of the socket; 0 if no process holds it any more. */
  readonly inode: number;
}

export const TCP_LISTEN = '0A';

const WORD_BYTES = 4;
const LOW_BYTE_FIRST = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/** Parses a line; undefined for the heading and for an incomplete line. */
export function tcpRow(line: string): TcpRow | undefined {
  const [, local, remote = '', state = '', , , , uid, , inode] = line.trim().split(/\s+/);
  return local?.includes(':') === true && inode !== undefined
    ? { local, remote, state, uid: Number(uid), inode: Number(inode) }
    : undefined;
}

/** A port as the addresses in the lines end with it: `:1267`. */
export function tcpPortText(port: number): string {
  return `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
}

export function tcpPort(end: string): number {
  return Number.parseInt(end.slice(end.indexOf(':') + 1), 16);
}

/** The address of an end. It consists of words of four bytes, each in the byte order of the processor. */
export function tcpAddress(end: string): string {
  const bytes = Buffer.from(end.slice(0, end.indexOf(':')), 'hex');
  if (LOW_BYTE_FIRST) {
    bytes.swap32();
  }
  if (bytes.byteLength === WORD_BYTES) {
    return bytes.join('.');
  }
  return (bytes.toString('hex').match(/.{4}/g) ?? []).join(':');
}
