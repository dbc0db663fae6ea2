import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type net from 'node:net';
import { text } from 'node:stream/consumers';

import { openFiles } from '../support/processes.js';
import { answerMcp, type McpRequest } from './mcp.js';

/** The tool server on the web ("streamable HTTP"). */
export class McpHttpServer {
  readonly #callerPid: number;
  readonly #server = http.createServer((request, response) => void this.#answer(request, response));

  /** @param callerPid The process that its tool looks for at the other end of the connection. */
  static async start(callerPid: number): Promise<McpHttpServer> {
    const server = new McpHttpServer(callerPid);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  private constructor(callerPid: number) {
    this.#callerPid = callerPid;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as net.AddressInfo).port}/mcp`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    // Not every run brings one: the client takes its leave while it ends, and may be gone first.
    if (request.method === 'DELETE') {
      response.writeHead(200).end();
      return;
    }
    if (request.method !== 'POST') {
      // The server sends nothing unasked, so it offers no stream.
      response.writeHead(405).end();
      return;
    }
    const message = JSON.parse(await text(request)) as McpRequest;
    const answer = answerMcp(message, (given) => ({
      isCaller: hasConnection(this.#callerPid, request.socket),
      text: given,
    }));
    if (answer === undefined) {
      response.writeHead(202).end();
    } else if (message.method === 'tools/call') {
      // The answer is a stream of events, in two pieces.
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: message\n', () => response.end(`data: ${JSON.stringify(answer)}\n\n`));
    } else {
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'session-1' });
      response.end(JSON.stringify(answer));
    }
  }
}

/** Whether a process has the other end of an open connection from the loopback. */
function hasConnection(pid: number, { remotePort = 0, localPort = 0 }: net.Socket): boolean {
  // Both ends: the port of one end alone may be that of other connections as well, also of ended ones.
  const ends = [remotePort, localPort].map(loopback).join(' ');
  // The kernel lists connections piece by piece, so it can pass over one while others come and go.
  for (let look = 0; look < 100; look++) {
    for (const line of fs.readFileSync('/proc/net/tcp', 'utf8').split('\n')) {
      const fields = line.trim().split(/\s+/);
      if (fields.slice(1, 3).join(' ') !== ends) continue;
      return [...openFiles(pid).values()].includes(`socket:[${fields[9] ?? ''}]`);
    }
  }
  return false;
}

/** An address of the loopback as the kernel's table of connections has it. */
function loopback(port: number): string {
  return `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
}
