import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';

import fc from 'fast-check';
import { WebSocketServer } from 'ws';

import type { Transport } from '../../../src/protocol/index.js';
import { frameHeader } from '../../../src/protocol/transport/messageSplitter.js';
import { socketConnector, webSocketConnector, type Connector } from '../../../src/remote/index.js';
import { WebSocketMemory } from '../../../src/remote/connect/connectInPlace.js';

/** A thing that a server sends: a message, or something that a WebSocket carries beside messages. */
type Sent =
  | { readonly kind: 'text' | 'bytes'; readonly size: number }
  | { readonly kind: 'fragments'; readonly size: number; readonly count: number }
  | { readonly kind: 'ping'; readonly size: number };

/** A way to reach a server that sends exactly the bytes it is told to. */
interface Wire {
  readonly connector: Connector;
  readonly peer: Promise<net.Socket>;
  encode(sent: Sent, payload: Buffer): Buffer;
  close(): void;
}

const OPCODE = { text: 1, bytes: 2, ping: 9 } as const;

function frame(opcode: number, payload: Buffer, last = true): Buffer {
  const first = (last ? 0x80 : 0) | opcode;
  const { length } = payload;
  if (length < 126) {
    return Buffer.concat([Buffer.from([first, length]), payload]);
  }
  const header = Buffer.alloc(10);
  header[0] = first;
  header[1] = 127;
  header.writeUIntBE(length, 4, 6);
  return Buffer.concat([header, payload]);
}

async function webSocketWire(): Promise<Wire> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  return {
    connector: webSocketConnector({ url: `ws://127.0.0.1:${port}` }),
    peer: new Promise((resolve) => server.once('connection', (_, { socket }) => resolve(socket))),
    encode: (sent, payload) => {
      if (sent.kind !== 'fragments') {
        return frame(OPCODE[sent.kind], payload);
      }
      const step = Math.ceil(payload.length / sent.count);
      return Buffer.concat(
        Array.from({ length: sent.count }, (_, index) =>
          frame(
            index === 0 ? OPCODE.bytes : 0,
            payload.subarray(index * step, (index + 1) * step),
            index === sent.count - 1,
          ),
        ),
      );
    },
    close: () => {
      server.clients.forEach((client) => client.terminate());
      server.close();
    },
  };
}

async function socketWire(): Promise<Wire> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-in-place-'));
  const file = path.join(folder, 's');
  const server = net.createServer().listen(file);
  await once(server, 'listening');
  const peer = new Promise<net.Socket>((resolve) => server.once('connection', resolve));
  return {
    connector: socketConnector(file),
    peer,
    encode: (sent, payload) =>
      sent.kind === 'text'
        ? Buffer.concat([payload, Buffer.from('\n')])
        : Buffer.concat([frameHeader(payload.length), payload]),
    close: () => {
      void peer.then((socket) => socket.destroy());
      server.close();
      fs.rmSync(folder, { recursive: true });
    },
  };
}

/** A payload of letters, so that it is valid text, and different from others at every place. */
function payloadOf(size: number, index: number): Buffer {
  return Buffer.from(Uint8Array.from({ length: size }, (_, place) => 97 + ((place + index * 7) % 26)));
}

/** Copies all messages. Lent memory is read when it arrives, as by every listener of a transport. */
function listen(transport: Transport, onTaken: (count: number) => void) {
  const taken: Buffer[] = [];
  const memories = new Set<ArrayBufferLike>();
  transport.onMessage = (text) => onTaken(taken.push(Buffer.from(text)));
  transport.onBytes = (bytes) => {
    memories.add(bytes.buffer);
    onTaken(taken.push(Buffer.from(bytes)));
  };
  return { taken, memories };
}

/** Sends the bytes cut at these places, each piece when the one before it may have been read. */
async function send(peer: net.Socket, bytes: Buffer, cuts: readonly number[]): Promise<void> {
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort(
    (one, other) => one - other,
  );
  let start = 0;
  for (const end of ends) {
    peer.write(bytes.subarray(start, end));
    start = end;
    await turn();
    await turn();
  }
}

for (const [name, open, kinds] of [
  ['a WebSocket', webSocketWire, ['text', 'bytes', 'ping', 'fragments']],
  ['a Unix socket', socketWire, ['text', 'bytes']],
] as const) {
  describe(`Reading in place from ${name}`, () => {
    const sizes = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 300_000 }));
    const sent: fc.Arbitrary<Sent> = fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('bytes' as const), size: sizes }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('text' as const), size: sizes }) },
      ...((kinds as readonly string[]).includes('fragments')
        ? [
            {
              weight: 1,
              arbitrary: fc.record({
                kind: fc.constant('fragments' as const),
                size: sizes,
                count: fc.integer({ min: 1, max: 5 }),
              }),
            },
            {
              weight: 1,
              arbitrary: fc.record({
                kind: fc.constant('ping' as const),
                size: fc.integer({ min: 0, max: 125 }),
              }),
            },
          ]
        : []),
    );

    it('gives every message as it was sent, however it comes, with pauses @property', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(sent, { maxLength: 12 }),
          fc.array(fc.nat(), { maxLength: 12 }),
          fc.nat(12),
          async (all, cuts, pauseAt) => {
            const wire = await open();
            const transport = await wire.connector.connect(new AbortController().signal);
            const messages = all.flatMap((one, index) =>
              one.kind === 'ping' ? [] : [payloadOf(one.size, index)],
            );
            await new Promise<void>((resolve, reject) => {
              const { taken } = listen(transport, (count) => {
                if (count === pauseAt) {
                  transport.setPaused(true);
                  setImmediate(() => transport.setPaused(false));
                }
                if (count === messages.length) {
                  assert.deepEqual(taken, messages);
                  resolve();
                }
              });
              transport.onEnd(({ reason }) => reject(new Error(`It ended: ${reason}`)));
              const bytes = Buffer.concat(
                all.map((one, index) => wire.encode(one, payloadOf(one.size, index))),
              );
              void wire.peer
                .then((peer) => send(peer, bytes, cuts))
                .then(() => messages.length === 0 && resolve());
            });
            transport.destroy('done');
            wire.close();
          },
        ),
      );
    });

    it('needs no new memory for messages that come whole', async () => {
      const wire = await open();
      const transport = await wire.connector.connect(new AbortController().signal);
      const peer = await wire.peer;
      let next: (() => void) | undefined;
      const { memories } = listen(transport, () => next?.());
      for (let index = 0; index < 50; index++) {
        const arrived = new Promise<void>((resolve) => (next = resolve));
        peer.write(wire.encode({ kind: 'bytes', size: 2_000 }, payloadOf(2_000, index)));
        await arrived;
      }
      // The memory does not exist yet when the first message arrives.
      assert.ok(memories.size <= 2, `${memories.size} memories`);
      transport.destroy('done');
      wire.close();
    });
  });
}

describe('The memory of a WebSocket', () => {
  it('gives what comes in small pieces in pieces of memory as small', () => {
    const memory = new WebSocketMemory();
    const given: Buffer[] = [];
    for (let index = 0; index < 10; index++) {
      memory.handOn(memory.next().subarray(0, 1_400), (bytes) => given.push(bytes));
    }
    assert.equal(new Set(given.map(({ buffer }) => buffer)).size, 10);
    assert.ok(given.every(({ buffer }) => buffer.byteLength === 1_400));
  });

  it('ignores messages that bypass it', () => {
    const memory = new WebSocketMemory();
    const first = memory.next();
    memory.complete(Buffer.alloc(10), true);
    assert.equal(memory.next(), first, 'nothing is in place before there was a message in it');
  });
});
