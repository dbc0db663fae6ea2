import type { AgentHost } from '../../agent/index.js';
import { type ExecBackend, type StopOptions, systemClock, untilAborted } from '../../core/index.js';
import { SecretFile } from '../listen/secretFile.js';
import { LastingBackend } from './lastingBackend.js';
import type { McpPlace, TokenSource } from './mcpCommandLine.js';
import type { OpenPlace } from './openPlace.js';

const AT_ONCE: StopOptions = { graceMs: { interrupt: 0, hangup: 0, terminate: 0 } };

/** A token, or a way to get the one of the moment. */
type Token = string | (() => string);

/**
 * Makes a function that opens a place. The code that runs commands there is loaded only then: a client that starts this
 * program waits for it, and may never run a command.
 *
 * @throws StartError if there is a file with a token, which cannot be used.
 */
export function placeOpener(place: McpPlace, log: (line: string) => void): () => Promise<OpenPlace> {
  if (place.kind === 'local') {
    const alone = () => localPlace(log);
    return place.alone
      ? alone
      : async () => {
          const { machinePlace } = await import('./machinePlace.js');
          return machinePlace(alone, log);
        };
  }
  const token = place.kind === 'websocket' ? tokenFrom(place.token, log) : undefined;
  return () => remotePlace(place, token, log);
}

async function localPlace(log: (line: string) => void): Promise<OpenPlace> {
  const { bundledGuard, LocalBackend, Sandboxes } = await import('../../local/index.js');
  const { sandboxFolders } = await import('../../machine/index.js');
  const backend = new LocalBackend({
    pacesUnread: true,
    sandboxes: new Sandboxes(sandboxFolders(process.env, __dirname, [])),
    guard: bundledGuard(__dirname, () =>
      log('The guard cannot run. If this program is killed, its processes may go on.'),
    ),
  });
  backend.prepare();
  return {
    label: 'this machine',
    isShared: () => false,
    backend: () => Promise.resolve(backend),
    close: (options) => backend.shutdown(options),
  };
}

async function remotePlace(
  place: Exclude<McpPlace, { readonly kind: 'local' }>,
  token: Token | undefined,
  log: (line: string) => void,
): Promise<OpenPlace> {
  const remote = await import('../../remote/index.js');
  const connector =
    place.kind === 'websocket'
      ? remote.webSocketConnector({ url: place.url, token })
      : place.kind === 'socket'
        ? remote.socketConnector(await socketNameOf(place.path))
        : remote.commandConnector({ argv: place.argv });
  const over = new AbortController();
  const options = { connector, clientName: 'exec-sessions', clock: systemClock, log };
  const server = new LastingBackend(() => remote.RemoteBackend.connect(options, over.signal), over.signal);
  return {
    label: connector.label,
    isShared: () => false,
    backend: () => server.backend(),
    close: async (options) => {
      over.abort();
      const open = await server.last();
      // A server that cannot stop step by step loses track of the children of a process that an interrupt has ended.
      await open?.shutdown(open.capabilities.stop ? options : AT_ONCE);
    },
  };
}

async function socketNameOf(file: string): Promise<string> {
  const { socketName } = await import('../../machine/index.js');
  return socketName(file);
}

/** @throws StartError if there is a file that cannot be used. */
function tokenFrom(source: TokenSource | undefined, log: (line: string) => void): Token | undefined {
  if (source === undefined || 'token' in source) {
    return source?.token;
  }
  const secret = new SecretFile({ file: source.file, name: 'the token of --token-file', log });
  return () => secret.current;
}

/**
 * The host of agents on one place. Each start takes the backend that is current then, so the host outlives connections.
 *
 * @param hostOn Makes a host of a backend.
 * @param callWindows Calls people where others see the sessions.
 */
export function hostOnPlace(
  place: OpenPlace,
  environment: { readonly id: string; readonly label: string },
  folder: string | undefined,
  hostOn: (backend: ExecBackend) => AgentHost,
  callWindows: NonNullable<AgentHost['callPerson']>,
): AgentHost {
  let last: ExecBackend | undefined;
  return {
    folder,
    get notice() {
      return place.notice;
    },
    get environments() {
      return [
        { ...environment, ...(last?.capabilities.terminals === false && { terminals: false as const }) },
      ];
    },
    get callPerson() {
      return place.isShared() ? callWindows : undefined;
    },
    peopleMayBeAway: true,
    find: async () => {
      const found = await place.others?.();
      const there = (found ?? []).map(async (backend) => (await hostOn(backend).find?.()) ?? []);
      return (await Promise.all(there)).flat();
    },
    start: async (start, signal) => {
      // Connecting continues for other callers when one of them gives up.
      const backend = await untilAborted(place.backend(), signal);
      last = backend;
      return hostOn(backend).start(start, signal);
    },
  };
}
