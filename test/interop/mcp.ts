/** A minimal tool server of the Model Context Protocol, for any transport. */

export interface McpRequest {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string; readonly arguments?: { readonly text?: string } };
}

/** The answer to a request; undefined if it needs none. The only tool, `where`, answers with the result of `where`. */
export function answerMcp(request: McpRequest, where: (text: string) => object): object | undefined {
  const { id, method, params } = request;
  if (id === undefined) return undefined;
  const reply = (result: object) => ({ jsonrpc: '2.0', id, result });
  switch (method) {
    case 'initialize':
      return reply({
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'probe', version: '1.0.0' },
      });
    case 'tools/list':
      return reply({
        tools: [
          {
            name: 'where',
            description: 'Says where it runs.',
            inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
          },
        ],
      });
    case 'tools/call':
      return reply({
        content: [{ type: 'text', text: JSON.stringify(where(params?.arguments?.text ?? '')) }],
      });
    default:
      return { jsonrpc: '2.0', id, error: { code: -32601, message: `There is no ${method}.` } };
  }
}
