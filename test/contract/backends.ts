import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import type {
  Clock,
  ExecBackend,
  ExecProcess,
  ExitStatus,
  Sandbox,
  StartParams,
} from '../../src/core/index.js';
import { LocalBackend, Sandboxes } from '../../src/local/index.js';
import {
  commandConnector,
  RemoteBackend,
  socketConnector,
  webSocketConnector,
  type Connector,
  type RemoteBackendOptions,
} from '../../src/remote/index.js';
import { codexStdioServer, ifCodex, startCodexServer } from '../support/codexServer.js';
import {
  command,
  makeServerHome,
  ownServer,
  ownStdioServer,
  startOwnServer,
  startServer,
  type RunningServer,
} from '../support/execServer.js';
import { params } from '../support/startParams.js';
import { deviationOf, type ServerName } from './deviations.js';

/** A backend for the length of one test. */
export interface TestBackend {
  readonly backend: ExecBackend;
  readonly dispose: () => Promise<void>;
}

export interface TestBackendOptions {
  readonly retentionMs?: number;
  readonly clock?: Clock;
}

/** A kind of backend that has to keep the contract. */
export interface BackendKind {
  readonly name: string;
  /** The maker of the exec-server, if the backend has one. */
  readonly server?: ServerName;
  /** Everything runs in it. */
  readonly sandbox?: Sandbox;
  create(options?: TestBackendOptions): Promise<TestBackend>;
  /** Makes a backend that has a server of its own. The server can be killed, and its loss is reported at once. */
  readonly createMortal?: () => Promise<MortalBackend>;
}

export interface MortalBackend extends TestBackend {
  readonly killServer: () => Promise<void> | void;
}

const local: BackendKind = {
  name: 'local',
  create: (options) => {
    const backend = new LocalBackend(options);
    return Promise.resolve({ backend, dispose: () => backend.shutdown({ graceMs: FAST }) });
  },
};

/** Everything runs in a sandbox that lets it write where tests do. Only Linux has one. */
function sandboxed({ network }: { readonly network: boolean }): readonly BackendKind[] {
  if (process.platform !== 'linux') return [];
  const sandbox: Sandbox = { places: [{ path: os.tmpdir(), access: 'write' }], network };
  const kind: BackendKind = {
    name: 'sandboxed',
    sandbox,
    create: (options) => {
      const own = path.join(os.tmpdir(), 'sandboxes');
      const sandboxes = new Sandboxes({ own, covered: [], readOnly: [], sockets: [] });
      const backend = new (class extends LocalBackend {
        override start(params: StartParams): Promise<ExecProcess> {
          return super.start({ ...params, sandbox });
        }
      })({ ...options, sandboxes });
      return Promise.resolve({ backend, dispose: () => backend.shutdown({ graceMs: FAST }) });
    },
  };
  return [kind];
}

/** A backend that is reached through an exec-server. */
function remote(name: string, server: ServerName, ways: Ways): BackendKind {
  const create = async (reach: Reach, options: Omit<RemoteBackendOptions, 'connector' | 'clientName'>) => {
    const { connector, stop } = reach;
    const backend = await RemoteBackend.connect({ connector, clientName: 'contract', ...options });
    const dispose = async () => {
      await backend.shutdown({ graceMs: FAST });
      await stop?.();
    };
    return { backend, dispose };
  };
  return {
    name,
    server,
    create: async (options = {}) => create(await (ways.shared ?? ways.own)(), options),
    createMortal: async () => {
      const reach = await ways.own();
      return { ...(await create(reach, { recovery: { limitMs: 0 } })), killServer: reach.kill };
    },
  };
}

interface Reach {
  readonly connector: Connector;
  /** Ends everything that was started for this test alone. */
  readonly stop?: () => Promise<void>;
}

interface Ways {
  readonly own: () => Promise<Reach & { readonly kill: () => Promise<void> | void }>;
  /** One server for all tests, because each has a connection session of its own. */
  readonly shared?: () => Promise<Reach>;
}

function overWebSocket(start: () => Promise<RunningServer>): Ways {
  return overServers(start, ({ url }) => webSocketConnector({ url }));
}

function overServers(
  start: () => Promise<RunningServer>,
  connectorTo: (server: RunningServer) => Connector,
): Required<Ways> {
  let common: Promise<RunningServer> | undefined;
  after(async () => {
    await (await common)?.stop();
    common = undefined;
  });
  return {
    own: async () => {
      const server = await start();
      return { connector: connectorTo(server), stop: () => server.stop(), kill: () => server.kill() };
    },
    shared: async () => ({ connector: connectorTo(await (common ??= start())) }),
  };
}

/** A server that its client starts. It ends with its connection, and its home is removed with the test. */
function overStdio(argv: () => readonly string[] | Promise<readonly string[]>): Ways {
  return {
    own: async () => {
      const home = makeServerHome();
      const { env, folder } = home;
      const pidFile = path.join(folder, 'pid');
      const connector = commandConnector({
        argv: ['/bin/sh', '-c', 'echo $$ >"$0"; exec "$@"', pidFile, ...(await argv())],
        cwd: folder,
        env: { ...env, CODEX_HOME: env['HOME'] },
      });
      const kill = () => void process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL');
      return { connector, stop: () => home.remove(), kill };
    },
  };
}

/** On a private socket all processes belong to one owner, so each test removes those that it has left. */
function overSocket(): Ways {
  const start = () =>
    startServer((home) => {
      const url = `unix:${path.join(home.folder, 'socket')}`;
      return command([process.execPath, ownServer, '--listen', url], home.env, { cwd: home.folder });
    });
  const connectorTo = ({ url }: RunningServer) => socketConnector(url.replace(/^unix:/, ''));
  const { own, shared } = overServers(start, connectorTo);
  return {
    own,
    shared: async () => {
      const { connector } = await shared();
      return { connector, stop: () => removeProcesses(connector) };
    },
  };
}

async function removeProcesses(connector: Connector): Promise<void> {
  const backend = await RemoteBackend.connect({ connector, clientName: 'contract' });
  for (const { processId } of await backend.list()) {
    await backend.stop(processId, { graceMs: FAST });
    await backend.remove(processId);
  }
  await backend.shutdown();
}

/**
 * The kinds that are tested. The kinds without a tag cover the important cases: both ways of processes, and both kinds
 * of sessions.
 */
export const backendKinds: readonly BackendKind[] = [
  local,
  remote('own server (WebSocket)', 'own', overWebSocket(startOwnServer)),
  remote('own server (socket)', 'own', overSocket()),
  remote('own server (stdio) @all', 'own', overStdio(ownStdioServer)),
  ...ifCodex(
    remote('codex exec-server (WebSocket) @all', 'codex', overWebSocket(startCodexServer)),
    remote('codex exec-server (stdio) @all', 'codex', overStdio(codexStdioServer)),
  ),
];

/** The kinds that the contract is for. */
export const contractKinds: readonly BackendKind[] = [...backendKinds, ...sandboxed({ network: false })];

/** The same for tests of programs that listen. */
export const listeningKinds: readonly BackendKind[] = [...backendKinds, ...sandboxed({ network: true })];

/** The status of a program that a signal has ended. In a sandbox only its number is known, unless all are killed. */
export function endedBy({ sandbox }: BackendKind, signal: string, exitCode: number): ExitStatus {
  return sandbox === undefined || signal === 'SIGKILL' ? { exitCode, signal } : { exitCode };
}

/** The fixture of the tests in one `describe`: a new backend for each of them. */
export interface BackendFixture {
  readonly backend: ExecBackend;
  readonly start: (some: Partial<StartParams> & { readonly argv: readonly string[] }) => Promise<ExecProcess>;
}

/** Gives each test of the surrounding `describe` a backend of its own, which is shut down after it. */
export function useBackend(kind: BackendKind): BackendFixture {
  let current: TestBackend | undefined;
  beforeEach(async () => {
    current = await kind.create();
  });
  afterEach(() => current?.dispose());
  const fixture: BackendFixture = {
    get backend() {
      return current?.backend ?? assert.fail('There is a backend only while a test runs.');
    },
    start: (some) => fixture.backend.start(params(some)),
  };
  return fixture;
}

/** Makes backends for tests that need a certain kind; all of them are disposed of after each test. */
export function useBackends(kind: BackendKind): (options?: TestBackendOptions) => Promise<ExecBackend> {
  const disposed = useDisposal();
  return async (options) => disposed(await kind.create(options)).backend;
}

/** The same for backends whose server can be killed. */
export function useMortalBackends(kind: BackendKind): () => Promise<MortalBackend> {
  const disposed = useDisposal();
  return async () => disposed(await (kind.createMortal?.() ?? assert.fail('It has no server.')));
}

function useDisposal(): <T extends TestBackend>(made: T) => T {
  const all: TestBackend[] = [];
  afterEach(async () => {
    await Promise.all(all.splice(0).map(({ dispose }) => dispose()));
  });
  return (made) => {
    all.push(made);
    return made;
  };
}

/** Declares a test. If the server has a known deviation, that is tested instead. */
export type DeclareTest = (title: string, run: () => Promise<void> | void) => void;

/** The `it` of a kind. */
export function testsOf(kind: BackendKind): DeclareTest {
  return (title, run) => {
    it(title, async function () {
      const deviation = deviationOf(kind, this.test?.titlePath() ?? []);
      if (deviation === undefined) {
        await run();
        return;
      }
      const { backend, dispose } = await kind.create();
      try {
        const start: BackendFixture['start'] = (some) => backend.start(params(some));
        await deviation.instead({ backend, start });
      } finally {
        await dispose();
      }
    });
  };
}

/** Kills at once: a test's own processes need no graceful end. */
const FAST = { interrupt: 0, hangup: 0, terminate: 0 };
