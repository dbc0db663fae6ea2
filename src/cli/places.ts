import { InvalidArgumentError } from 'commander';

import { version } from '../../package.json';
import { isExecError, parsePlaceText, type TypedPlace } from '../core/index.js';
import type { Connector } from '../remote/index.js';
import { CliError } from './exitCodes.js';
import type { Connected } from './connected.js';
import type { Console } from './console.js';

/** An exec-server other than the session server of this machine, and the way to it. */
export type Place = Exclude<TypedPlace, { readonly kind: 'wrong' }>;

/** The text of `--help` about the values of `--on`. */
export const PLACE_HELP = 'HOST, "docker NAME", "kubernetes POD", ws://HOST:PORT, unix://SOCKET or a command';

/** The variable with the token for a server with an address. Every user could see a command line. */
const TOKEN_VARIABLE = 'EXEC_SESSIONS_TOKEN';
const OF_TOKENS: readonly string[] = ['tokenMissing', 'unauthorized'];

/** @throws InvalidArgumentError */
export function parsePlace(text: string): Place {
  const place = parsePlaceText(text);
  if (place.kind === 'wrong') {
    throw new InvalidArgumentError(`It must be ${PLACE_HELP}.`);
  }
  return place;
}

/**
 * @throws ExecError
 * @throws CliError where a token is missing or wrong.
 */
export async function connectPlace({ env, clock }: Console, place: Place): Promise<Connected> {
  const { RemoteBackend, commandConnector, socketConnector, webSocketConnector } =
    await import('../remote/index.js');
  const { engineConnector } = await import('../engines/index.js');
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
      case 'member':
      case 'shell':
        return engineConnector({
          reached: place,
          files: __dirname,
          version,
          mayInstallNode: () => Promise.resolve(false),
        });
    }
  }
}
