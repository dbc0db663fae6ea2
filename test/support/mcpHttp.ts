import assert from 'node:assert/strict';

/** An MCP client over HTTP, without any library. */
export class RawMcpClient {
  readonly #url: string;
  readonly #token: string | undefined;
  #session: string | undefined;
  #next = 1;

  constructor(url: string, token?: string) {
    this.#url = url;
    this.#token = token;
  }

  /** Does the handshake under this name. */
  async initialize(name: string): Promise<void> {
    const response = await this.post({
      jsonrpc: '2.0',
      id: this.#next++,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name, version: '1' } },
    });
    assert.equal(response.status, 200);
    this.#session = response.headers.get('mcp-session-id') ?? undefined;
    await response.text();
    const ready = await this.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    assert.equal(ready.status, 202);
  }

  async listTools(): Promise<readonly string[]> {
    const { tools } = (await this.#request('tools/list', {})) as { tools: readonly { name: string }[] };
    return tools.map(({ name }) => name);
  }

  /** The text of a tool's answer. */
  async callTool(name: string, input: object): Promise<string> {
    const { content } = (await this.#request('tools/call', { name, arguments: input })) as {
      content: readonly { text: string }[];
    };
    return content.map(({ text }) => text).join('\n');
  }

  async post(message: object): Promise<Response> {
    return fetch(this.#url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'accept': 'application/json, text/event-stream',
        ...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
        ...(this.#session !== undefined && { 'mcp-session-id': this.#session }),
      },
      body: JSON.stringify(message),
    });
  }

  async #request(method: string, params: object): Promise<unknown> {
    const response = await this.post({ jsonrpc: '2.0', id: this.#next++, method, params });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    const messages = response.headers.get('content-type')?.startsWith('text/event-stream')
      ? [...text.matchAll(/^data: ?(\{.*)$/gm)].map(
          ([, data]) => JSON.parse(data ?? '') as { result?: unknown },
        )
      : [JSON.parse(text) as { result?: unknown }];
    const answer = messages.find((message) => 'result' in message || 'error' in message);
    assert.ok(answer && 'result' in answer, text);
    return answer.result;
  }
}
