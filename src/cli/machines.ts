import { version } from '../../package.json';
import { isExecError } from '../core/index.js';
import { connectMachine, connectTo, exposedFolders, findSockets, type Machine } from '../machine/index.js';
import { lostServers } from './lostServers.js';
import { CliError, ExitCode, UnknownSession } from './exitCodes.js';
import { type Console, remark } from './console.js';

/** The session servers that can be talked to. */
export interface Machines {
  readonly machines: readonly Machine[];
  /** Whether there is one that cannot be reached now. Then it is not known what else runs. */
  readonly incomplete: boolean;
}

/**
 * Connects to every session server of this user that runs, those of other versions too. It starts no server. A
 * server that cannot be talked to is named on standard error and left out. So is a server in a folder that is open to
 * others.
 */
export async function openMachines(console: Console): Promise<Machines> {
  const { env, clock } = console;
  const exposed = exposedFolders(env);
  let incomplete = exposed.length > 0;
  for (const folder of exposed) {
    remark(
      console,
      `exec-sessions: the sessions in ${folder} are left out: others can get into that folder. "chmod 700 ${folder}" brings them back.`,
    );
  }
  const machines = await Promise.all(
    findSockets(env).map(async (server) => {
      try {
        return await connectTo(server, { env, clock, log: () => undefined });
      } catch (error) {
        if (!isExecError(error)) {
          throw error;
        }
        remark(console, `exec-sessions: a session server is left out. ${error.message}`);
        incomplete = true;
        return undefined;
      }
    }),
  );
  const found = machines.filter((machine) => machine !== undefined);
  incomplete ||= found.length === 0 && (await lostServers(console, [])).length > 0;
  return { machines: found, incomplete };
}

/** Connects to the session server of this version. Starts it if it does not run. */
export async function startMachine(console: Console): Promise<Machine> {
  const { env, clock } = console;
  let connected = false;
  const log = (line: string) => {
    // Later failures of the connection are told by the calls that fail with it.
    if (!connected) {
      remark(console, `exec-sessions: ${line}`);
    }
  };
  const machine = await connectMachine({ version, files: __dirname, env, clock, log, start: true });
  connected = true;
  if (machine === undefined) {
    throw new CliError('The session server could not be started. Try again.');
  }
  return machine;
}

/**
 * Does something with all session servers, and disconnects.
 *
 * @throws CliError that a session may be on a server that cannot be reached, if the others do not have it.
 * @throws what `work` throws
 */
export async function withMachines<T>(
  console: Console,
  work: (machines: readonly Machine[], incomplete: boolean) => Promise<T>,
): Promise<T> {
  const { machines, incomplete } = await openMachines(console);
  try {
    return await work(machines, incomplete);
  } catch (error) {
    throw incomplete && error instanceof UnknownSession
      ? new CliError(
          `"${error.selector}" may be on a session server that cannot be reached now: no other one has it.`,
          ExitCode.failed,
        )
      : error;
  } finally {
    machines.forEach((machine) => machine.disconnect());
  }
}
