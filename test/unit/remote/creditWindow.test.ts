import assert from 'node:assert/strict';

import type { ExecEvent } from '../../../src/core/index.js';
import { encodeOutputFrame } from '../../../src/protocol/index.js';
import { RemoteBackend } from '../../../src/remote/index.js';
import { FakeClock } from '../../support/fakeClock.js';
import { turns } from '../protocol/fakeTransport.js';
import { FakeServer } from './fakeServer.js';

const KIB = 1024;
/** The most that a server reads from a terminal at once. */
const LARGEST_CHUNK = 64 * KIB;

describe('The window of a process on a server', () => {
  for (const kept of [256 * KIB, 1024 * KIB, 4096 * KIB]) {
    it(`leaves room for all that is under way in a log of ${kept / KIB} KiB, while its reader is slow`, async () => {
      const clock = new FakeClock(1_000);
      const server = new FakeServer(() => clock.now());
      server.greeting = {
        environmentInfo: { platformOs: 'linux' },
        capabilities: { flow: true, outputFrames: true },
      };
      server.answer = () => ({ result: { processId: 'p' } });
      const backend = await RemoteBackend.connect({
        connector: server.connector,
        clientName: 'unit',
        clock,
        limits: { bytes: kept, chunks: 50_000 },
      });
      const process = await backend.start({ processId: 'p', argv: ['x'], cwd: '/', env: {}, tty: false });
      const { processId, windowBytes } =
        server.asked.find(({ method }) => method === 'process/start')?.params ?? {};
      const window = Number(windowBytes);
      const acknowledged = () =>
        Number(server.asked.findLast(({ method }) => method === 'process/flow')?.params['ackSeq'] ?? 0);
      const sizes: number[] = [];
      const underWay = () => sizes.slice(acknowledged()).reduce((sum, size) => sum + size, 0);
      const send = (bytes: number) => {
        sizes.push(bytes);
        assert.ok(sizes.length < 1_000, 'It acknowledges without end.');
        const frame = { processId: String(processId), seq: sizes.length, stream: 'stdout' } as const;
        server.sendBytes(
          encodeOutputFrame({ ...frame, bytes: Buffer.alloc(bytes) }) ?? assert.fail('no frame'),
        );
      };

      const events: ExecEvent[] = [];
      // It is full as soon as any output follows the first acknowledgement.
      const options = { windowBytes: window / 4 + 1, stallMs: Number.POSITIVE_INFINITY };
      const subscription = process.subscribe(options, (event) => events.push(event));
      await turns();
      while (acknowledged() === 0) {
        send(Math.min(LARGEST_CHUNK, window / 4));
      }
      send(1);
      send(1);
      while (underWay() < window - 1) {
        send(Math.min(LARGEST_CHUNK, window - 1 - underWay()));
      }
      // As the server sees it, there is room for one more, of whatever size.
      send(LARGEST_CHUNK);
      assert.ok(events.length < sizes.length, 'the reader is slow');
      while (events.length < sizes.length && events.every(({ type }) => type === 'output')) {
        subscription.acknowledge(events.length);
      }
      assert.deepEqual(
        events.map((event) => (event.type === 'output' ? event.bytes.byteLength : event.type)),
        sizes,
      );
    });
  }
});
