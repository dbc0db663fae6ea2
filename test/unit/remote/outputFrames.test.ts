import assert from 'node:assert/strict';

import type { OutputChunk } from '../../../src/core/index.js';
import { encodeOutputFrame } from '../../../src/protocol/index.js';
import { RemoteBackend } from '../../../src/remote/index.js';
import { textOf } from '../../support/bytes.js';
import { FakeClock } from '../../support/fakeClock.js';
import { turns } from '../protocol/fakeTransport.js';
import { FakeServer } from './fakeServer.js';

async function setup(capabilities: object) {
  const clock = new FakeClock(1_000);
  const server = new FakeServer(() => clock.now());
  server.greeting = { environmentInfo: { platformOs: 'linux' }, capabilities };
  server.answer = (method) =>
    method === 'process/read'
      ? { result: { chunks: [], nextSeq: 1, exited: false, closed: false } }
      : { result: { processId: 'p' } };
  const backend = await RemoteBackend.connect({ connector: server.connector, clientName: 'unit', clock });
  const process = await backend.start({ processId: 'p', argv: ['x'], cwd: '/', env: {}, tty: false });
  const started = server.asked.find(({ method }) => method === 'process/start');
  const sendFrame = (seq: number, text: string) => {
    const frame =
      encodeOutputFrame({
        processId: String(started?.params['processId']),
        seq,
        stream: 'stdout',
        bytes: Buffer.from(text),
      }) ?? assert.fail('no frame');
    const taken = server.sendBytes(frame);
    // The memory was lent: the next frame overwrites it.
    frame.fill(0);
    return taken;
  };
  const initialized = () =>
    server.asked.filter(({ method }) => method === 'initialized').map(({ params }) => params);
  return { server, process, sendFrame, initialized };
}

describe('Output frames', () => {
  it('are asked for in every connection to a server that announces them, and taken in order', async () => {
    const { server, process, sendFrame, initialized } = await setup({ outputFrames: true });
    const told: OutputChunk[] = [];
    process.subscribe({}, (event) => event.type === 'output' && told.push(event));
    await turns();
    assert.equal(sendFrame(2, 'b'), true);
    assert.equal(sendFrame(1, 'a'), true);
    server.cut();
    await turns();
    sendFrame(2, 'b');
    sendFrame(3, 'c');
    const { chunks } = await process.read();
    assert.equal(textOf(chunks), 'abc');
    assert.equal(textOf(told), 'abc');
    assert.deepEqual(initialized(), [{ outputFrames: true }, { outputFrames: true }]);
  });

  it('are not asked for, nor taken, where nobody announces them', async () => {
    const { process, sendFrame, initialized } = await setup({});
    assert.equal(sendFrame(1, 'a'), false);
    assert.deepEqual((await process.read()).chunks, []);
    assert.deepEqual(initialized(), [{}]);
  });
});
