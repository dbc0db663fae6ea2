import type { AddressInfo } from 'node:net';

import { WebSocketServer, type WebSocket } from 'ws';

import type { ProcessSpec, RunningProcess } from './worker/driver.js';
import { RawDriver } from './worker/rawDriver.js';

/**
 * The minimal exec-server in Node, as far as the benchmark's client needs one. It runs raw processes for a WebSocket,
 * without checks, log, limits, flow control and a library for JSON-RPC. It is of no practical use. It shows how much of
 * our time is that of Node and `ws`, and how much is our own.
 */

interface Request {
  readonly id?: number;
  readonly method: string;
  readonly params: ProcessSpec & { readonly processId: string; readonly chunk: string };
}

/** @param over Called when the process has closed. */
function start(
  driver: RawDriver,
  socket: WebSocket,
  params: Request['params'],
  over: () => void,
): RunningProcess {
  let seq = 0;
  const tell = (what: string, members: string): void => {
    seq += 1;
    const { processId } = params;
    socket.send(`{"method":"process/${what}","params":{"processId":"${processId}","seq":${seq}${members}}}`);
  };
  const running = driver.start(params, (bytes) => {
    tell('output', `,"stream":"stdout","chunk":"${Buffer.from(bytes).toString('base64')}"`);
  });
  void running.closed.then(() => {
    over();
    tell('exited', ',"exitCode":0');
    tell('closed', '');
  });
  return running;
}

function serve(driver: RawDriver, socket: WebSocket): void {
  const running = new Map<string, RunningProcess>();
  socket.on('message', (data: Buffer) => {
    const { id, method, params } = JSON.parse(data.toString()) as Request;
    const { processId } = params;
    if (method === 'process/start') {
      running.set(
        processId,
        start(driver, socket, params, () => running.delete(processId)),
      );
    } else if (method === 'process/write') {
      running.get(processId)?.write(Buffer.from(params.chunk, 'base64'));
    } else if (method === 'process/terminate') {
      running.get(processId)?.kill();
    }
    if (id !== undefined) {
      socket.send(`{"id":${id},"result":{}}`);
    }
  });
  socket.on('close', () => running.forEach((each) => each.kill()));
}

void RawDriver.open().then((driver) => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  server.on('connection', (socket) => serve(driver, socket));
  server.on('listening', () => {
    process.stdout.write(`ws://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
  });
});
