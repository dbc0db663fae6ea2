import { once } from 'node:events';
import http from 'node:http';
import type net from 'node:net';
import { text } from 'node:stream/consumers';

/** A call of a model, in the form of the Responses API. */
export type Call = Readonly<Record<string, unknown>> & { readonly call_id: string };

/** The result of one call. */
export interface ToolOutput {
  /** The whole text that the model gets. */
  readonly text: string;
  /** Pictures, as data URLs. */
  readonly images: readonly string[];
}

/** The results of the calls so far, by their ids. */
export type Outputs = ReadonlyMap<string, ToolOutput>;

/** The model's answer to one request: calls, or a function of the results so far, which may wait for something. */
export type Step = readonly Call[] | ((outputs: Outputs) => readonly Call[] | Promise<readonly Call[]>);

interface InputItem {
  readonly type: string;
  readonly call_id?: string;
  readonly output?: string | readonly ContentItem[];
}

interface ContentItem {
  readonly text?: string;
  readonly image_url?: string;
}

interface ModelRequest {
  readonly input: readonly InputItem[];
}

/** The prepared model: answers one request after another with the steps of a script, and then with "done". */
export class ModelServer {
  /** The client's requests to the model, unparsed. */
  readonly requests: string[] = [];
  readonly outputs = new Map<string, ToolOutput>();
  /** The error of a step that failed. */
  #failure: Error | undefined;
  readonly #steps: Step[];
  readonly #server = http.createServer((request, response) => void this.#answer(request, response));

  static async start(script: readonly Step[]): Promise<ModelServer> {
    const model = new ModelServer(script);
    model.#server.listen(0, '127.0.0.1');
    await once(model.#server, 'listening');
    return model;
  }

  private constructor(script: readonly Step[]) {
    this.#steps = [...script];
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as net.AddressInfo).port}/v1`;
  }

  /** The number of steps that the client has not asked for. */
  get stepsLeft(): number {
    return this.#steps.length;
  }

  /**
   * Throws the error of a step, if there is one. The client gets no notice of it: its turn ends as if the script did.
   */
  rethrow(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    if (request.method !== 'POST' || request.url !== '/v1/responses') {
      response.writeHead(404).end();
      return;
    }
    const body = await text(request);
    this.requests.push(body);
    for (const item of (JSON.parse(body) as ModelRequest).input) {
      if (item.call_id !== undefined && item.output !== undefined) {
        this.outputs.set(item.call_id, outputOf(item.output));
      }
    }
    sendItems(response, `response-${this.requests.length}`, await this.#nextItems());
  }

  async #nextItems(): Promise<readonly unknown[]> {
    try {
      const step = this.#steps.shift();
      if (step !== undefined) return await (typeof step === 'function' ? step(this.outputs) : step);
    } catch (error) {
      this.#failure ??= error instanceof Error ? error : new Error(String(error));
    }
    return [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] }];
  }
}

function outputOf(output: string | readonly ContentItem[]): ToolOutput {
  if (typeof output === 'string') return { text: output, images: [] };
  return {
    text: output.map((item) => item.text ?? '').join(''),
    images: output.flatMap((item) => (item.image_url === undefined ? [] : [item.image_url])),
  };
}

const USAGE = {
  input_tokens: 0,
  input_tokens_details: null,
  output_tokens: 0,
  output_tokens_details: null,
  total_tokens: 0,
};

function sendItems(response: http.ServerResponse, id: string, items: readonly unknown[]): void {
  const events = [
    { type: 'response.created', response: { id } },
    ...items.map((item) => ({ type: 'response.output_item.done', item })),
    { type: 'response.completed', response: { id, usage: USAGE } },
  ];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
}
