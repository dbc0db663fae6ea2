import path from 'node:path';

import { messageOf, systemClock, withoutAgentMarks, workingDirectory } from '../core/index.js';
import { heldGuard, LocalBackend, MachineNumbers, Sandboxes } from '../local/index.js';
import {
  claudeDoorFile,
  DoorFolder,
  openReceipts,
  OutputFolder,
  ownProgram,
  privatePlaces,
  removeJobFolder,
  sandboxFolders,
} from '../machine/index.js';
import { boundedLog } from './serverLog.js';
import type { SessionsCommand } from './commandLine.js';
import { endOnSignal } from './programEnd.js';
import { ExecServer } from './execServer.js';
import {
  DEFAULT_DETACHED_SECONDS,
  DEFAULT_RETENTION_SECONDS,
  LOG_BYTES,
  SHUTDOWN_LIMIT_MS,
} from './limits.js';
import { LastingSocket } from './listen/lastingSocket.js';
import { environmentInfo, environmentMethods } from './methods/environment.js';
import { fileSystemMethods, sandboxedHelpers } from './methods/fileSystem/index.js';
import { httpMethods } from './methods/http/index.js';
import { DiskLimits } from './outputFiles/diskLimits.js';
import { OutputFiles } from './outputFiles/outputFiles.js';
import { OutputLimits } from './sessions/ownedProcesses.js';

const SECOND_MS = 1_000;

/** Variables that are meant for this program, and not for its user's programs. */
const OWN_VARIABLES = ['ELECTRON_RUN_AS_NODE'];

/**
 * Runs the session server of this user on this machine until no client needs it, or a signal ends it. Prints its URL
 * once clients can connect; by then everything that it will ever need is loaded.
 *
 * @param log Where lines go.
 * @param logTo Called once clients can connect, with the writer of the log: the program that started this does not
 * listen on.
 * @throws StartError
 */
export async function serveSessions(
  { socket }: SessionsCommand,
  log: (line: string) => void,
  logTo: (write: (line: string) => void) => void,
): Promise<void> {
  const hostEnv = Object.fromEntries(
    Object.entries(withoutAgentMarks(process.env)).filter(([name]) => !OWN_VARIABLES.includes(name)),
  );
  const environment = { hostEnv, cwd: workingDirectory() };
  const limits = new OutputLimits();
  const door = new DoorFolder(path.join(path.dirname(socket), 'claude-door'), claudeDoorFile(process.env));
  const backend = new LocalBackend({
    limits,
    retentionMs: DEFAULT_RETENTION_SECONDS * SECOND_MS,
    hostEnv,
    numbers: new MachineNumbers(),
    door,
    sandboxes: new Sandboxes(sandboxFolders(hostEnv, __dirname, [socket])),
    guard: heldGuard(__dirname, () =>
      log('The guard cannot run. If this server is killed, its processes may go on.'),
    ),
  });
  await backend.loadEverything();
  const disk = new DiskLimits();
  const files = new OutputFiles({
    backend,
    clock: systemClock,
    folder: OutputFolder.of(process.env),
    limits: disk,
    log,
  });
  const receipts = openReceipts(backend, log);
  const end = endOnSignal((signal) => {
    listener.dispose();
    setTimeout(() => process.exit(0), SHUTDOWN_LIMIT_MS);
    void server
      .shutdown(signal)
      .catch((error: unknown) => log(messageOf(error)))
      .finally(() => process.exit(0));
  });
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
    reach: 'server',
    detachedMs: DEFAULT_DETACHED_SECONDS * SECOND_MS,
    keepWithoutClient: { onOver: end },
    limits,
    disk: { files, limits: disk },
    program: ownProgram(__dirname, process.env),
    receipts,
    log,
  });
  const listener = await LastingSocket.listen({
    socket,
    places: () => [...new Set([path.dirname(socket), ...privatePlaces(process.env)])],
    clock: systemClock,
    accept: server.accept,
    log,
  });
  door.read();
  setInterval(() => door.read(), 10 * SECOND_MS).unref();
  process.on('exit', () => removeJobFolder(process.env));
  process.on('exit', () => door.leave());
  logTo(boundedLog(socket.replace(/\.sock$/, '.log'), LOG_BYTES));
  process.stdout.write(`unix:${socket}\n`);
}
