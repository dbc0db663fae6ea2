import fs from 'node:fs';

import { version } from '../../package.json';
import { systemClock } from '../../src/core/index.js';
import { connectMachine, type Machine } from '../../src/machine/index.js';

/** The variables of programs on a machine of its own, with all its private places in one folder. */
export function machineEnv(folder: string): Readonly<Record<string, string>> {
  return {
    PATH: process.env['PATH'] ?? '/bin:/usr/bin',
    HOME: folder,
    TMPDIR: folder,
    XDG_RUNTIME_DIR: folder,
  };
}

/** Connects to the session server of such a machine, which is started if none runs, with the files of a build. */
export async function startMachine(folder: string, dist: string): Promise<Machine> {
  const machine = await connect(folder, dist, true);
  if (machine === undefined) throw new Error('There is no session server.');
  return machine;
}

/** The same where one runs; undefined elsewhere. */
export function findMachine(folder: string, dist: string): Promise<Machine | undefined> {
  return connect(folder, dist, false);
}

function connect(folder: string, files: string, start: boolean): Promise<Machine | undefined> {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const env = machineEnv(folder);
  return connectMachine({ version, files, env, clock: systemClock, log: () => undefined, start });
}
