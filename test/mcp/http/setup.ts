import http from 'node:http';

import type { Client } from '@modelcontextprotocol/client';

import { serveMcpOverHttp, type McpHttpServer } from '../../../src/mcp/index.js';
import { FakeClock } from '../../support/fakeClock.js';
import { connectHttp, type HttpClientOptions } from '../clients.js';
import { ScriptedTools } from '../scriptedTools.js';

export const TOKEN = 'correct-horse-battery-staple';

/** The first message of a client. */
export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '0' } },
};

type Headers = Readonly<Record<string, string | undefined>>;

/** A server of scripted tools, whose clock stands still, with clients. */
export interface HttpServer {
  readonly tools: ScriptedTools;
  readonly clock: FakeClock;
  /** A test that puts another one here has ended this one. */
  server: McpHttpServer;
  /** The lines that the server has logged. */
  readonly logged: string[];
  /** Makes a further server, at this port if that is free. */
  readonly serve: (port?: number) => Promise<McpHttpServer>;
  /** The official client. */
  readonly connect: (options: Partial<HttpClientOptions> & Pick<HttpClientOptions, 'era'>) => Promise<Client>;
  /** Sends a request whose answer is a stream, and resolves as soon as that begins. */
  readonly openStream: (
    method: 'GET' | 'POST',
    session: string | string[] | undefined,
    message?: object,
    further?: Headers,
  ) => Promise<http.IncomingMessage>;
  /** Sends a request without the official client. */
  readonly post: (
    message: unknown,
    headers?: Headers,
    path?: string,
    method?: string,
  ) => Promise<{ status: number; headers: http.IncomingHttpHeaders; body: string }>;
}

/** Gives each test of the surrounding `describe` a server of its own. */
export function useHttpServer(): HttpServer {
  let tools: ScriptedTools;
  let clock: FakeClock;
  let server: McpHttpServer;
  let clients: Client[] = [];
  const logged: string[] = [];

  const serve = (port = 0) =>
    serveMcpOverHttp({
      tools,
      token: TOKEN,
      port,
      version: '1.2.3',
      clock,
      log: (line) => logged.push(line),
    });

  beforeEach(async () => {
    tools = new ScriptedTools();
    clock = new FakeClock(1_000_000);
    logged.length = 0;
    server = await serve();
  });

  afterEach(async () => {
    for (const client of clients) {
      await client.close().catch(() => undefined);
    }
    clients = [];
    await server.dispose();
  });

  return {
    get tools() {
      return tools;
    },
    get clock() {
      return clock;
    },
    get server() {
      return server;
    },
    set server(another) {
      server = another;
    },
    logged,
    serve,
    async connect(options) {
      const client = await connectHttp({ url: server.url, token: TOKEN, ...options });
      clients.push(client);
      return client;
    },
    openStream(method, session, message, further = {}) {
      const headers = {
        'accept': 'application/json, text/event-stream',
        'content-type': 'application/json',
        'authorization': `Bearer ${TOKEN}`,
        'mcp-session-id': session,
        ...further,
      };
      return new Promise((resolve, reject) => {
        http
          .request(server.url, { method, headers, agent: false }, (response) => {
            response.on('error', () => undefined);
            setImmediate(() => resolve(response));
          })
          .once('error', reject)
          .end(message === undefined ? undefined : JSON.stringify(message));
      });
    },
    post(message, headers = {}, path = '/mcp', method = 'POST') {
      const given: Headers = {
        'content-type': 'application/json',
        'accept': 'application/json, text/event-stream',
        'authorization': `Bearer ${TOKEN}`,
        ...headers,
      };
      const sent = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      return new Promise((resolve, reject) => {
        const request = http.request(
          { host: '127.0.0.1', port: server.port, path, method, headers: sent, agent: false },
          (response) => {
            let body = '';
            response.setEncoding('utf8').on('data', (text: string) => (body += text));
            response.once('end', () =>
              resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
            );
          },
        );
        request.once('error', reject);
        request.end(message === undefined ? undefined : JSON.stringify(message));
      });
    },
  };
}
