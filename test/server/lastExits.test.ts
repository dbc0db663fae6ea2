import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { lineTransport } from '../../src/protocol/index.js';
import { ExecServer } from '../../src/server/execServer.js';
import { LAST_EXITS_MS, NEWEST_EXITS_MS } from '../../src/server/limits.js';
import { FakeClock } from '../support/fakeClock.js';
import { until } from '../support/until.js';
import { ScriptedBackend, type ScriptedProcess } from '../support/scriptedBackend.js';
import { RawClient } from './rawClient.js';

describe('A server that ends', () => {
  let clock: FakeClock;
  let backend: ScriptedBackend;
  let server: ExecServer;
  let client: RawClient;

  beforeEach(async () => {
    clock = new FakeClock();
    backend = new ScriptedBackend(clock);
    server = new ExecServer({
      backend,
      clock,
      environment: { hostEnv: {}, cwd: '/' },
      environmentInfo: {},
      methods: {},
      reach: 'session',
      detachedMs: 1_000,
      log: (line) => assert.fail(line),
    });
    const [up, down] = [new PassThrough(), new PassThrough()];
    server.accept(lineTransport(up, down, { peer: 'test' }));
    client = new RawClient(lineTransport(down, up, { peer: 'server' }));
    await client.handshake();
    client.notify('initialized', { goodbye: true });
  });

  /** Starts a process whose exit is held back until its output has been acknowledged. */
  const start = async (processId: string): Promise<ScriptedProcess> => {
    await client.start(processId, ['x'], { windowBytes: 1 });
    const process = backend.processes.at(-1) ?? assert.fail('Nothing was started.');
    process.prints('one');
    process.prints('two');
    await client.told(processId, 'output');
    return process;
  };

  const acknowledge = (processId: string) => client.notify('process/flow', { processId, ackSeq: 2 });

  /** Tells the server to end. @returns whether it has. */
  const end = () => {
    const state = { ended: false };
    void server.shutdown('SIGTERM').finally(() => (state.ended = true));
    return state;
  };

  const untilEnded = async (state: { readonly ended: boolean }) => {
    while (!state.ended) {
      clock.advance(100);
      await nextTurn();
    }
  };

  /** The messages about processes and the end, in their order. */
  const said = (): readonly string[] =>
    client.notifications
      .filter(({ method }) => method !== 'process/output')
      .map(({ method, params }) => [method, params['processId']].filter(Boolean).join(' '));

  /** The same, with all that the server has said by now: its answer comes after that. */
  const saidByNow = async () => {
    await client.request('process/list');
    return said();
  };

  const saidGoodbye = () =>
    client.until((message) => 'method' in message && message.method === 'server/goodbye');

  it('says goodbye right after it has reported all exits', async () => {
    const [first, second] = [await start('p'), await start('q')];
    first.exits(0);
    const state = end();
    clock.advance(NEWEST_EXITS_MS);
    assert.deepEqual(await saidByNow(), []);
    second.exits(0);
    acknowledge('p');
    assert.deepEqual(await saidByNow(), ['process/exited p'], 'there is one that has come meanwhile');
    acknowledge('q');
    await saidGoodbye();
    assert.deepEqual(said(), ['process/exited p', 'process/exited q', 'server/goodbye']);
    await untilEnded(state);
  });

  it('waits a moment for exits that have not been noticed yet', async () => {
    const process = await start('p');
    acknowledge('p');
    const state = end();
    clock.advance(NEWEST_EXITS_MS - 1);
    assert.deepEqual(await saidByNow(), []);
    process.exits(0);
    clock.advance(1);
    await saidGoodbye();
    assert.deepEqual(said(), ['process/exited p', 'server/goodbye']);
    await untilEnded(state);
  });

  it('does not wait for a client that takes nothing', async () => {
    (await start('p')).exits(0);
    const state = end();
    clock.advance(NEWEST_EXITS_MS);
    assert.deepEqual(await saidByNow(), []);
    clock.advance(LAST_EXITS_MS - NEWEST_EXITS_MS - 1);
    assert.deepEqual(await saidByNow(), []);
    clock.advance(1);
    await saidGoodbye();
    await untilEnded(state);
  });

  it('does not wait for a client that leaves', async () => {
    (await start('p')).exits(0);
    const state = end();
    clock.advance(NEWEST_EXITS_MS);
    client.transport.destroy('enough');
    await client.ended;
    await until(() => state.ended);
    assert.equal(clock.now(), NEWEST_EXITS_MS);
  });
});
