import { randomUUID } from 'node:crypto';

import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';

import { Alarm, type Clock, type Disposable, nothingToDispose, onAbort } from '../core/index.js';
import { createAgentServer, type AgentServerOptions } from './agentServer.js';
import { OneClient } from './clients.js';
import { IDLE_SESSION_MS, LARGEST_REQUEST_BYTES, MOST_SESSIONS, RETRY_MS } from './limits.js';
import { ResumableStreams } from './resumableStreams.js';

export const SESSION_HEADER = 'mcp-session-id';

/** The MCP sessions of clients that speak a revision of the protocol with sessions: all before 2026. */
export class HttpSessions {
  readonly #options: AgentServerOptions;
  readonly #endOfProcess: (request: Request) => Promise<AbortSignal | undefined>;
  /** The least recently used session first. */
  readonly #sessions = new Map<string, HttpSession>();
  #ended = false;

  /** @param endOfProcess Tells, for a request, when its client's process has ended, if that is known. */
  constructor(
    options: AgentServerOptions,
    endOfProcess: (request: Request) => Promise<AbortSignal | undefined>,
  ) {
    this.#options = options;
    this.#endOfProcess = endOfProcess;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Answers a request of an existing session, or one that begins a session. */
  async handle(request: Request): Promise<Response> {
    const id = request.headers.get(SESSION_HEADER);
    if (id === null) {
      return this.#begin(request);
    }
    return this.#sessions.get(id)?.handle(request) ?? sessionNotFound();
  }

  /**
   * Counts an HTTP request of a session as its use, from now until the result is disposed. Does nothing without a
   * session, or for an unknown one.
   */
  use(id: string | undefined): Disposable {
    const session = id === undefined ? undefined : this.#sessions.get(id);
    if (id === undefined || session === undefined) {
      return nothingToDispose;
    }
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session.use();
  }

  /** Ends all sessions: their streams end, and their calls are cancelled. */
  async dispose(): Promise<void> {
    this.#ended = true;
    await Promise.all([...this.#sessions.values()].map((session) => session.transport.close()));
  }

  async #begin(request: Request): Promise<Response> {
    const client = new OneClient();
    const processEnd = this.#endOfProcess(request);
    const streams = new ResumableStreams(this.#options.clock);
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: LARGEST_REQUEST_BYTES,
      eventStore: streams,
      retryInterval: RETRY_MS,
      onsessioninitialized: (id) =>
        this.#add(
          id,
          new HttpSession({ transport, streams, client, processEnd, clock: this.#options.clock }),
        ),
    });
    // Nothing more comes on the stream of a cancelled request, and nothing else would close it.
    const server = createAgentServer(this.#options, {
      agent: async (name) => {
        const first = client.name === undefined;
        const agent = client.agent(name);
        if (first) {
          this.#replaceOthers(client, await processEnd);
        }
        return agent;
      },
      onCancelled: (cancelled) => transport.closeSSEStream(cancelled),
    });
    await server.connect(transport);
    const response = await streams.serve(request, (asked) => transport.handleRequest(asked));
    if (transport.sessionId === undefined || this.#ended) {
      // The request did not begin a session, and was answered accordingly; or it came too late.
      await transport.close();
    }
    return response;
  }

  /**
   * Replaces the earlier sessions of a client that has begun a new one, because it lost its connection or was told to.
   */
  #replaceOthers(client: OneClient, processEnd: AbortSignal | undefined): void {
    if (processEnd !== undefined) {
      this.#sessions.forEach((session) => session.replacedBy(client, processEnd));
    }
  }

  #add(id: string, session: HttpSession): void {
    if (this.#sessions.size >= MOST_SESSIONS) {
      this.#endOldest();
    }
    this.#sessions.set(id, session);
    session.onEnd(() => this.#sessions.delete(id));
  }

  /** Ends the least recently used session; one in use only if all are in use. */
  #endOldest(): void {
    const all = [...this.#sessions.values()];
    const oldest = all.find(({ inUse }) => !inUse) ?? all[0];
    this.#options.log(`MCP: there are more than ${MOST_SESSIONS} MCP sessions, the oldest one is ended`);
    void oldest?.transport.close();
  }
}

/** The session of one client. It ends when its client ends it, or when it has been idle for a long time. */
class HttpSession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly #streams: ResumableStreams;
  readonly #client: OneClient;
  #processEnd: AbortSignal | undefined;
  #processEnded: Disposable = nothingToDispose;
  readonly #idle: Alarm;
  #uses = 0;
  #ended = false;

  constructor(options: {
    transport: WebStandardStreamableHTTPServerTransport;
    streams: ResumableStreams;
    client: OneClient;
    processEnd: Promise<AbortSignal | undefined>;
    clock: Clock;
  }) {
    this.transport = options.transport;
    this.#streams = options.streams;
    this.#client = options.client;
    this.#idle = new Alarm(options.clock);
    this.#wait();
    void options.processEnd.then((signal) => {
      this.#processEnd = signal;
      this.#processEnded = onAbort(signal, () => this.#leaveIfOver());
      this.#leaveIfOver();
    });
  }

  /** Whether a request of it is in progress, or a stream is open. */
  get inUse(): boolean {
    return this.#uses > 0;
  }

  handle(request: Request): Promise<Response> {
    return this.#streams.serve(request, (asked) => this.transport.handleRequest(asked));
  }

  use(): Disposable {
    this.#idle.dispose();
    this.#uses += 1;
    let used = true;
    return {
      dispose: () => {
        if (used) {
          used = false;
          this.#uses -= 1;
          this.#wait();
          this.#leaveIfOver();
        }
      },
    };
  }

  onEnd(run: () => void): void {
    const { onclose } = this.transport;
    this.transport.onclose = () => {
      this.#ended = true;
      this.#idle.dispose();
      this.#streams.dispose();
      this.#leaveIfOver();
      run();
      onclose?.();
    };
  }

  /** Notes that this client has begun a session. If it had this session before, it no longer uses it. */
  replacedBy(client: OneClient, processEnd: AbortSignal): void {
    if (client !== this.#client && client.name === this.#client.name && processEnd === this.#processEnd) {
      this.#client.replaced = true;
      this.#leaveIfOver();
    }
  }

  /**
   * Notes that the client has left if its session or its process has ended, or if it now has another session. A client
   * with an open stream is still there: the ended process only passed connections on, or has more than one client.
   */
  #leaveIfOver(): void {
    const over = this.#client.replaced || this.#processEnd?.aborted === true;
    if (this.#ended || (over && !this.inUse)) {
      this.#processEnded.dispose();
      this.#client.leave();
    }
  }

  #wait(): void {
    if (this.#uses === 0 && !this.#ended) {
      this.#idle.set(IDLE_SESSION_MS, () => void this.transport.close());
    }
  }
}

/** Gives the same answer as the SDK. Clients then begin a new session. */
function sessionNotFound(): Response {
  const error = { code: -32001, message: 'Session not found' };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 });
}
