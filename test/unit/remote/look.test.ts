import assert from 'node:assert/strict';

import { RemoteBackend } from '../../../src/remote/index.js';
import { assertRejects } from '../../support/assertRejects.js';
import { FakeServer, type Answer } from './fakeServer.js';

async function setUp(answer: (method: string) => Answer) {
  const server = new FakeServer(() => 0);
  server.greeting = {
    environmentInfo: { platformOs: 'linux' },
    capabilities: { inputMode: true, inputWait: true, portProbe: true, listeners: true },
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

describe('The wait for input of a process of a server', () => {
  const inputWait = 'process/inputWait';
  const wait = { kind: 'line', question: 'Proceed?' };

  it('is what the server says, with a terminal and without, and nothing after the exit', async () => {
    for (const tty of [true, false]) {
      const { server, start, asked } = await setUp(() => ({ result: { wait } }));
      const process = await start(tty);
      assert.deepEqual(await process.inputWait(), wait);
      server.notify('process/exited', { processId: '1-p', seq: 1, exitCode: 0 });
      assert.equal(await process.inputWait(), undefined);
      assert.deepEqual(asked(inputWait), [{ processId: '1-p' }]);
    }
  });

  it('is nothing if the server says so, and an error if that makes no sense', async () => {
    const { start } = await setUp(() => ({ result: { wait: null } }));
    assert.equal(await (await start(true)).inputWait(), undefined);
    for (const odd of [
      {},
      { wait: 'line' },
      { wait: { kind: 'more' } },
      { wait: { kind: 'line', question: 1 } },
    ]) {
      const { start } = await setUp(() => ({ result: odd }));
      const error = await assertRejects((await start(true)).inputWait(), -32603, /./);
      assert.equal(error.failure.kind, 'badAnswer');
    }
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

describe('The listener at a port of a server', () => {
  const listeners = 'process/listeners';
  const seen = { addresses: ['::1'], pid: 7, command: 'node', user: 'me', own: false, later: true };

  it('is what the server says, by our ids of processes, or the handles of others', async () => {
    const { start, asked } = await setUp(() => ({
      result: {
        listeners: [
          { addresses: [], own: true, handle: 'h1', processId: '1-p' },
          { ...seen, handle: 'h2' },
          { ...seen, handle: 'h3', processId: '12-a-b' },
        ],
      },
    }));
    assert.deepEqual(await (await start(false)).listeners(8080), [
      { addresses: [], own: true, processId: 'p' },
      { ...seen, processId: 'h2' },
      { ...seen, processId: 'a-b' },
    ]);
    assert.deepEqual(asked(listeners), [{ processId: '1-p', port: 8080 }]);
  });

  it('is not asked for where there is no such port, and is an error if the answer makes no sense', async () => {
    for (const odd of [{}, { listeners: [{ addresses: '::1', own: true }] }, { listeners: [{}] }]) {
      const { start, asked } = await setUp(() => ({ result: odd }));
      const process = await start(false);
      await assertRejects(process.listeners(0), -32602, /^port must be/);
      assert.deepEqual(asked(listeners), []);
      assert.equal((await assertRejects(process.listeners(1), -32603, /./)).failure.kind, 'badAnswer');
    }
  });
});

describe('A look at a port of a server that has nothing for it', () => {
  const head =
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
  const row = (local: string, state: string) =>
    `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000     0        0 7 1 x 100 0 0 10 0\n`;
  const connect = async (platformOs: string, tables: Readonly<Record<string, string>>) => {
    const server = new FakeServer(() => 0);
    server.greeting = { environmentInfo: { platformOs } };
    server.answer = (_method, params) => {
      const table = tables[String(params['path'])];
      return table === undefined
        ? { error: { code: -32004, message: 'no such file' } }
        : { result: { dataBase64: Buffer.from(head + table).toString('base64') } };
    };
    return RemoteBackend.connect({ connector: server.connector, clientName: 'unit' });
  };

  it('reads the sockets that Linux lists, and counts only listening ones', async () => {
    const backend = await connect('linux', {
      'file:///proc/net/tcp': row('0100007F:1F90', '0A') + row('0100007F:1F91', '01'),
      'file:///proc/net/tcp6': row('00000000000000000000000000000000:1F92', '0A'),
    });
    assert.equal(backend.capabilities.portProbe, 'list');
    const told = await Promise.all([8080, 8081, 8082, 8083].map((port) => backend.isListening(port)));
    assert.deepEqual(told, [true, false, true, false]);
  });

  it('does without IPv6, and says that it cannot tell where there is no list', async () => {
    const four = await connect('linux', { 'file:///proc/net/tcp': row('0100007F:1F90', '0A') });
    assert.equal(await four.isListening(8080), true);
    const none = await connect('linux', {});
    await assert.rejects(none.isListening(8080), /no such file/);
    const mac = await connect('macos', {});
    assert.equal(mac.capabilities.portProbe, false);
    await assertRejects(mac.isListening(8080), -32600, 'the exec-server does not support portProbe');
  });
});
