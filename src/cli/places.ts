import { InvalidArgumentError } from 'commander';

import { version } from '../../package.json';
import { isExecError, parsePlaceText, placeText, type TypedPlace } from '../core/index.js';
import type { Connector } from '../remote/index.js';
import { CliError, ExitCode } from './exitCodes.js';
import type { Connected } from './connected.js';
import type { Console } from './console.js';
import { askForNode, sayStep } from './nodeQuestion.js';
import { startOnTerminal } from './startOnTerminal.js';

/** An exec-server other than the session server of this machine, and the way to it. */
export type Place = Exclude<TypedPlace, { readonly kind: 'wrong' }>;

/** The text of `--help` about the values of `--on`. */
export const PLACE_HELP = 'HOST, "docker NAME", "kubernetes POD", ws://HOST:PORT, unix://SOCKET or a command';

/** The variable with the token for a server with an address. Every user could see a command line. */
const TOKEN_VARIABLE = 'EXEC_SESSIONS_TOKEN';
const OF_TOKENS: readonly string[] = ['tokenMissing', 'unauthorized'];

/** A place, or a pattern of hosts of the ssh configuration. */
export type PlaceChoice = Place | { readonly kind: 'pattern'; readonly pattern: string };

/** @throws InvalidArgumentError */
export function parseChoice(text: string, before: readonly PlaceChoice[] = []): readonly PlaceChoice[] {
  const isPattern = /^[\w.*?@-]+$/.test(text) && /[*?]/.test(text);
  return [...before, isPattern ? { kind: 'pattern', pattern: text } : parsePlace(text)];
}

/** @throws CliError if no known host matches a pattern. */
export async function placesOf({ env }: Console, choices: readonly PlaceChoice[]): Promise<readonly Place[]> {
  const { matchHosts } = await import('../engines/index.js');
  const places = choices.flatMap((choice): readonly Place[] => {
    if (choice.kind !== 'pattern') {
      return [choice];
    }
    const { hosts, known } = matchHosts(choice.pattern, env);
    if (hosts.length === 0) {
      const hostsThere = known === 1 ? 'one host' : `${known} hosts`;
      throw new CliError(
        `No host matches "${choice.pattern}". The ssh configuration names ${hostsThere}.`,
        ExitCode.usage,
      );
    }
    return hosts.map((name) => ({ kind: 'member', member: { engine: 'ssh', name } }));
  });
  return [...new Map(places.map((place) => [placeText(place), place])).values()];
}

/** @throws InvalidArgumentError */
export function parsePlace(text: string): Place {
  const place = parsePlaceText(text);
  if (place.kind === 'wrong') {
    throw new InvalidArgumentError(`It must be ${PLACE_HELP}.`);
  }
  return place;
}

/**
 * @param options.asks Whether the person at a terminal can be asked for what is missing there.
 * @param options.signal Gives the attempt up.
 * @throws ExecError
 * @throws CliError where a token is missing or wrong.
 */
export async function connectPlace(
  console: Console,
  place: Place,
  options: { readonly asks: boolean; readonly signal?: AbortSignal } = { asks: true },
): Promise<Connected> {
  const { env, clock } = console;
  const start = options.asks ? startOnTerminal(console) : undefined;
  const { RemoteBackend, commandConnector, socketConnector, webSocketConnector } =
    await import('../remote/index.js');
  const { engineConnector } = await import('../engines/index.js');
  const backend = await RemoteBackend.connect(
    { connector: connector(), clientName: 'exec-sessions', clock },
    options.signal,
  ).catch((error: unknown) => {
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
        return commandConnector({ argv: place.argv, start });
      case 'member':
      case 'shell':
        return engineConnector({
          reached: place,
          files: __dirname,
          version,
          start,
          mayInstallNode: (question) =>
            options.asks ? askForNode(console, question) : Promise.resolve(false),
          onStep: (step) => options.asks && sayStep(console, step),
        });
    }
  }
}
