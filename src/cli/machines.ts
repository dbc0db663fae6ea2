import { version } from '../../package.json';
import { isExecError } from '../core/index.js';
import { connectMachine, connectTo, exposedFolders, findSockets, type Machine } from '../machine/index.js';
import { CliError } from './exitCodes.js';
import { type Console, remark } from './console.js';

/**
 * Connects to every session server of this user that runs, those of other versions too. It starts no server. A
 * server that cannot be talked to is named on standard error and left out. So is a server in a folder that is open to
 * others.
 */
export async function openMachines(console: Console): Promise<readonly Machine[]> {
  const { env, clock } = console;
  for (const folder of exposedFolders(env)) {
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
        return undefined;
      }
    }),
  );
  return machines.filter((machine) => machine !== undefined);
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
 * @throws what `work` throws
 */
export async function withMachines<T>(
  console: Console,
  work: (machines: readonly Machine[]) => Promise<T>,
): Promise<T> {
  const machines = await openMachines(console);
  try {
    return await work(machines);
  } finally {
    machines.forEach((machine) => machine.disconnect());
  }
}
