import assert from 'node:assert/strict';

import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';

/**
 * The two ways to speak the protocol. The older one has a handshake, and over HTTP a session. In the newest revision
 * each request has all information.
 */
export const ERAS = ['legacy', '2026-07-28'] as const;
export type Era = (typeof ERAS)[number];

/**
 * The official client, called `name`.
 *
 * @param announces The extensions of the protocol that it announces.
 */
export function makeClient(
  name: string,
  era: Era,
  version = '1.0.0',
  announces: readonly string[] = [],
): Client {
  return new Client(
    { name, version },
    {
      versionNegotiation: { mode: era === 'legacy' ? era : { pin: era } },
      ...(announces.length > 0 && {
        capabilities: { extensions: Object.fromEntries(announces.map((extension) => [extension, {}])) },
      }),
    },
  );
}

export interface HttpClientOptions {
  readonly url: string;
  readonly token: string;
  readonly era: Era;
  readonly name?: string;
  readonly version?: string;
}

export async function connectHttp({
  url,
  token,
  era,
  name = 'tester',
  version,
}: HttpClientOptions): Promise<Client> {
  const client = makeClient(name, era, version);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  return client;
}

/** The whole text of a tool's result. */
export function textOf(result: CallToolResult): string {
  return result.content.map((item) => (item.type === 'text' ? item.text : assert.fail(item.type))).join('');
}
