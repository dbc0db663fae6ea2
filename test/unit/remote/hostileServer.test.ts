import assert from 'node:assert/strict';

import type { ExecEvent, ExecProcess } from '../../../src/core/index.js';
import { encodeBase64 } from '../../../src/protocol/index.js';
import { EarlyEvents } from '../../../src/remote/log/eventSorter.js';
import { RemoteBackend } from '../../../src/remote/index.js';
import { EARLY_BYTES, EARLY_EVENTS, STOP_REPEATS } from '../../../src/remote/limits.js';
import { textOf, utf8 } from '../../support/bytes.js';
import { FakeClock } from '../../support/fakeClock.js';
import { FakeServer, type Answer } from './fakeServer.js';
import { wireText } from '../../support/failures.js';
import { settle } from '../../support/settle.js';
import { NOTHING_READ, wireDescription } from '../../support/wireDescription.js';

const EVERYTHING = { flow: true, list: true, attach: true, stop: true };

async function setUp(
  answer: (method: string, params: Readonly<Record<string, unknown>>) => Answer = () => ({
    result: NOTHING_READ,
  }),
  said: object = {},
) {
  const clock = new FakeClock(1_000);
  const server = new FakeServer(() => clock.now());
  server.greeting = { environmentInfo: { platformOs: 'linux' }, capabilities: EVERYTHING, ...said };
  server.answer = (method, params) =>
    method === 'process/start' ? { result: { processId: params['processId'] } } : answer(method, params);
  const backend = await RemoteBackend.connect({ connector: server.connector, clientName: 'unit', clock });
  const start = (processId = 'p'): Promise<ExecProcess> =>
    backend.start({ processId, argv: ['x'], cwd: '/', env: {}, tty: false, pipeStdin: true });
  const asked = (method: string) => server.asked.filter((message) => message.method === method).length;
  return { clock, server, backend, start, asked };
}

function eventsOf(process: ExecProcess): ExecEvent[] {
  const events: ExecEvent[] = [];
  process.subscribe({}, (event) => void events.push(event));
  return events;
}

const chunk = (seq: number, text: string) => ({ seq, stream: 'stdout', chunk: encodeBase64(utf8(text)) });

describe('A server that counts in a way that nobody can', () => {
  const HIGH = 2 ** 53;
  const cases: Readonly<Record<string, (server: FakeServer) => void>> = {
    'with a gap': (server) =>
      server.notify('process/gap', { processId: '1-p', fromSeq: 1, throughSeq: HIGH, chunks: 1 }),
    'with output': (server) => server.notify('process/output', { processId: '1-p', ...chunk(HIGH, 'x') }),
    'with an exit': (server) =>
      server.notify('process/exited', { processId: '1-p', seq: 2 ** 64, exitCode: 0 }),
    'right below the end': (server) => {
      server.notify('process/gap', { processId: '1-p', fromSeq: 1, throughSeq: HIGH - 2, chunks: 1 });
      server.notify('process/output', { processId: '1-p', ...chunk(HIGH - 1, 'x') });
    },
  };
  for (const [title, tell] of Object.entries(cases)) {
    it(`loses that process, and no other: ${title}`, async () => {
      const { server, start } = await setUp();
      const [process, other] = [await start('p'), await start('q')];
      const events = eventsOf(process);
      await settle();
      tell(server);
      await settle();
      assert.match(wireText((await process.read()).failure), /so high that it cannot be counted/);
      assert.equal(events.at(-1)?.type, 'failed');
      assert.equal(other.info().state, 'running');
    });
  }

  it('loses a process when it says so in an answer', async () => {
    const { clock, server, start } = await setUp(() => ({ result: { ...NOTHING_READ, nextSeq: HIGH + 2 } }));
    const process = await start();
    server.cut();
    await settle();
    clock.advance(0);
    await settle();
    assert.match(wireText((await process.read()).failure), /so high that it cannot be counted/);
  });

  it('is not believed if it counts less than it has sent', async () => {
    const { server, start } = await setUp(() => ({
      result: {
        ...NOTHING_READ,
        chunks: [chunk(5, 'five')],
        nextSeq: 6,
        evicted: { bytes: 1, chunks: 4, throughSeq: 4 },
      },
    }));
    const process = await start();
    server.notify('process/output', { processId: '1-p', ...chunk(1, 'one is more') });
    server.cut();
    await settle();
    const { chunks, missing } = await process.read();
    assert.equal(textOf(chunks), 'one is morefive');
    assert.deepEqual(missing, [{ fromSeq: 2, throughSeq: 4, chunks: 3 }]);
    assert.equal(process.info().output.missing.bytes, 0);
  });
});

describe('A server that says the same again and again', () => {
  it('is not asked again without end if it repeats answers', async () => {
    const { server, start, asked } = await setUp(() => ({
      result: { ...NOTHING_READ, chunks: [chunk(1, 'again')], nextSeq: 2 },
    }));
    const process = await start();
    server.cut();
    await settle();
    assert.equal(asked('process/read'), 2);
    assert.equal(textOf((await process.read()).chunks), 'again');
  });

  it('is heard once if it repeats messages', async () => {
    const { server, start } = await setUp();
    const process = await start();
    const events = eventsOf(process);
    for (let time = 0; time < 3; time += 1) {
      server.notify('process/output', { processId: '1-p', ...chunk(1, 'x') });
      server.notify('process/exited', { processId: '1-p', seq: 2, exitCode: time });
      server.notify('process/exited', { processId: '1-p', seq: 3 + time, exitCode: 9 });
      server.notify('process/closed', { processId: '1-p', seq: 3 });
      server.notify('process/closed', { processId: '1-p', seq: 4 });
    }
    await settle();
    assert.deepEqual(
      events.map(({ type }) => type),
      ['output', 'exited', 'closed'],
    );
    assert.deepEqual(process.info().exit, { exitCode: 0 });
  });
});

describe('A server that drops every connection', () => {
  it('is not tried again at once each time, but with longer and longer waits', async () => {
    const { clock, server, backend } = await setUp();
    const drop = (state: { readonly kind: string }) => {
      if (state.kind === 'connected') queueMicrotask(() => server.cut('dropped'));
    };
    const dropping = backend.onDidChangeConnection(drop);
    server.cut();
    for (let passed = 0; passed < 5_000; passed += 50) {
      await settle();
      clock.advance(50);
    }
    await settle();
    const waits = () => server.attempts.slice(1).map((at, index) => at - (server.attempts[index] ?? 0));
    assert.deepEqual(waits(), [0, 100, 200, 400, 800, 1_000, 1_000, 1_000]);
    // A connection that has lasted for a while is recovered at once.
    dropping.dispose();
    clock.advance(1_000);
    await settle();
    assert.equal(backend.connection.kind, 'connected');
    clock.advance(1_000);
    const before = server.attempts.length;
    server.cut();
    await settle();
    assert.equal(server.attempts.length, before + 1);
  });

  it('is asked to stop a process only a few times', async () => {
    const { clock, server, start, asked } = await setUp((method) => {
      if (method === 'process/stop') {
        queueMicrotask(() => server.cut('dropped'));
        return undefined;
      }
      return { result: NOTHING_READ };
    });
    const process = await start();
    const stopped = assert.rejects(process.stop(), /connection to the exec-server was lost/);
    for (let second = 0; second < 30; second += 1) {
      await settle();
      clock.advance(1_000);
    }
    await stopped;
    assert.equal(asked('process/stop'), STOP_REPEATS + 1);
  });
});

describe('A server that tells without end before it answers', () => {
  it('is remembered up to a bound, in number and in bytes', () => {
    const many = new EarlyEvents();
    for (let seq = 1; seq <= EARLY_EVENTS * 2; seq += 1) {
      many.told({ type: 'closed', seq });
    }
    assert.equal(many.events.length, EARLY_EVENTS);
    const large = new EarlyEvents();
    for (let seq = 1; seq <= 10; seq += 1) {
      large.told({ type: 'output', seq, stream: 'pty', bytes: new Uint8Array(EARLY_BYTES / 4) });
    }
    assert.equal(large.events.length, 4);
  });

  it('is read from the point where that ends', async () => {
    const last = EARLY_EVENTS + 100;
    const { server, backend } = await setUp((method, params) => {
      if (method === 'process/attach') {
        for (let seq = 1; seq <= last; seq += 1) {
          server.notify('process/output', { processId: params['processId'], ...chunk(seq, 'x') });
        }
        return { result: { process: wireDescription('h') } };
      }
      const after = Number(params['afterSeq']);
      const rest = Array.from({ length: last - after }, (_, index) => chunk(after + 1 + index, 'y'));
      return { result: { ...NOTHING_READ, chunks: rest, nextSeq: last + 1 } };
    });
    const process = await backend.attach('h');
    await settle();
    assert.equal(textOf((await process.read()).chunks), 'x'.repeat(EARLY_EVENTS) + 'y'.repeat(100));
  });

  it('and lists what there cannot be, is read as far as it makes sense', async () => {
    const odd = [
      wireDescription('h', { size: { columns: -1, rows: 1e300 }, exitCode: 1, exitSignal: 'SIG\u001b[2J' }),
      wireDescription('h', { argv: ['again'] }),
      wireDescription('p', { argv: ['one of ours'] }),
      wireDescription('q', { processId: '9-q' }),
    ];
    const { backend, start } = await setUp((method) =>
      method === 'process/list' ? { result: { processes: odd } } : { result: NOTHING_READ },
    );
    await start('p');
    const infos = await backend.list();
    assert.deepEqual(
      infos.map(({ processId, argv }) => [processId, argv]),
      [
        ['p', ['x']],
        ['h', ['again']],
      ],
    );
    const [first] = odd;
    const alone = await setUp((method) =>
      method === 'process/list' ? { result: { processes: [first] } } : { result: NOTHING_READ },
    );
    const [info] = await alone.backend.list();
    assert.deepEqual([info?.size, info?.exit], [undefined, { exitCode: 1 }]);
  });

  it('and lists an impossible time, is not understood', async () => {
    const { backend } = await setUp(() => ({
      result: { processes: [wireDescription('h', { startedAt: 1e300 })] },
    }));
    await assert.rejects(backend.list(), /cannot be understood/);
  });
});

describe('A server that lies about itself', () => {
  it('may have any word as its platform', async () => {
    for (const platformOs of ['constructor', '__proto__', 'toString']) {
      const { backend, start } = await setUp(undefined, {
        environmentInfo: { platformOs, cwd: 'file:///w' },
      });
      assert.deepEqual(backend.host, { platform: platformOs, cwd: '/w' });
      await start();
    }
  });

  it('has a bounded number of signals with valid names', async () => {
    const signals = ['SIGUSR1', 'sigusr1', 'SIG\nX', '', `SIG${'X'.repeat(100)}`, 'SIGRTMIN+1'];
    const { backend } = await setUp(undefined, { capabilities: { signals } });
    assert.deepEqual(backend.capabilities.signals, ['SIGINT', 'SIGKILL', 'SIGUSR1', 'SIGRTMIN+1']);
    const endless = Array.from({ length: 10_000 }, (_, index) => `SIG${index}`);
    const { backend: other } = await setUp(undefined, { capabilities: { signals: endless } });
    assert.ok(other.capabilities.signals.length < 200);
  });

  it('and answers what it has announced with nonsense, disturbs nothing else', async () => {
    const { server, start } = await setUp(() => ({ result: 'what?' }), {
      capabilities: { resize: true, closeStdin: true, stop: true, signals: ['SIGUSR1'], inputMode: true },
    });
    const process = await start();
    const calls = [
      process.write(utf8('x')),
      process.stop(),
      process.terminate(),
      process.closeStdin(),
      process.signal('SIGUSR1'),
    ];
    for (const result of await Promise.allSettled(calls)) {
      assert.equal(result.status, 'rejected');
    }
    server.notify('process/output', { processId: '1-p', ...chunk(1, 'it goes on') });
    assert.equal(textOf((await process.read()).chunks), 'it goes on');
    assert.equal(process.info().state, 'running');
  });
});
