import assert from 'node:assert/strict';

import { RemoteBackend } from '../../../src/remote/index.js';
import { assertRejects } from '../../support/assertRejects.js';
import { FakeServer, type Answer } from './fakeServer.js';

async function setUp(answer: (method: string) => Answer) {
  const server = new FakeServer(() => 0);
  server.greeting = {
    environmentInfo: { platformOs: 'linux' },
    capabilities: { inputMode: true, portProbe: true },
  };
  server.answer = (method, params) =>
    method === 'process/start' ? { result: { processId: params['processId'] } } : answer(method);
  const backend = await RemoteBackend.connect({ connector: server.connector, clientName: 'unit' });
  const start = (tty: boolean) =>
    backend.start({ processId: 'p', argv: ['x'], cwd: '/', env: {}, tty, pipeStdin: true });
  const asked = (method: string) =>
    server.asked.filter((message) => message.method === method).map(({ params }) => params);
  return { server, backend, start, asked };
}
const mode = { canonical: true, echo: false };
const inputMode = 'process/inputMode';

describe('The input mode of a process of a server', () => {
  it('is what the server says, by the name that it has for the process', async () => {
    const { start, asked } = await setUp(() => ({ result: { mode } }));
    const process = await start(true);
    assert.deepEqual(await process.inputMode(), mode);
    assert.deepEqual(asked(inputMode), [{ processId: '1-p' }]);
  });

  it('is nothing if the server says so', async () => {
    const { start } = await setUp(() => ({ result: { mode: null } }));
    assert.equal(await (await start(true)).inputMode(), undefined);
  });

  it('is not asked for where there can be none', async () => {
    const { server, start, asked } = await setUp(() => ({ result: { mode } }));
    const pipes = await start(false);
    assert.equal(await pipes.inputMode(), undefined);
    server.notify('process/exited', { processId: '1-p', seq: 1, exitCode: 0 });
    assert.equal(await pipes.inputMode(), undefined);
    assert.deepEqual(asked(inputMode), []);
  });

  it('is asked for again when the connection ends before the answer', async () => {
    let reachable = false;
    const { server, start } = await setUp((method) => {
      if (method !== inputMode) {
        return { result: { chunks: [], nextSeq: 1, exited: false, closed: false } };
      }
      return reachable ? { result: { mode } } : undefined;
    });
    const process = await start(true);
    const answer = process.inputMode();
    await new Promise((resolve) => setImmediate(resolve));
    reachable = true;
    server.cut();
    assert.deepEqual(await answer, mode);
  });

  it('is an error if what the server says makes no sense, or it knows no such process', async () => {
    for (const odd of [{}, { mode: 'raw' }, { mode: { canonical: 1, echo: 0 } }, null, [mode]]) {
      const { start } = await setUp(() => ({ result: odd }));
      const error = await assertRejects((await start(true)).inputMode(), -32603, /./);
      assert.equal(error.failure.kind, 'badAnswer');
    }
    const { start } = await setUp(() => ({ error: { code: -32600, message: 'unknown process id 1-p' } }));
    await assertRejects((await start(true)).inputMode(), -32600, 'unknown process id p');
  });
});

describe('A look at a port of a server', () => {
  it('is asked for, unless there is no such port', async () => {
    const { backend, asked } = await setUp(() => ({ result: { listening: true } }));
    assert.equal(await backend.isListening(8080), true);
    await assertRejects(backend.isListening(0), -32602, /^port must be/);
    assert.deepEqual(asked('host/isListening'), [{ port: 8080 }]);
  });

  it('is an error if the answer makes no sense, or never comes', async () => {
    const odd = await setUp(() => ({ result: { listening: 'yes' } }));
    const error = await assertRejects(odd.backend.isListening(1), -32603, /./);
    assert.equal(error.failure.kind, 'badAnswer');
    const silent = await setUp(() => undefined);
    const lost = assert.rejects(silent.backend.isListening(1), /connection to the exec-server was lost/);
    silent.backend.disconnect();
    await lost;
  });
});
