import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';

import { Cable } from '../support/cable.js';
import { codexStdioServer, startCodexServer } from '../support/codexServer.js';
import {
  ownServer,
  ownStdioServer,
  startOwnServer,
  type RunningServer,
  type ServerOptions,
} from '../support/execServer.js';
import type { ClientOptions, ClientRun, SandboxMode } from './codexClient.js';
import { NOBODY } from '../support/otherUser.js';
import type { Step } from './modelServer.js';
import { useWorkspace, Workspace } from './workspace.js';

/** A server that the real client has to work with. */
interface Maker {
  readonly name: string;
  readonly ours?: boolean;
  /** On a busy machine a tenth of 4 MB was missing once between the real server and the real client. */
  readonly mayLoseOutput?: boolean;
  start(options: ServerOptions): Promise<RunningServer>;
  /** The command line of a server for a client that starts it and speaks through its stdin and stdout. */
  stdio(uid?: number): Promise<readonly [string, ...string[]]>;
}

/** A kind of server, with what the client allows the commands there. */
export interface InteropServer extends Maker {
  readonly sandbox: SandboxMode;
  /** The user of the server, by default that of the tests. */
  readonly uid?: number;
}

/** The real server proves that the tests are right, and they then judge ours. */
const makers: readonly Maker[] = [
  { name: 'codex exec-server', mayLoseOutput: true, start: startCodexServer, stdio: codexStdioServer },
  ...(fs.existsSync(ownServer)
    ? [
        {
          name: 'our exec-server',
          ours: true,
          start: startOwnServer,
          stdio: (uid?: number) => Promise.resolve(ownStdioServer(uid)),
        },
      ]
    : []),
];

const unbounded: readonly InteropServer[] = makers.map((maker) => ({
  ...maker,
  sandbox: 'danger-full-access',
}));

/** Both modes and both users run in `test:all`, each once. */
function tagOf(sandbox: SandboxMode, uid: number | undefined): string {
  const hasOneUser = process.getuid?.() !== 0;
  return hasOneUser || (sandbox === 'workspace-write') === (uid === NOBODY) ? '' : ' @long';
}

/** The same in a sandbox. An ordinary user needs other mounts than root does. */
const bounded: readonly InteropServer[] = (['workspace-write', 'read-only'] as const).flatMap((sandbox) =>
  (process.getuid?.() === 0 ? [undefined, NOBODY] : [undefined]).flatMap((uid) =>
    makers.map(({ name, ...maker }) => ({
      ...maker,
      name: `${name} (${sandbox}, as ${uid === undefined ? os.userInfo().username : 'nobody'})${tagOf(sandbox, uid)}`,
      sandbox,
      ...(uid !== undefined && { uid }),
    })),
  ),
);

export const interopServers: readonly InteropServer[] = [...unbounded, ...bounded];

/** The equipment of a test: a workspace, a server of its own, and the real client to run against it. */
export class Bench extends Workspace {
  /**
   * The value of the variable MARK in the server's environment. The client does not have it, so a command that can
   * print it ran on the server.
   */
  readonly mark = `mark-${randomUUID()}`;
  readonly #kind: InteropServer;
  readonly #options: ServerOptions;
  #servers: RunningServer[] = [];
  #cables: Cable[] = [];

  constructor(kind: InteropServer, options: ServerOptions) {
    super(kind);
    this.#kind = kind;
    this.#options = options;
  }

  get server(): RunningServer {
    return this.#servers[0] ?? assert.fail('There is a server only while a test runs.');
  }

  /** Starts a server with the mark, which ends with the test. */
  async startServer(): Promise<RunningServer> {
    const server = await this.#kind.start({
      ...this.#options,
      uid: this.#kind.uid,
      env: { ...this.#options.env, MARK: this.mark },
    });
    this.#servers.push(server);
    return server;
  }

  /** Opens a cable to the server for the client, which is removed with the test. */
  async openCable(): Promise<Cable> {
    const cable = await Cable.open(this.server.port);
    this.#cables.push(cable);
    return cable;
  }

  /** Runs the client against the server, through the cable if there is one. */
  run(script: readonly Step[], options: Partial<ClientOptions> = {}): Promise<ClientRun> {
    return this.runIn({ url: (this.#cables[0] ?? this.server).url }, script, options);
  }

  /** The output of this test's servers on stderr. */
  get stderr(): string {
    return this.#servers.map((server) => server.stderr()).join('');
  }

  async stopServers(): Promise<void> {
    for (const cable of this.#cables) cable.dispose();
    this.#cables = [];
    const servers = this.#servers;
    this.#servers = [];
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** Gives each test of the surrounding `describe` a new server, and ends it after the test in any case. */
export function useServer(kind: InteropServer, options: ServerOptions = {}): Bench {
  const bench = new Bench(kind, options);
  useWorkspace(bench);
  beforeEach(() => bench.startServer());
  afterEach(async function () {
    if (this.currentTest?.state === 'failed' && bench.stderr !== '') {
      process.stdout.write(`The server said:\n${bench.stderr}\n`);
    }
    await bench.stopServers();
  });
  return bench;
}
