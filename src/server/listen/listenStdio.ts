import { lineTransport, type Transport } from '../../protocol/index.js';

/** The one client that started this process, on its standard streams. */
export function stdioTransport(): Transport {
  return lineTransport(process.stdin, process.stdout, { peer: 'stdio' });
}
