import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import type net from 'node:net';
import type { Duplex } from 'node:stream';

import { RemoteBackend, webSocketConnector } from '../../src/remote/index.js';
import { failureOf } from '../support/failures.js';
import { until } from '../support/until.js';

const TOKEN = 'a-token-for-one-server';
/** More than any server needs to say why it refuses. */
const MUCH = 64 * 1024 * 1024;

describe('A server that answers the first request of a client with malice @all', () => {
  const servers: http.Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });
  const serve = async (answer: (socket: Duplex, request: IncomingMessage) => void) => {
    const server = http.createServer();
    server.on('upgrade', (request, socket) => {
      // Connections that were upgraded are no business of the server any more.
      socket.on('error', () => undefined);
      answer(socket, request);
    });
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `ws://127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  };
  const connect = (url: string, connectMs?: number) =>
    RemoteBackend.connect({
      connector: webSocketConnector({ url, token: TOKEN }),
      clientName: 'x',
      ...(connectMs === undefined ? {} : { connectMs }),
    });

  for (const status of [301, 302, 303, 307, 308]) {
    it(`does not get the client to show its token elsewhere with ${status}`, async () => {
      let isVisited = false;
      const elsewhere = await serve((socket) => {
        isVisited = true;
        socket.destroy();
      });
      const url = await serve((socket) =>
        socket.end(`HTTP/1.1 ${status} Over There\r\nLocation: ${elsewhere}\r\nContent-Length: 0\r\n\r\n`),
      );
      await failureOf(connect(url), 'notExecServer', new RegExp(`HTTP ${status}`));
      assert.equal(isVisited, false);
    });
  }

  it('is cut off when its refusal never ends', async () => {
    let sent = 0;
    let isOver = false;
    const url = await serve((socket) => {
      socket.once('close', () => (isOver = true));
      socket.write('HTTP/1.1 401 No\r\nTransfer-Encoding: chunked\r\n\r\n');
      const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
      const more = () => {
        while (!socket.destroyed && socket.write(chunk)) sent += chunk.length;
      };
      socket.on('drain', more);
      more();
    });
    const error = await failureOf(connect(url), 'unauthorized', /does not accept the token/);
    assert.ok(error.message.length < 2_000, String(error.message.length));
    await until(() => isOver);
    assert.ok(sent < MUCH, String(sent));
  });

  it('cannot switch on compression that the client did not ask for', async () => {
    const url = await serve((socket, { headers }) => {
      const key = `${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
      const accept = createHash('sha1').update(key).digest('base64');
      const lines = ['Upgrade: websocket', 'Connection: Upgrade', `Sec-WebSocket-Accept: ${accept}`];
      const extension = 'Sec-WebSocket-Extensions: permessage-deflate';
      socket.write(`HTTP/1.1 101 Yes\r\n${[...lines, extension].join('\r\n')}\r\n\r\n`);
    });
    await failureOf(connect(url), 'notExecServer', /no extension was requested/);
  });

  it('cannot hold a client beyond its time limit by sending byte by byte', async () => {
    let isOver = false;
    const url = await serve((socket) => {
      const drip = setInterval(() => socket.write('x'), 5);
      socket.write('HTTP/1.1 101 ');
      socket.once('close', () => {
        clearInterval(drip);
        isOver = true;
      });
    });
    await failureOf(connect(url, 200), 'connectTimeout', /within 0\.2 seconds/);
    await until(() => isOver);
  });
});
