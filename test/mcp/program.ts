import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { version } from '../../package.json';
import { systemClock } from '../../src/core/index.js';
import { connectMachine, type Machine } from '../../src/machine/index.js';
import { removeFolder } from '../rig/lifetime.js';
import { builtFiles } from '../server/machine/machineFixture.js';
import { ownServer } from '../support/execServer.js';
import { endSessionServersIn } from '../support/sessionServers.js';
import { makeClient, type Era } from './clients.js';

/** `exec-server mcp` in a process of its own, with the official client at its other end. */
export interface McpProgram {
  readonly client: Client;
  readonly pid: number;
  /** Its output on stderr so far. */
  readonly stderr: () => string;
}

export interface McpProgramOptions {
  readonly args?: readonly string[];
  /** Whether it joins the session server of its folder, which ends with the test. By default it is alone. */
  readonly joins?: boolean;
  /** The words in front of the program. */
  readonly prefix?: readonly string[];
  readonly era?: Era;
  /** The extensions that the client announces. */
  readonly announces?: readonly string[];
  /** The name of the client; `tester` by default. */
  readonly name?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface McpPrograms {
  /** The working directory of the programs, and their HOME, for the length of one test. */
  readonly folder: string;
  /** The variables by which programs find the session server of the folder. */
  readonly env: Readonly<Record<string, string>>;
  start(options?: McpProgramOptions): Promise<McpProgram>;
  /** Connects to that session server as a window does. It has to run, unless `start` is set. */
  connect(options?: { readonly files?: string; readonly start?: boolean }): Promise<Machine>;
}

/** Gives each test of the surrounding `describe` programs and a folder, which are removed with it. */
export function useMcpPrograms(): McpPrograms {
  let folder = '';
  let clients: Client[] = [];
  let machines: Machine[] = [];
  const env = () => ({ HOME: folder, TMPDIR: folder, XDG_RUNTIME_DIR: folder });
  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-mcp-')));
  });
  afterEach(async () => {
    await Promise.all(clients.map((client) => client.close()));
    clients = [];
    machines.forEach((machine) => machine.disconnect());
    machines = [];
    await endSessionServersIn(folder);
    removeFolder(folder);
  });
  return {
    get folder() {
      return folder;
    },
    get env() {
      return env();
    },
    connect: async ({ files = builtFiles, start = false } = {}) => {
      const found = { version, env: env(), clock: systemClock, log: () => undefined, files, start };
      const machine = await connectMachine(found);
      assert.ok(machine !== undefined, 'There is no session server.');
      machines.push(machine);
      return machine;
    },
    start: async ({
      args = [],
      joins = false,
      prefix = [],
      era = 'legacy',
      announces = [],
      name = 'tester',
      env: more = {},
    } = {}) => {
      const [command = process.execPath, ...before] = prefix;
      const program = prefix.length === 0 ? [ownServer] : [process.execPath, ownServer];
      const isElsewhere = args.includes('--connect') || args.includes('--');
      const transport = new StdioClientTransport({
        command,
        args: [...before, ...program, 'mcp', ...(joins || isElsewhere ? [] : ['--alone']), ...args],
        env: {
          PATH: process.env['PATH'] ?? '',
          ...env(),
          LANG: 'C.UTF-8',
          ...more,
        },
        cwd: folder,
        stderr: 'pipe',
      });
      let stderr = '';
      transport.stderr?.on('data', (bytes: Buffer) => (stderr += bytes.toString()));
      const client = makeClient(name, era, undefined, announces);
      clients.push(client);
      await client.connect(transport);
      return { client, pid: transport.pid ?? 0, stderr: () => stderr };
    },
  };
}
