import fs from 'node:fs';
import path from 'node:path';

import { listProcesses } from '../../../src/local/marks/processTable.js';
import {
  type Connector,
  commandConnector,
  socketConnector,
  webSocketConnector,
} from '../../../src/remote/index.js';
import { startSshd } from '../../rig/sshd.js';
import { Cable, type Place } from '../../support/cable.js';
import { startCodexServer } from '../../support/codexServer.js';
import {
  command,
  ownServer,
  type RunningServer,
  startOwnServer,
  startServer,
} from '../../support/execServer.js';
import { killIfThere } from '../../support/killIfThere.js';
import { commandLine } from '../../support/processes.js';
import type { Cut } from './weather.js';

/** A server at the end of a slow cable. */
export interface Line {
  readonly cable: Cable;
  /** The way to the server through the cable. */
  readonly connector: Connector;
  /** A folder that the server's processes can see. */
  readonly folder: string;
  stop(): Promise<void>;
}

/** A way to a server on which cuts are tried. */
export interface LineKind {
  readonly name: string;
  readonly isCodex: boolean;
  /** The kinds of cuts that its sessions have to bear. */
  readonly cuts: readonly [Cut['kind'], ...Cut['kind'][]];
  open(): Promise<Line>;
}

/** A line on which one or two processes can print, and ten cannot without waiting for each other. */
const SLOWNESS = { bytesPerSecond: 1_000_000, latencyMs: 40 };

async function lineTo(
  server: RunningServer,
  target: Place,
  connectorTo: (cable: Cable) => Connector,
): Promise<Line> {
  const cable = await Cable.open(target, SLOWNESS);
  return {
    cable,
    connector: connectorTo(cable),
    folder: server.folder,
    stop: async () => {
      cable.dispose();
      await server.stop();
    },
  };
}

async function webSocketLine(server: RunningServer): Promise<Line> {
  return lineTo(server, server.port, ({ url }) => webSocketConnector({ url }));
}

async function socketLine(): Promise<Line> {
  const server = await startServer((home) => {
    const url = `unix:${path.join(home.folder, 'socket')}`;
    return command([process.execPath, ownServer, '--listen', url], home.env, { cwd: home.folder });
  });
  const target = server.url.replace(/^unix:/, '');
  return lineTo(server, target, ({ place }) => socketConnector(String(place)));
}

/** Real ssh to a real sshd, whose connection goes through the cable, and the bridge at its other end. */
async function sshLine(): Promise<Line> {
  const sshd = await startSshd();
  const cable = await Cable.open(sshd.port, SLOWNESS);
  const [ssh = 'ssh', ...rest] = sshd.argv(process.execPath, ownServer, 'bridge', '--stdio');
  return {
    cable,
    connector: commandConnector({ argv: [ssh, '-p', String(cable.place), ...rest] }),
    folder: fs.mkdtempSync(path.join(sshd.home, 'cuts-')),
    stop: async () => {
      cable.dispose();
      // The server that the bridge has started waits for other clients.
      const left = (await listProcesses()).filter(({ pid }) => commandLine(pid).includes(sshd.marker));
      for (const { pid } of left) {
        if (commandLine(pid).includes('--listen unix:')) killIfThere(pid, 'SIGTERM');
      }
      await sshd.stop();
    },
  };
}

const NOTICED = ['both', 'bytes', 'bytes', 'away', 'silence', 'half'] as const;

export const lineKinds: readonly LineKind[] = [
  {
    name: 'our server on a WebSocket',
    isCodex: false,
    cuts: NOTICED,
    open: async () => webSocketLine(await startOwnServer()),
  },
  {
    name: 'codex exec-server',
    isCodex: true,
    cuts: NOTICED,
    open: async () => webSocketLine(await startCodexServer()),
  },
  { name: 'our server on a Unix socket', isCodex: false, cuts: NOTICED, open: socketLine },
  { name: 'our server through ssh and the bridge', isCodex: false, cuts: NOTICED, open: sshLine },
];
