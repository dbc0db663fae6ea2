import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';

import { WebSocket, WebSocketServer, type ServerOptions } from 'ws';

import {
  CLOSE_LIMIT_MS,
  DEAD_AFTER_MS,
  PING_INTERVAL_MS,
  webSocketClientOptions,
  webSocketServerOptions,
  webSocketTransport,
  type Transport,
  type WebSocketTransportOptions,
} from '../../../src/protocol/index.js';
import { Cable } from '../../support/cable.js';
import { FakeClock } from '../../support/fakeClock.js';
import { handedTo, turns } from './fakeTransport.js';

interface Pair {
  readonly client: Transport;
  readonly server: Transport;
  /** Below the client's transport. */
  readonly clientSocket: WebSocket;
  readonly serverSocket: WebSocket;
  readonly serverTcp: net.Socket;
  readonly cable: Cable;
  dispose(): void;
}

/** A client and a server with a cable between them. */
async function connect(
  options: Omit<WebSocketTransportOptions, 'peer'> = {},
  serverOptions: ServerOptions = {},
): Promise<Pair> {
  const listener = new WebSocketServer({
    ...webSocketServerOptions,
    host: '127.0.0.1',
    port: 0,
    ...serverOptions,
  });
  await once(listener, 'listening');
  const cable = await Cable.open((listener.address() as net.AddressInfo).port);
  const clientSocket = new WebSocket(cable.url, webSocketClientOptions);
  const accepted = new Promise<{ socket: WebSocket; tcp: net.Socket }>((resolve) => {
    listener.once('connection', (socket, { socket: tcp }) => resolve({ socket, tcp }));
  });
  const upgraded = new Promise<net.Socket>((resolve) => {
    clientSocket.once('upgrade', ({ socket }) => resolve(socket));
  });
  const [{ socket, tcp }, clientTcp] = await Promise.all([accepted, upgraded, once(clientSocket, 'open')]);
  const server = webSocketTransport(socket, { peer: 'client', tcp, ...options });
  const client = webSocketTransport(clientSocket, { peer: 'server', tcp: clientTcp, ...options });
  const dispose = () => {
    client.destroy('test is over');
    server.destroy('test is over');
    listener.close();
    cable.dispose();
  };
  return { client, server, clientSocket, serverSocket: socket, serverTcp: tcp, cable, dispose };
}

async function withPair(
  use: (pair: Pair) => Promise<void>,
  ...options: Parameters<typeof connect>
): Promise<void> {
  const pair = await connect(...options);
  try {
    await use(pair);
  } finally {
    pair.dispose();
  }
}

function ended(transport: Transport): Promise<string> {
  return new Promise((resolve) => {
    if (transport.end === undefined) {
      transport.onEnd(({ reason }) => resolve(reason));
    } else {
      resolve(transport.end.reason);
    }
  });
}

function received(transport: Transport, count: number): Promise<string[]> {
  return new Promise((resolve) => {
    const messages: string[] = [];
    transport.onMessage = (message) => {
      messages.push(message);
      if (messages.length === count) {
        resolve(messages);
      }
    };
  });
}

/** So often that a test need not wait long; the real times are tested with the heartbeat. */
const IMPATIENT = { pingIntervalMs: 50, deadAfterMs: 50 };

describe('webSocketTransport', () => {
  it('carries messages both ways, in order', () =>
    withPair(async ({ client, server }) => {
      const messages = ['{"a":1}', '{"é":"😀"}', '', `{"long":"${'x'.repeat(1_000_000)}"}`, '{"z":0}'];
      const there = received(server, messages.length);
      const back = received(client, messages.length);
      messages.forEach((message) => client.send(message));
      messages.forEach((message) => server.send(message));
      assert.deepEqual(await there, messages);
      assert.deepEqual(await back, messages);
    }));

  it('hands the messages of one turn to the system in one call, and before an end by force', () =>
    withPair(async ({ client, server, serverTcp }) => {
      const calls = handedTo(serverTcp);
      const messages = received(client, 2);
      server.send('"text"');
      server.send(Buffer.from('"bytes"'));
      await turns();
      // Each has a header of its own.
      assert.deepEqual(calls, [4]);
      assert.deepEqual(await messages, ['"text"', '"bytes"']);
      const last = received(client, 1);
      server.send('"last"');
      server.destroy('over');
      assert.deepEqual(await last, ['"last"']);
    }));

  it('sends text that is not compressed, and takes binary frames and fragments for text', () =>
    withPair(async ({ client, server, clientSocket, serverSocket }) => {
      assert.equal(clientSocket.extensions, '');
      const frame = once(clientSocket, 'message');
      server.send('x');
      assert.equal((await frame)[1], false);
      const messages = received(server, 2);
      clientSocket.send(Buffer.from('{"é":1}'), { binary: true });
      clientSocket.send('{"a"', { fin: false });
      clientSocket.send(':1}', { fin: true });
      assert.deepEqual(await messages, ['{"é":1}', '{"a":1}']);
      const noText = received(server, 1);
      clientSocket.send(Buffer.from([0x22, 0xff, 0x22]), { binary: true });
      assert.deepEqual(await noText, ['\ufffd"\ufffd"']);
      assert.equal(serverSocket.protocol, '');
      assert.equal(client.end, undefined);
    }));

  it('carries bytes in order with text, to a listener that expects them', () =>
    withPair(async ({ client, server, clientSocket }) => {
      assert.equal(server.carriesBytes, true);
      const messages: unknown[] = [];
      const last = new Promise<void>((resolve) => {
        client.onMessage = (message) => {
          messages.push(message);
          if (message === 'last') resolve();
        };
      });
      client.onBytes = (bytes) => messages.push(Buffer.from(bytes));
      const large = Buffer.alloc(200_000, 7);
      let flushed = 0;
      server.send('a');
      server.sendBytes(Buffer.of(0, 255), () => (flushed += 1));
      server.sendBytes(Buffer.alloc(0));
      server.send('b');
      server.sendBytes(large);
      server.send('last');
      await last;
      assert.deepEqual(messages, ['a', Buffer.of(0, 255), Buffer.alloc(0), 'b', large, 'last']);
      assert.equal(flushed, 1);
      clientSocket.terminate();
      await ended(client);
      client.sendBytes(Buffer.of(1), () => assert.fail('It was sent after the end.'));
    }));

  it('keeps messages that arrive before there is a listener', () =>
    withPair(async ({ client, server, serverSocket }) => {
      const arrived = once(serverSocket, 'message');
      client.send('early');
      await arrived;
      assert.deepEqual(await received(server, 1), ['early']);
    }));

  it('says when a message has been handed to the system, unless it ends before', () =>
    withPair(async ({ client, server, cable }) => {
      await new Promise<void>((resolve) => client.send('x', resolve));
      cable.block();
      let flushed = 0;
      const message = 'x'.repeat(1_000_000);
      for (let count = 0; count < 50; count++) {
        client.send(message, () => (flushed += 1));
      }
      await turns(100);
      assert.ok(client.bufferedBytes > 1_000_000, String(client.bufferedBytes));
      const before = flushed;
      assert.ok(before < 50);
      client.destroy('over');
      await turns(100);
      assert.equal(flushed, before);
      assert.equal(client.bufferedBytes, 0);
      assert.equal(server.end, undefined);
    }));

  it('makes a peer wait that sends more than is read', () =>
    withPair(async ({ client, server }) => {
      server.setPaused(true);
      let count = 0;
      const message = 'x'.repeat(100_000);
      const all = new Promise<void>((resolve) => {
        server.onMessage = () => {
          count += 1;
          if (count === 300) {
            resolve();
          }
        };
      });
      let flushed = 0;
      for (let sent = 0; sent < 300; sent++) {
        client.send(message, () => (flushed += 1));
      }
      await turns(300);
      assert.ok(count < 10, `${count} arrived`);
      assert.ok(flushed < 300, 'All was taken.');
      server.setPaused(false);
      await all;
    }));

  it('closes with a handshake, after what is queued', () =>
    withPair(async ({ client, server, clientSocket }) => {
      const closed = once(clientSocket, 'close');
      const messages = Array.from({ length: 50 }, (_, index) => `${index}${'x'.repeat(50_000)}`);
      const there = received(client, messages.length);
      messages.forEach((message) => server.send(message));
      server.close('enough');
      server.send('too late');
      assert.deepEqual(await there, messages);
      assert.equal(await ended(client), '');
      assert.equal(await ended(server), 'enough');
      assert.equal((await closed)[0], 1000);
    }));

  it('closes with a handshake though it was paused, and forgets what comes meanwhile', async () => {
    const clock = new FakeClock();
    await withPair(
      async ({ client, server }) => {
        const messages: string[] = [];
        server.onMessage = (message) => messages.push(message);
        server.setPaused(true);
        client.send('unread');
        server.close('enough');
        assert.equal(await ended(server), 'enough');
        assert.equal(await ended(client), '');
        assert.deepEqual(messages, []);
      },
      { clock },
    );
    assert.equal(clock.pendingTimers, 0);
  });

  it('closes by force when the other side does not answer', async () => {
    const clock = new FakeClock();
    await withPair(
      async ({ client, cable }) => {
        cable.block();
        client.close();
        clock.advance(CLOSE_LIMIT_MS - 1);
        await turns();
        assert.equal(client.end, undefined);
        clock.advance(1);
        assert.deepEqual(client.end, { reason: 'closed' });
      },
      { clock },
    );
  });

  it('says with which code and words the other side closed', () =>
    withPair(async ({ client, serverSocket }) => {
      serverSocket.close(1011, 'out of paper');
      assert.equal(await ended(client), 'the other side closed the connection with code 1011: out of paper');
    }));

  it('says that the other side hung up', () =>
    withPair(async ({ client, serverSocket }) => {
      serverSocket.terminate();
      assert.equal(await ended(client), 'the other side hung up without a word');
    }));

  it('says that the connection was reset', () =>
    withPair(async ({ client, server, cable }) => {
      cable.cut();
      assert.deepEqual(await Promise.all([ended(client), ended(server)]), [
        'the connection was reset',
        'the connection was reset',
      ]);
    }));

  it('ends at a message that is too large', () =>
    withPair(
      async ({ client, server }) => {
        client.send('x'.repeat(1_001));
        assert.equal(await ended(server), 'the other side sent a message that is too large');
        assert.match(await ended(client), /code 1009/);
      },
      {},
      { maxPayload: 1_000 },
    ));

  it('ends at text that is no text', () =>
    withPair(async ({ server, clientSocket }) => {
      clientSocket.send(Buffer.from([0x7b, 0xff]), { binary: false });
      assert.equal(await ended(server), 'the other side sent text that is not UTF-8');
    }));

  it('notices on both sides that the cable is dead', () =>
    withPair(async ({ client, server, cable }) => {
      cable.block();
      assert.deepEqual(await Promise.all([ended(client), ended(server)]), [
        'the other side stopped answering',
        'the other side stopped answering',
      ]);
    }, IMPATIENT));

  it('does not count a peer as dead that answers, or that is not being read', async () => {
    const clock = new FakeClock();
    await withPair(
      async ({ client, server, clientSocket, serverSocket }) => {
        server.setPaused(true);
        client.setPaused(true);
        clock.advance(3 * PING_INTERVAL_MS + DEAD_AFTER_MS);
        server.setPaused(false);
        client.setPaused(false);
        for (let ping = 0; ping < 3; ping++) {
          const answers = [once(clientSocket, 'pong'), once(serverSocket, 'pong')];
          clock.advance(PING_INTERVAL_MS - DEAD_AFTER_MS);
          await Promise.all(answers);
          clock.advance(DEAD_AFTER_MS);
        }
        assert.deepEqual([client.end, server.end], [undefined, undefined]);
      },
      { clock },
    );
  });

  it('does not take a peer for dead whose answer it missed while not listening', async () => {
    const clock = new FakeClock();
    await withPair(
      async ({ server }) => {
        clock.advance(PING_INTERVAL_MS);
        server.setPaused(true);
        clock.advance(DEAD_AFTER_MS);
        assert.equal(server.end, undefined);
        await turns();
      },
      { clock },
    );
    assert.equal(clock.pendingTimers, 0);
  });

  it('takes a large message in pieces of the size of a packet', () => {
    const { maxPayload, maxBufferedChunks } = webSocketClientOptions;
    assert.ok(maxPayload / maxBufferedChunks < 1_200);
  });

  it('counts a peer as dead that is not being read and takes none of the queued bytes', () =>
    withPair(async ({ server, cable }) => {
      server.setPaused(true);
      cable.block();
      for (let count = 0; count < 50; count++) {
        server.send('x'.repeat(1_000_000));
      }
      assert.equal(await ended(server), 'the other side stopped answering');
    }, IMPATIENT));

  it('tells one end, the first, and does nothing after it', () =>
    withPair(async ({ client }) => {
      const ends: string[] = [];
      client.onEnd(({ reason }) => ends.push(reason));
      client.destroy('one');
      client.destroy('two');
      client.close('three');
      client.send('x', () => assert.fail('It was sent.'));
      client.setPaused(true);
      await turns();
      assert.deepEqual(ends, ['one']);
    }));

  it('is at its end if the socket is', () =>
    withPair(async ({ clientSocket }) => {
      clientSocket.terminate();
      await once(clientSocket, 'close');
      const late = webSocketTransport(clientSocket, { peer: 'x' });
      assert.deepEqual(late.end, { reason: 'the connection was closed' });
    }));
});
