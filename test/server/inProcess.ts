import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { type Clock, ExecError, type LogLimits } from '../../src/core/index.js';
import { LocalBackend, type LocalBackendOptions } from '../../src/local/index.js';
import { lineTransport } from '../../src/protocol/index.js';
import { ExecServer, type ExecServerOptions } from '../../src/server/execServer.js';
import { fileSystemMethods } from '../../src/server/methods/fileSystem/index.js';
import { FakeClock } from '../support/fakeClock.js';
import { RawClient } from './rawClient.js';

/** A server in this process whose clock stands still, with clients on streams. */
export interface InProcessServer {
  readonly clock: FakeClock;
  readonly backend: LocalBackend;
  /** A client that has sent nothing yet. */
  connect(): RawClient;
  /** A client after the handshake. */
  client(resumeSessionId?: string): Promise<RawClient>;
  /** The faults that the server has reported in itself. */
  readonly faults: readonly string[];
}

export interface InProcessOptions extends Partial<
  Pick<
    ExecServerOptions,
    'reach' | 'whenIdle' | 'keepWithoutClient' | 'methods' | 'initializeLimitMs' | 'quotas'
  >
> {
  readonly limits?: LogLimits;
  readonly backendClock?: Clock;
  /** Makes a backend that behaves differently. */
  readonly makeBackend?: (options: LocalBackendOptions) => LocalBackend;
  /** Variables in addition to the usual ones of a server here. */
  readonly hostEnv?: Readonly<Record<string, string>>;
}

export const DETACHED_MS = 80_000;

/** The file methods of a server without sandboxes. */
export const fileMethods = fileSystemMethods(() =>
  Promise.reject(new ExecError({ kind: 'noSandbox', reason: 'missing' })),
);

/** Ends a server, whose clock moves on until it has ended. */
async function shutdown(server: ExecServer, clock: FakeClock): Promise<void> {
  const state = { ended: false };
  const over = server.shutdown().finally(() => (state.ended = true));
  while (!state.ended) {
    clock.advance(1);
    await nextTurn();
  }
  await over;
}

/** Gives each test of the surrounding `describe` a server of its own. */
export function useServer(options: InProcessOptions = {}): InProcessServer {
  let current: { server: ExecServer; clock: FakeClock; backend: LocalBackend } | undefined;
  const faults: string[] = [];
  beforeEach(() => {
    const clock = new FakeClock();
    const hostEnv = {
      PATH: process.env['PATH'],
      HOST_VARIABLE: 'of the server',
      ...options.hostEnv,
    };
    const makeBackend = options.makeBackend ?? ((own: LocalBackendOptions) => new LocalBackend(own));
    const backend = makeBackend({
      retentionMs: DETACHED_MS,
      clock: options.backendClock ?? clock,
      hostEnv,
      ...(options.limits && { limits: options.limits }),
    });
    const server = new ExecServer({
      backend,
      clock,
      environment: { hostEnv, cwd: '/' },
      environmentInfo: { platformOs: 'linux' },
      methods: options.methods ?? {},
      reach: options.reach ?? 'session',
      detachedMs: DETACHED_MS,
      whenIdle: options.whenIdle,
      keepWithoutClient: options.keepWithoutClient,
      initializeLimitMs: options.initializeLimitMs,
      quotas: options.quotas,
      log: (line) => faults.push(line),
    });
    current = { server, clock, backend };
    faults.length = 0;
  });
  afterEach(async () => {
    if (current !== undefined) {
      await shutdown(current.server, current.clock);
    }
    if (faults.length > 0) {
      throw new Error(faults.join('\n'));
    }
  });
  const now = () => {
    if (current === undefined) {
      throw new Error('There is a server only while a test runs.');
    }
    return current;
  };
  const fixture: InProcessServer = {
    faults,
    get clock() {
      return now().clock;
    },
    get backend() {
      return now().backend;
    },
    connect: () => {
      const up = new PassThrough();
      const down = new PassThrough();
      now().server.accept(lineTransport(up, down, { peer: 'test' }));
      return new RawClient(lineTransport(down, up, { peer: 'server' }));
    },
    client: async (resumeSessionId) => {
      const client = fixture.connect();
      await client.handshake(resumeSessionId);
      return client;
    },
  };
  return fixture;
}
