import { once } from 'node:events';
import http from 'node:http';
import type { Duplex } from 'node:stream';

import { WebSocketServer } from 'ws';

import { RemoteBackend, webSocketConnector } from '../../../src/remote/index.js';
import { webSocketClient } from '../../server/program.js';
import { startOwnServer } from '../../support/execServer.js';
import { Random } from '../../support/random.js';
import { type Attack, inTime, Tally } from './attack.js';
import { brokenFrames } from './frames.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Sends malformed frames to a server, and from a server to a client. */
export const frameFuzz: Attack = {
  name: 'Broken WebSocket frames, at the server and at the client',
  unit: 'connections',
  amount: { short: 2 * brokenFrames.length, long: 5_000 },
  async run(amount, seed) {
    const tally = new Tally();
    const random = new Random(seed);
    await attackServer(amount / 2, random, tally);
    await attackClient(amount / 2, random, tally);
    return tally;
  },
};

async function attackServer(amount: number, random: Random, tally: Tally): Promise<void> {
  const server = await startOwnServer();
  try {
    const witness = await webSocketClient(server.url);
    await witness.handshake();
    for (let count = 0; count < amount; count++) {
      const { name, bytes } = kindOf(count);
      const socket = await upgrade(server.port);
      const ended = once(socket.on('error', () => undefined).resume(), 'close');
      sendInPieces(socket, bytes(true, random), random);
      tally.count('connections to the server');
      if ((await inTime(ended)) === undefined) tally.fault(`the server keeps a connection with ${name}`);
      socket.destroy();
    }
    if ((await inTime(witness.request('environment/status'))) === undefined) {
      tally.fault('another client is not answered');
    }
  } finally {
    await server.stop();
  }
}

/** Our client has to give up each such connection, and say so. */
async function attackClient(amount: number, random: Random, tally: Tally): Promise<void> {
  let { name, bytes } = kindOf(0);
  const webSockets = new WebSocketServer({ noServer: true });
  const server = http.createServer().on('upgrade', (request, socket, head) => {
    socket.on('error', () => undefined);
    webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on('error', () => undefined);
      sendInPieces(socket, bytes(false, random), random);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `ws://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  try {
    for (let count = 0; count < amount; count++) {
      ({ name, bytes } = kindOf(count));
      const connecting = RemoteBackend.connect({
        connector: webSocketConnector({ url }),
        clientName: 'x',
        // So that nothing but the frame ends it.
        initializeMs: DAY_MS,
      });
      const refused = connecting.then(
        () => tally.fault(`the client takes ${name} for an answer`),
        () => tally.count('connections of the client'),
      );
      if ((await inTime(refused)) === undefined) {
        tally.fault(`the client keeps a connection with ${name}`);
        return;
      }
    }
  } finally {
    webSockets.close();
    server.closeAllConnections();
    server.close();
  }
}

/** The frames may come in pieces: a reader has to know where it was. */
function sendInPieces(socket: Duplex, bytes: Buffer, random: Random): void {
  const place = random.between(0, bytes.byteLength);
  socket.write(bytes.subarray(0, place), () => socket.write(bytes.subarray(place)));
}

function kindOf(count: number): (typeof brokenFrames)[number] {
  return brokenFrames[count % brokenFrames.length] ?? brokenFrames[0];
}

/** @returns a connection on which the server expects frames. */
async function upgrade(port: number): Promise<Duplex> {
  const request = http.get({
    host: '127.0.0.1',
    port,
    headers: {
      'Connection': 'Upgrade',
      'Upgrade': 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'MDEyMzQ1Njc4OWFiY2RlZg==',
    },
  });
  const [, socket] = (await once(request, 'upgrade')) as [http.IncomingMessage, Duplex];
  return socket;
}
