import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { version } from '../../../package.json';
import { systemClock } from '../../../src/core/index.js';
import { connectMachine, type Machine, type MachineOptions } from '../../../src/machine/index.js';
import { removeFolder } from '../../rig/lifetime.js';
import { root } from '../../rig/paths.js';
import { endSessionServersIn, sessionServersOf } from '../../support/sessionServers.js';

/** A machine of its own for the length of one test, as far as session servers can tell. */
export interface MachineFixture {
  /** A folder that is removed with the test. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** The lines of the log. */
  readonly lines: readonly string[];
  /** Connects, and disconnects with the test. By default this starts a server if none runs. */
  connect(some?: Partial<MachineOptions> & { readonly start?: boolean }): Promise<Machine | undefined>;
  /** The numbers of the session servers that run. */
  servers(): Promise<readonly number[]>;
}

/** The files of the server, as they are shipped. */
export const builtFiles = path.join(root, 'dist');

/** Another version of the files, in a folder. */
export function otherFiles(folder: string): string {
  fs.cpSync(builtFiles, folder, { recursive: true });
  fs.appendFileSync(path.join(folder, 'guard.js'), '\n// Another version.\n');
  return folder;
}

/** Gives each test of the surrounding `describe` a machine of its own, whose servers end with the test. */
export function useMachine(): MachineFixture {
  let folder = '';
  let lines: string[] = [];
  const connected = new Set<Machine>();
  const servers = () => Promise.resolve(sessionServersOf(folder));
  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-m-')));
    lines = [];
    for (const name of ['run', 'tmp', 'home']) {
      fs.mkdirSync(path.join(folder, name), { mode: 0o700 });
    }
  });
  afterEach(async () => {
    connected.forEach((machine) => machine.disconnect());
    connected.clear();
    await endSessionServersIn(folder);
    removeFolder(folder);
  });
  const env = () => ({
    PATH: process.env['PATH'] ?? '/bin:/usr/bin',
    HOME: path.join(folder, 'home'),
    TMPDIR: path.join(folder, 'tmp'),
    XDG_RUNTIME_DIR: path.join(folder, 'run'),
  });
  return {
    get folder() {
      return folder;
    },
    get env() {
      return env();
    },
    get lines() {
      return lines;
    },
    servers,
    connect: async (some = {}) => {
      const machine = await connectMachine({
        version,
        files: builtFiles,
        env: env(),
        clock: systemClock,
        log: (line) => lines.push(line),
        start: true,
        ...some,
      });
      if (machine !== undefined) {
        connected.add(machine);
      }
      return machine;
    },
  };
}
