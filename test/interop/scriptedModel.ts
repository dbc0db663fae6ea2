import { once } from 'node:events';
import http from 'node:http';
import type net from 'node:net';
import { text } from 'node:stream/consumers';

/** A call of one of our tools by a model. */
export interface ToolCall {
  /** A name for its result. */
  readonly id: string;
  readonly tool: string;
  readonly args: object;
}

/** The texts that the model has got, by the names of the calls. */
export type Texts = ReadonlyMap<string, string>;

/** The calls of a model, one after another, each made from the results so far. For undefined it says "done". */
export type ToolScript = readonly ((texts: Texts) => ToolCall | undefined)[];

/** A request to the model: what a turn costs. */
export interface ModelRequest {
  /** When it came, in milliseconds of `performance.now()`. */
  readonly at: number;
  /** The news that its client tells unasked, such as the end of a task. */
  readonly notice: string | undefined;
}

/** A tool as a model reads about it. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly schema: unknown;
}

/** How a client speaks to its model. */
export interface Dialect<Request> {
  /** The path at which the client asks the model to go on. */
  readonly path: RegExp;
  /**
   * The tools that the model may call. Some clients offer no tools in requests beside the conversation, such as for a
   * title.
   */
  toolsIn(request: Request): readonly OfferedTool[];
  /** The result of the last call. */
  resultIn(request: Request, call: ToolCall): string | undefined;
  /** The news of a task in the background, if the newest message has some. */
  noticeIn?(request: Request): string | undefined;
  /** The stream of an answer: a call, or "done". */
  answer(request: Request, call: ToolCall | undefined): string;
}

/** A model on the loopback that plays a script, and then says "done". */
export class ScriptedModel<Request> {
  readonly texts = new Map<string, string>();
  readonly requests: ModelRequest[] = [];
  /** The tools that the client has offered last. */
  offered: readonly OfferedTool[] = [];
  /** Requests of the client to any other host. */
  readonly strayed: string[] = [];
  readonly #dialect: Dialect<Request>;
  readonly #script: ToolScript[number][];
  readonly #server = http.createServer((request, response) => void this.#answer(request, response));
  #waiting: ToolCall | undefined;
  #failure: Error | undefined;

  static async start<Request>(
    script: ToolScript,
    dialect: Dialect<Request>,
  ): Promise<ScriptedModel<Request>> {
    const model = new ScriptedModel(script, dialect);
    model.#server.listen(0, '127.0.0.1');
    await once(model.#server, 'listening');
    return model;
  }

  private constructor(script: ToolScript, dialect: Dialect<Request>) {
    this.#script = [...script];
    this.#dialect = dialect;
    this.#server.on('connect', ({ url = '' }: http.IncomingMessage, socket: net.Socket) => {
      this.strayed.push(url);
      socket.destroy();
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as net.AddressInfo).port}`;
  }

  /** Variables that lead everything that is not for this machine here, where it ends. */
  get proxy(): Readonly<Record<string, string>> {
    const { url } = this;
    return { HTTP_PROXY: url, HTTPS_PROXY: url, http_proxy: url, https_proxy: url, NO_PROXY: '127.0.0.1' };
  }

  get stepsLeft(): number {
    return this.#script.length;
  }

  /** Throws the error of a step, if there is one. The client gets no notice of it. */
  rethrow(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(asked: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const body = await text(asked);
    if (asked.method !== 'POST' || !this.#dialect.path.test(asked.url ?? '')) {
      if (asked.url?.startsWith('/') !== true) this.strayed.push(asked.url ?? '');
      response.writeHead(404).end();
      return;
    }
    const request = JSON.parse(body) as Request;
    this.requests.push({ at: performance.now(), notice: this.#dialect.noticeIn?.(request) });
    const offered = this.#dialect.toolsIn(request);
    if (offered.length > 0) this.offered = offered;
    const call = offered.length > 0 ? this.#next(request) : undefined;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(this.#dialect.answer(request, call));
  }

  #next(request: Request): ToolCall | undefined {
    const call = this.#waiting;
    const result = call === undefined ? undefined : this.#dialect.resultIn(request, call);
    if (call !== undefined && result !== undefined) this.texts.set(call.id, result);
    try {
      this.#waiting = this.#script.shift()?.(this.texts);
    } catch (error) {
      this.#failure ??= error instanceof Error ? error : new Error(String(error));
      this.#waiting = undefined;
    }
    return this.#waiting;
  }
}
