import { once } from 'node:events';
import net from 'node:net';

import { WebSocket } from 'ws';

import type { Address } from './driver.js';

/** Whole messages, to and from a server. */
export interface WireSocket {
  send(message: string): void;
  close(): void;
}

/** The minimum that a client needs, the same for every server. */
export async function openSocket(
  address: Address,
  onMessage: (message: string) => void,
  onEnd: () => void,
): Promise<WireSocket> {
  return address.kind === 'websocket'
    ? openWebSocket(address.url, onMessage, onEnd)
    : openUnixSocket(address.path, onMessage, onEnd);
}

async function openWebSocket(
  url: string,
  onMessage: (message: string) => void,
  onEnd: () => void,
): Promise<WireSocket> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  socket.on('message', (data: Buffer) => onMessage(data.toString()));
  socket.on('close', onEnd);
  await once(socket, 'open');
  return { send: (message) => socket.send(message), close: () => socket.terminate() };
}

const LINE_FEED = 10;

async function openUnixSocket(
  path: string,
  onMessage: (message: string) => void,
  onEnd: () => void,
): Promise<WireSocket> {
  const socket = net.connect(path);
  /** The beginning of a line. */
  let pieces: Buffer[] = [];
  socket.on('data', (bytes: Buffer) => {
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
      const last = bytes.subarray(start, end);
      onMessage((pieces.length === 0 ? last : Buffer.concat([...pieces, last])).toString());
      pieces = [];
      start = end + 1;
    }
    if (start < bytes.length) {
      pieces.push(bytes.subarray(start));
    }
  });
  socket.on('close', onEnd);
  await once(socket, 'connect');
  return { send: (message) => void socket.write(`${message}\n`), close: () => socket.destroy() };
}
