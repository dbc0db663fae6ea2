import { type RequestName, WireCode, WireError } from '../protocol/index.js';

/** The state of a connection: nothing yet, `initialize` answered, `initialized` received. */
export type HandshakeState = 'new' | 'answered' | 'done';

/**
 * Refuses a request that arrives before the handshake is done.
 *
 * @throws WireError
 */
export function checkHandshake(method: RequestName, state: HandshakeState): void {
  if (state !== 'done') {
    const missing =
      state === 'new' ? 'client must call initialize before' : 'client must send initialized before';
    throw new WireError(WireCode.invalidRequest, `${missing} using ${familyOf(method)} methods`);
  }
}

const FAMILIES: readonly (readonly [prefix: string, family: string])[] = [
  ['fs/', 'filesystem'],
  ['http/', 'http'],
  ['host/', 'host'],
  ['environment/info', 'environment info'],
  ['environment/status', 'environment status'],
];

function familyOf(method: string): string {
  return FAMILIES.find(([prefix]) => method.startsWith(prefix))?.[1] ?? 'exec';
}
