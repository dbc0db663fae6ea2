import { systemClock, workingDirectory } from '../core/index.js';
import { bundledGuard, LocalBackend, Sandboxes } from '../local/index.js';
import { lineTransport } from '../protocol/index.js';
import { fileSystemMethods, sandboxedHelpers } from './methods/fileSystem/index.js';
import { httpMethods } from './methods/http/index.js';
import { type Admission, onlyOwner, withToken } from './listen/admission.js';
import { tokenCheck } from './listen/authentication.js';
import type { ServeCommand } from './commandLine.js';
import { environmentInfo, environmentMethods } from './methods/environment.js';
import { INITIALIZE_LIMIT_MS, SHUTDOWN_LIMIT_MS } from './limits.js';
import type { Accept, Listener } from './listen/listener.js';
import { listenUnix } from './listen/listenUnix.js';
import { isLoopback, type ListenAddress } from './listen/listenUrl.js';
import { listenWebSocket } from './listen/listenWebSocket.js';
import { makeOwnToken } from './listen/ownToken.js';
import { defaultFolder, sandboxFolders } from '../machine/index.js';
import { TcpOwners } from './listen/tcpOwners.js';
import { endOnSignal } from './programEnd.js';
import { ExecServer } from './execServer.js';
import { StartError } from './listen/startError.js';

const SECOND_MS = 1_000;

/**
 * Runs the server of this process until a signal ends it, or the client on stdin leaves, or it has been idle for too
 * long. Prints its URL once clients can connect.
 *
 * @throws StartError
 */
export async function serve(command: ServeCommand, log: (line: string) => void): Promise<void> {
  const { admission, isOpen } = admissionFor(command, log);
  const environment = { hostEnv: { ...process.env }, cwd: workingDirectory(), isOpen };
  const listeners: Listener[] = [];
  const end = endOnSignal((signal) => {
    listeners.forEach((listener) => listener.close());
    setTimeout(() => process.exit(0), SHUTDOWN_LIMIT_MS);
    void server.shutdown(signal).finally(() => process.exit(0));
  });
  const idle = command.exitWhenIdleSeconds;
  const sockets = command.address.kind === 'unix' ? [command.address.path] : [];
  const backend = new LocalBackend({
    retentionMs: command.retentionSeconds * SECOND_MS,
    hostEnv: environment.hostEnv,
    sandboxes: new Sandboxes(sandboxFolders(environment.hostEnv, __dirname, sockets)),
    guard: bundledGuard(__dirname, () =>
      log('The guard cannot run. If this server is killed, its processes may go on.'),
    ),
  });
  backend.prepare();
  const server = new ExecServer({
    backend,
    clock: systemClock,
    environment,
    environmentInfo: environmentInfo(environment),
    methods: {
      ...environmentMethods,
      ...fileSystemMethods(sandboxedHelpers(backend, __dirname)),
      ...httpMethods,
    },
    // Only its owner can connect to a private socket.
    reach: command.address.kind === 'unix' ? 'server' : 'session',
    // A stranger who reaches the port can connect and do nothing. A private socket and a program's own pipes have no
    // strangers.
    initializeLimitMs: command.address.kind === 'websocket' ? INITIALIZE_LIMIT_MS : undefined,
    quotas: command.quotas,
    detachedMs: command.detachedSessionSeconds * SECOND_MS,
    whenIdle: idle === undefined ? undefined : { afterMs: idle * SECOND_MS, run: end },
    log,
  });
  if (command.address.kind === 'stdio') {
    // The only client is the program that started this process.
    const transport = lineTransport(process.stdin, process.stdout, { peer: 'stdio' });
    transport.onEnd(end);
    server.accept(transport);
    return;
  }
  const listener = await listen(command.address, admission, server.accept);
  listeners.push(listener);
  process.stdout.write(`${listener.url}\n`);
}

/** The way in: undefined lets in every client that reaches the address. It is open if programs need no token. */
interface Entrance {
  readonly admission?: Admission;
  readonly isOpen: boolean;
}

function admissionFor(
  { address, auth, allowNonLoopback, openToAll }: ServeCommand,
  log: (line: string) => void,
): Entrance {
  const check = tokenCheck(auth, systemClock, log);
  if (check !== undefined) {
    return { admission: withToken(check), isOpen: false };
  }
  if (address.kind !== 'websocket') {
    return { isOpen: false };
  }
  if (!isLoopback(address.host)) {
    if (allowNonLoopback) {
      return { isOpen: true };
    }
    throw new StartError(
      `everybody who can reach ${address.host} could run commands here. ` +
        'Set `--ws-auth`, or say `--allow-non-loopback` if that is what you want',
    );
  }
  if (openToAll) {
    log('Every user of this machine can run commands as you here, since `--no-auth` lets them in.');
    return { isOpen: true };
  }
  if (new TcpOwners().areKnown) {
    return { admission: onlyOwner(log), isOpen: true };
  }
  const { file, check: ownCheck } = makeOwnToken(defaultFolder(process.env));
  log(
    `This system does not tell who connects, so clients need the token in ${file}. ` +
      'With `--no-auth` every user of this machine could run commands as you here.',
  );
  return { admission: withToken(ownCheck), isOpen: false };
}

function listen(
  address: Exclude<ListenAddress, { readonly kind: 'stdio' }>,
  admission: Admission | undefined,
  accept: Accept,
): Promise<Listener> {
  return address.kind === 'unix'
    ? listenUnix(address.path, systemClock, accept)
    : listenWebSocket(address, admission, accept);
}
