import { InvalidArgumentError } from 'commander';

import { isExecError } from '../core/index.js';
import type { Connector } from '../remote/index.js';
import { CliError } from './exitCodes.js';
import type { Connected } from './connected.js';
import type { Console } from './console.js';

/** An exec-server other than the session server of this machine, and the way to it. */
export type Place =
  | { readonly kind: 'websocket'; readonly url: string }
  | { readonly kind: 'socket'; readonly path: string }
  /** A program whose standard input and output lead to the server. */
  | { readonly kind: 'command'; readonly argv: readonly string[] };

/** The text of `--help` about the values of `--on`. */
export const PLACE_HELP = 'ws://HOST:PORT, unix://SOCKET, "ssh HOST" or "docker CONTAINER"';

/** The variable with the token for a server with an address. Every user could see a command line. */
const TOKEN_VARIABLE = 'EXEC_SESSIONS_TOKEN';
const OF_TOKENS: readonly string[] = ['tokenMissing', 'unauthorized'];

/** @throws InvalidArgumentError */
export function parsePlace(text: string): Place {
  if (/^wss?:\/\/\S+$/.test(text)) {
    return { kind: 'websocket', url: text };
  }
  const [, socket] = /^unix:\/\/(\/.+)$/s.exec(text) ?? [];
  if (socket !== undefined) {
    return { kind: 'socket', path: socket };
  }
  // An option of ssh can start anything, and no host has a name that looks like an option.
  const [, program, name] = /^(ssh|docker) +([^-\s]\S*)$/.exec(text.trim()) ?? [];
  if (name === undefined) {
    throw new InvalidArgumentError(`It must be ${PLACE_HELP}.`);
  }
  const way = program === 'ssh' ? ['ssh', name] : ['docker', 'exec', '-i', name];
  return { kind: 'command', argv: [...way, 'exec-server', 'bridge', '--stdio'] };
}

/**
 * @throws ExecError
 * @throws CliError where a token is missing or wrong.
 */
export async function connectPlace({ env, clock }: Console, place: Place): Promise<Connected> {
  const { RemoteBackend, commandConnector, socketConnector, webSocketConnector } =
    await import('../remote/index.js');
  const options = { connector: connector(), clientName: 'exec-sessions', clock };
  const backend = await RemoteBackend.connect(options).catch((error: unknown) => {
    throw isExecError(error) && OF_TOKENS.includes(error.failure.kind)
      ? new CliError(`${error.message} It is taken from ${TOKEN_VARIABLE}.`)
      : error;
  });
  return { backend, disconnect: () => backend.disconnect() };

  function connector(): Connector {
    switch (place.kind) {
      case 'websocket':
        return webSocketConnector({ url: place.url, token: env[TOKEN_VARIABLE] });
      case 'socket':
        return socketConnector(place.path);
      case 'command':
        return commandConnector({ argv: place.argv });
    }
  }
}
