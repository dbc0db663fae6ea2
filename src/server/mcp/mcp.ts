import { statSync } from 'node:fs';
import path from 'node:path';

import type { OpenPlace } from './openPlace.js';
import { version } from '../../../package.json';
import type { AgentTools } from '../../agent/index.js';
import { toolDefinitions } from '../../agent/definitions.js';
import {
  delay,
  type ExecBackend,
  messageOf,
  type StopOptions,
  storeWhere,
  systemClock,
  type TaskStore,
  workingDirectory,
} from '../../core/index.js';
import { greet } from '../../mcp/greeting.js';
import type { ServedTools } from '../../mcp/index.js';
import type { McpCommand } from './mcpCommandLine.js';
import { hostOnPlace, placeOpener } from './mcpPlace.js';
import { endOnSignal } from '../programEnd.js';
import { StartError } from '../listen/startError.js';

/**
 * The stop of all processes at the end. It is short, since clients kill a server that takes more than a few seconds to
 * end; the guard process then cleans up.
 */
const LAST_STOP: StopOptions = { graceMs: { interrupt: 500, hangup: 250, terminate: 500, kill: 500 } };
const LAST_STOP_LIMIT_MS = 3_000;

/** Tools, and a way to release their resources. */
type Tools = ServedTools & { dispose(): Promise<void> | void };

/**
 * Serves tools for agents on stdin and stdout until the client leaves or a signal arrives. The processes that the tools
 * have started end then, unless the session server has them.
 *
 * @throws StartError
 */
export async function runMcp(command: McpCommand, log: (line: string) => void): Promise<void> {
  const cwd = directoryOf(command);
  const openPlace = placeOpener(command.place, log);
  let opened: Promise<OpenPlace> | undefined;
  const place = () => (opened ??= openPlace());
  try {
    const tools = command.compatible
      ? await compatibleTools(await place(), cwd)
      : agentTools(command, place, cwd);
    endOnSignal(() => process.stdin.destroy());
    if (process.stdin.isTTY) {
      log('This speaks MCP on stdin and stdout, for programs. End it with Ctrl-C.');
    }
    const taskStore = storeWhere(async () => (await (await place()).backend()).tasks);
    await serve(tools, taskStore, log, () => {
      if (command.place.kind !== 'local') {
        connect(place, log);
      }
    });
    await tools.dispose();
  } finally {
    const last = opened?.then(async (open) => open.close(LAST_STOP));
    await Promise.race([last, delay(systemClock, LAST_STOP_LIMIT_MS)]);
  }
}

/** @param onBegin Called when the client has been greeted, or has to be greeted by the SDK. */
async function serve(
  tools: Tools,
  taskStore: TaskStore,
  log: (line: string) => void,
  onBegin: () => void,
): Promise<void> {
  const streams = { input: process.stdin, output: process.stdout };
  let begun = false;
  const begin = () => {
    if (!begun) {
      begun = true;
      onBegin();
    }
  };
  const greeting = await greet({ definitions: tools.definitions, version, ...streams }, begin);
  if (greeting !== undefined) {
    begin();
    const { serveMcpOverStdio } = await import('../../mcp/index.js');
    await serveMcpOverStdio({ tools, taskStore, version, ...streams, greeting, log });
  }
}

/**
 * Connects before anything is called, so that the backend is ready in time, and the user sees at the start what is
 * wrong. Each command tries again.
 */
function connect(place: () => Promise<OpenPlace>, log: (line: string) => void): void {
  place()
    .then((open) => open.backend())
    .catch((error: unknown) => log(`Error: ${messageOf(error)}`));
}

/** The tools are loaded with the first call, as is the place: a client that starts this program may never call one. */
function agentTools(
  { place: { kind }, environmentName }: McpCommand,
  openPlace: () => Promise<OpenPlace>,
  cwd: string | undefined,
): Tools {
  const load = async () => {
    const { backendHost, callWindows, createAgentTools } = await import('../../agent/index.js');
    const { findUserShell, leftByEndedServers, MachineNumbers } = await import('../../local/index.js');
    const { OutputFolder, readOwnReceipts } = await import('../../machine/index.js');
    const place = await openPlace();
    const local = kind === 'local';
    const environment = { id: local ? 'local' : 'remote', label: environmentName ?? place.label };
    const own = local ? { shell: findUserShell(process.env).path, hostEnv: process.env } : {};
    const hostOn = (backend: ExecBackend) =>
      backendHost({ environments: [{ ...environment, backend, cwd, ...own, shared: place.isShared() }] });
    return createAgentTools({
      host: hostOnPlace(place, environment, cwd, hostOn, callWindows),
      numbers: new MachineNumbers(),
      leftByOthers: local ? leftByEndedServers : undefined,
      receipts: local ? () => readOwnReceipts() : undefined,
      pastOutputs: local ? OutputFolder.of(process.env) : undefined,
    });
  };
  let loaded: Promise<AgentTools> | undefined;
  return {
    definitions: toolDefinitions,
    call: async (...call) => {
      loaded ??= load();
      return (await loaded).call(...call);
    },
    dispose: async () => (await loaded)?.dispose(),
  };
}

/** As in the reference, nothing is served without the machine. */
async function compatibleTools(place: OpenPlace, cwd: string | undefined): Promise<Tools> {
  const { unifiedExecTools } = await import('../../agent/index.js');
  const backend = await place.backend().catch((error: unknown) => {
    throw new StartError(messageOf(error), { cause: error });
  });
  const { host } = backend;
  return unifiedExecTools({ backend, cwd: cwd ?? host.cwd ?? host.homeDir ?? '/' });
}

/** @throws StartError if there is no such folder on this machine. Another machine reports that itself. */
function directoryOf({ place, cwd }: McpCommand): string | undefined {
  if (place.kind !== 'local') {
    return cwd;
  }
  const directory = path.resolve(workingDirectory(), cwd ?? '.');
  // A start says so if the current directory has been removed.
  if (cwd !== undefined && statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new StartError(`the folder ${directory} of --cwd does not exist`);
  }
  return directory;
}
