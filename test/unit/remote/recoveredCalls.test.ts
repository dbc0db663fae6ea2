import assert from 'node:assert/strict';

import { isExecError } from '../../../src/core/index.js';
import { assertRejects } from '../../support/assertRejects.js';
import { settle } from '../../support/settle.js';
import { advance, setup } from './recoverySetup.js';

describe('A call over a connection that ends', () => {
  it('does not start again what had no answer, and ends what may have started', async () => {
    const { clock, server, start } = await setup();
    server.answer = () => undefined;
    const starting = start();
    await settle();
    server.answer = () => ({ result: { running: true } });
    const rejected = assertRejects(starting, -32603, 'exec-server transport disconnected: the cable was cut');
    server.cut();
    await advance(clock, 0);
    await rejected;
    assert.deepEqual(server.methods(2), ['process/terminate']);
  });

  it('tells waiting calls that this side has closed it', async () => {
    const { server, backend, start } = await setup();
    const process = await start();
    const usual = server.answer;
    server.answer = (method, params) => (method === 'process/signal' ? undefined : usual(method, params));
    const signalled = process.signal('SIGINT').then(
      () => undefined,
      (error: unknown) => error,
    );
    await settle();
    backend.disconnect();
    const error = await signalled;
    assert.ok(isExecError(error) && error.failure.kind === 'disconnected');
    assert.deepEqual(error.failure.reason, { kind: 'closedHere' });
  });

  it('does not repeat a signal whose effect is unknown', async () => {
    const { clock, server, start } = await setup();
    const process = await start();
    const usual = server.answer;
    server.answer = (method, params) => (method === 'process/signal' ? undefined : usual(method, params));
    const rejected = assert.rejects(process.signal('SIGINT'), /connection to the exec-server was lost/);
    await settle();
    server.cut();
    await advance(clock, 0);
    await rejected;
    assert.ok(!server.methods(2).includes('process/signal'));
  });

  it('tells the server only the newest size', async () => {
    const { clock, server, backend } = await setup(
      {},
      {
        environmentInfo: { platformOs: 'linux' },
        capabilities: { resize: true },
      },
    );
    const process = await backend.start({ processId: 'p', argv: ['x'], cwd: '/', env: {}, tty: true });
    server.reach = 'refuse';
    server.cut();
    await advance(clock, 0);
    const sizes = [1, 2, 3].map((columns) => process.resize({ columns, rows: 1 }));
    server.reach = 'ok';
    await advance(clock, 100);
    await Promise.all(sizes);
    const told = server.asked.filter(({ method }) => method === 'process/resize');
    assert.deepEqual(
      told.map(({ params }) => params['size']),
      [{ columns: 3, rows: 1 }],
    );
  });

  it('keeps no call waiting for longer than its time', async () => {
    const { clock, server, start } = await setup({ recovery: { limitMs: 1_000_000 } });
    const process = await start();
    server.reach = 'refuse';
    server.cut();
    await settle();
    const rejected = assert.rejects(process.terminate(), /did not answer within 60 seconds/);
    await advance(clock, 60_000);
    await rejected;
  });
});
