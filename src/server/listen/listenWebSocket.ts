import { createServer, STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import net from 'node:net';

import { WebSocketServer } from 'ws';

import { Strangers } from '../../core/index.js';
import { webSocketServerOptions, webSocketTransport } from '../../protocol/index.js';
import type { Admission } from './admission.js';
import { plainAnswer, type PlainAnswer } from './handshakeRequest.js';
import { type Accept, type Listener, listening } from './listener.js';
import { webSocketUrl } from './listenUrl.js';
import { HANDSHAKE_CHECK_MS, HANDSHAKE_LIMIT_MS } from '../limits.js';

/**
 * Listens for WebSockets on an address.
 *
 * @param admission Decides which clients may connect; without it all may.
 * @throws StartError if it cannot listen on the address.
 */
export async function listenWebSocket(
  { host, port }: { readonly host: string; readonly port: number },
  admission: Admission | undefined,
  accept: Accept,
): Promise<Listener> {
  const sockets = new WebSocketServer({ noServer: true, ...webSocketServerOptions });
  const strangers = new Strangers();
  const server = createServer(
    { headersTimeout: HANDSHAKE_LIMIT_MS, connectionsCheckingInterval: HANDSHAKE_CHECK_MS },
    (request, response) => answer(response, plainAnswer(request)),
  );
  server.on('connection', (socket) => strangers.add(socket));
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    void refusal(request, admission).then((refused) => {
      if (refused !== undefined) {
        refuse(socket, refused);
        return;
      }
      strangers.admit(request.socket);
      sockets.handleUpgrade(request, socket, head, (webSocket) => {
        accept(webSocketTransport(webSocket, { peer: peerOf(request), tcp: request.socket }));
      });
    });
  });
  await listening(server, { host, port }, webSocketUrl(host, port));
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: webSocketUrl(host, bound),
    close: () => {
      server.close();
      server.closeIdleConnections();
    },
  };
}

async function refusal(
  request: IncomingMessage,
  admission: Admission | undefined,
): Promise<PlainAnswer | undefined> {
  return plainAnswer(request) ?? (await admission?.(request));
}

function answer(response: ServerResponse, plain: PlainAnswer | undefined): void {
  const { status, headers, text } = plain ?? { status: 400 };
  response.writeHead(status, { ...headers, ...(text !== undefined && TEXT) });
  response.end(text);
}

const TEXT = { 'content-type': 'text/plain; charset=utf-8' };

/** Writes an answer by hand: Node's HTTP server no longer handles a socket that asks for an upgrade. */
function refuse(socket: Duplex, { status, text = '', headers = {} }: PlainAnswer): void {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries({ ...headers, ...(text !== '' && TEXT) }).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ];
  socket.once('finish', () => socket.destroy());
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`);
}

function peerOf({ socket }: IncomingMessage): string {
  const { remoteAddress = '', remotePort = 0 } = socket;
  return `websocket ${net.isIP(remoteAddress) === 6 ? `[${remoteAddress}]` : remoteAddress}:${remotePort}`;
}
