import assert from 'node:assert/strict';
import path from 'node:path';

import { decodeOutputFrame, type WireOutput } from '../../src/protocol/index.js';
import { unixClient, usePrograms, webSocketClient } from './program.js';
import { sh, type RawClient, type RawNotification } from './rawClient.js';

/**
 * The numbers of all notifications about a client's only process from now on, as frames or not, in the order of their
 * arrival.
 */
function listenToNumbers({ transport }: RawClient): number[] {
  const numbers: number[] = [];
  const { onMessage, onBytes } = transport;
  transport.onBytes = (bytes) => {
    numbers.push(decodeOutputFrame(bytes)?.seq ?? assert.fail('It is no output.'));
    onBytes?.(bytes);
  };
  transport.onMessage = (text) => {
    const { params } = JSON.parse(text) as Partial<RawNotification>;
    if (params !== undefined) {
      numbers.push(Number(params['seq']));
    }
    onMessage(text);
  };
  return numbers;
}

/** The output that arrives in frames from now on. */
function listenToFrames(client: RawClient): WireOutput[] {
  const frames: WireOutput[] = [];
  client.transport.onBytes = (bytes) =>
    // The memory is lent, so it is copied.
    frames.push(decodeOutputFrame(Buffer.from(bytes)) ?? assert.fail('It is no output.'));
  return frames;
}

describe('Output frames', () => {
  const programs = usePrograms();
  const connections: readonly [name: string, connect: () => Promise<RawClient>][] = [
    ['a WebSocket', async () => webSocketClient(await programs.run(['--listen', 'ws://127.0.0.1:0']).ready)],
    [
      'a Unix socket',
      async () => {
        const file = path.join(programs.folder, 'socket');
        await programs.run(['--listen', `unix:${file}`]).ready;
        return unixClient(file);
      },
    ],
  ];

  for (const [name, connect] of connections) {
    it(`come over ${name} to a client that has asked for them, numbered with all else`, async () => {
      const client = await connect();
      const frames = listenToFrames(client);
      const numbers = listenToNumbers(client);
      await client.request('initialize', { clientName: 'test' });
      client.notify('initialized', { outputFrames: true });
      await client.start('p', sh('printf out; printf err >&2; seq 100000'));
      const { params } = await client.told('p', 'closed');
      assert.deepEqual(numbers, numbersThrough(params['seq']));
      assert.deepEqual(new Set(frames.map(({ processId }) => processId)), new Set(['p']));
      const text = (stream: string) =>
        Buffer.concat(frames.flatMap((frame) => (frame.stream === stream ? [frame.bytes] : []))).toString();
      const counted = Array.from({ length: 100_000 }, (_, index) => `${index + 1}\n`).join('');
      assert.deepEqual([text('stdout'), text('stderr')], [`out${counted}`, 'err']);
    });

    it(`do not come over ${name} to a client that has not`, async () => {
      const client = await connect();
      const frames = listenToFrames(client);
      await client.handshake();
      await client.start('p', sh('seq 1000'));
      await client.told('p', 'closed');
      assert.deepEqual(frames, []);
      assert.equal(client.output('p').split('\n').length, 1001);
    });
  }

  it('do not come over standard streams, which may be those of a terminal', async () => {
    const client = programs.run(['--listen', 'stdio']).client();
    const frames = listenToFrames(client);
    await client.request('initialize', { clientName: 'test' });
    client.notify('initialized', { outputFrames: true });
    await client.start('p', sh('echo hi'));
    await client.told('p', 'closed');
    assert.deepEqual(frames, []);
    assert.equal(client.output('p'), 'hi\n');
  });
});

function numbersThrough(last: unknown): readonly number[] {
  return Array.from({ length: Number(last) }, (_, index) => index + 1);
}
