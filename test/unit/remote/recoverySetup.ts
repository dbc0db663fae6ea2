import type { ConnectionState, ExecProcess } from '../../../src/core/index.js';
import { RemoteBackend, type RemoteBackendOptions } from '../../../src/remote/index.js';
import { FakeClock } from '../../support/fakeClock.js';
import { settle } from '../../support/settle.js';
import { FakeServer } from './fakeServer.js';

/** A backend with a server whose cable can be cut. */
export async function setup(options: Partial<RemoteBackendOptions> = {}, greeting?: FakeServer['greeting']) {
  const clock = new FakeClock(1_000);
  const server = new FakeServer(() => clock.now());
  server.greeting = greeting ?? server.greeting;
  server.answer = (method, params) => {
    switch (method) {
      case 'process/start':
        return { result: { processId: params['processId'] } };
      case 'process/read':
        return { result: { chunks: [], nextSeq: 1, exited: false, closed: false } };
      case 'process/write':
        return { result: { status: 'accepted' } };
      case 'process/terminate':
        return { result: { running: true } };
      default:
        return { result: {} };
    }
  };
  const backend = await RemoteBackend.connect({
    connector: server.connector,
    clientName: 'unit',
    clock,
    ...options,
  });
  const states: ConnectionState[] = [];
  backend.onDidChangeConnection((state) => states.push(state));
  const start = (processId = 'p'): Promise<ExecProcess> =>
    backend.start({ processId, argv: ['x'], cwd: '/', env: {}, tty: false, pipeStdin: true });
  return { clock, server, backend, states, start };
}

export async function advance(clock: FakeClock, ms: number): Promise<void> {
  await settle();
  clock.advance(ms);
  await settle();
}
