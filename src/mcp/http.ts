import { once } from 'node:events';
import http from 'node:http';
import type net from 'node:net';

import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  type McpServerFactory,
} from '@modelcontextprotocol/server';

import {
  type Clock,
  delay,
  MOST_STRANGERS,
  Strangers,
  systemClock,
  TasksInMemory,
  type TaskStore,
} from '../core/index.js';
import { createAgentServer, type ServedTools } from './agentServer.js';
import { logLine } from './cleanText.js';
import { ClientProcesses, type PeerProcesses } from './clients.js';
import { allowOrigin, isPreflight } from './crossOrigin.js';
import { HttpGate, MCP_PATH, type Refusal } from './httpGate.js';
import { HttpSessions, SESSION_HEADER } from './httpSessions.js';
import {
  HEADERS_CHECK_MS,
  HEADERS_LIMIT_MS,
  LARGEST_REQUEST_BYTES,
  LAST_WORDS_MS,
  MOST_CONNECTIONS,
} from './limits.js';
import { Tasks } from './tasks.js';

/** The loopback, which no other machine can reach. */
const HOST = '127.0.0.1';

export interface McpHttpOptions {
  readonly tools: ServedTools;
  /** Every request must carry this token as `Authorization: Bearer`: visible ASCII characters, impossible to guess. */
  readonly token: string;
  /** The port to try first. Any free one is taken if it is not available, or if this is 0. */
  readonly port: number;
  /** The version of the program, for clients to show. */
  readonly version: string;
  /** Keeps the tasks of clients; in memory by default. */
  readonly taskStore?: TaskStore | undefined;
  readonly clock?: Clock | undefined;
  /** Tells clients with the same name and without a session apart, and when a client has ended. */
  readonly peers?: PeerProcesses | undefined;
  /** Gets the errors, one line each. */
  readonly log?: ((line: string) => void) | undefined;
}

/** Serves MCP on the loopback until it is disposed. */
export interface McpHttpServer {
  /** The address for clients, without the token. */
  readonly url: string;
  readonly port: number;
  /** Ends all streams and connections, and cancels waiting calls. The tools and their processes stay. */
  dispose(): Promise<void>;
}

/**
 * Serves any number of clients. Clients of the newest revision of the protocol name themselves in each request; clients
 * of older revisions have a session each.
 *
 * @throws Error if the token is empty or has other characters, or if no port of the loopback is available.
 */
export async function serveMcpOverHttp(options: McpHttpOptions): Promise<McpHttpServer> {
  if (!/^[\x21-\x7e]+$/.test(options.token)) {
    throw new Error('The token of an MCP server must be visible ASCII characters.');
  }
  const server = new LoopbackServer(options);
  await server.listen(options.port);
  return server;
}

class LoopbackServer implements McpHttpServer {
  readonly #clock: Clock;
  readonly #log: (line: string) => void;
  readonly #gate: HttpGate;
  readonly #sessions: HttpSessions;
  readonly #newest: McpHttpHandler;
  readonly #clients: ClientProcesses;
  readonly #tasks: Tasks;
  /** The connection that each request came on. */
  readonly #sockets = new WeakMap<Request, net.Socket>();
  readonly #server: http.Server;
  readonly #strangers = new Strangers();
  /** The answers in progress; each stays here until it has been sent. */
  readonly #answers = new Set<Promise<void>>();
  #port = 0;
  #ended = false;

  constructor(options: McpHttpOptions) {
    const { tools, token, version, clock = systemClock, log = () => undefined, peers } = options;
    this.#clock = clock;
    this.#log = log;
    this.#gate = new HttpGate(token);
    const about = { tools, version, clock, log };
    this.#clients = new ClientProcesses(clock, peers);
    this.#sessions = new HttpSessions(about, (request) =>
      this.#clients.endOfProcessAt(this.#sockets.get(request)),
    );
    this.#tasks = new Tasks({ tools, store: options.taskStore ?? new TasksInMemory(), clock, log });
    const serve: McpServerFactory = ({ requestInfo }) =>
      createAgentServer(about, {
        agent: (name) => this.#clients.agentAt(requestInfo && this.#sockets.get(requestInfo), name),
        tasks: this.#tasks,
      });
    this.#newest = createMcpHandler(serve, {
      ...this.#limits,
      legacy: 'reject',
      // A call may wait for most of a minute. Meanwhile only a stream shows that the connection is alive.
      responseMode: 'sse',
    });
    this.#server = http.createServer(
      { headersTimeout: HEADERS_LIMIT_MS, connectionsCheckingInterval: HEADERS_CHECK_MS },
      (request, response) => this.#handle(request as ServerRequest, response),
    );
    this.#server.maxConnections = MOST_CONNECTIONS + MOST_STRANGERS;
    this.#server.on('connection', (socket) => this.#strangers.add(socket));
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `http://${HOST}:${this.#port}${MCP_PATH}`;
  }

  /** Listens on this port, or on any free one if it is not available. */
  async listen(port: number): Promise<void> {
    try {
      this.#server.listen(port, HOST);
      await once(this.#server, 'listening');
    } catch (error) {
      if (port === 0) {
        throw error;
      }
      return this.listen(0);
    }
    this.#port = (this.#server.address() as net.AddressInfo).port;
    // A connection that cannot be accepted, because too many files are open, must not end the server: the next one may
    // work.
    this.#server.on('error', (error) => this.#log(logLine(error)));
  }

  async dispose(): Promise<void> {
    if (this.#ended) {
      return;
    }
    this.#ended = true;
    const closed = once(this.#server, 'close');
    this.#tasks.dispose();
    this.#clients.dispose();
    this.#server.close();
    await Promise.all([this.#sessions.dispose(), this.#newest.close()]);
    // The last answers are still on their way.
    const enough = new AbortController();
    await Promise.race([Promise.all(this.#answers), delay(this.#clock, LAST_WORDS_MS, enough.signal)]);
    enough.abort();
    this.#server.closeAllConnections();
    await closed;
  }

  #handle(request: ServerRequest, response: http.ServerResponse): void {
    allowOrigin(request, response);
    const refusal = this.#ended ? ENDED : this.#gate.objectionTo(request);
    if (refusal !== undefined) {
      refuse(response, refusal);
      return;
    }
    if (isPreflight(request)) {
      response.writeHead(204, { connection: 'close' }).end();
      return;
    }
    this.#strangers.admit(request.socket);
    const id = request.headers[SESSION_HEADER];
    const use = this.#sessions.use(typeof id === 'string' ? id : undefined);
    const sent = new Promise<void>((resolve) => {
      response.once('close', () => {
        use.dispose();
        this.#answers.delete(sent);
        resolve();
      });
    });
    this.#answers.add(sent);
    answerHttp(request, response, (asked) => this.#answer(asked, request.socket), this.#limits).catch(
      (error: unknown) => {
        this.#log(logLine(error, 'a request cannot be answered'));
        response.destroy();
      },
    );
  }

  async #answer(request: Request, socket: net.Socket): Promise<Response> {
    this.#sockets.set(request, socket);
    return (await isLegacyRequest(request)) ? this.#sessions.handle(request) : this.#newest.fetch(request);
  }

  get #limits(): AnswerOptions {
    return {
      maxRequestBodySize: LARGEST_REQUEST_BYTES,
      onerror: (error: Error) => this.#log(logLine(error)),
    };
  }
}

const ENDED: Refusal = { status: 503, message: 'This server ends.' };

/** Refuses a request before its body has been read; the connection ends with the answer. */
function refuse(response: http.ServerResponse, { status, message, headers }: Refusal): void {
  const error = { code: -32000, message };
  response.writeHead(status, { ...headers, 'content-type': 'application/json', 'connection': 'close' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }));
}

/** Node's type promises both only for requests of a client, but a request to a server always has them. */
type ServerRequest = http.IncomingMessage & { readonly method: string; readonly url: string };

interface AnswerOptions {
  /** In bytes. */
  readonly maxRequestBodySize: number;
  readonly onerror: (error: Error) => void;
}

/**
 * Answers a request of Node's server with the response of `answer`. A stream begins when its client is let in, and ends
 * with its connection. The SDK would notice either only at the next message on it, perhaps many seconds later.
 */
async function answerHttp(
  request: ServerRequest,
  response: http.ServerResponse,
  answer: (request: Request) => Promise<Response>,
  options: AnswerOptions,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const fetch = async (asked: Request): Promise<Response> => {
    const answered = await answer(asked);
    // The SDK writes the headers now, but Node holds them back until more data follows.
    setImmediate(() => {
      if (response.headersSent && !response.writableEnded) {
        response.flushHeaders();
      }
    });
    return endedBy(gone.signal, answered);
  };
  await toNodeHandler({ fetch }, options)(request, response);
}

function endedBy(signal: AbortSignal, { body, status, headers }: Response): Response {
  return new Response(body?.pipeThrough(new TransformStream(), { signal }) ?? null, { status, headers });
}
