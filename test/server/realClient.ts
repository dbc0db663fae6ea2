import { once } from 'node:events';

import { WebSocket } from 'ws';

import { WireCode, webSocketClientOptions, webSocketTransport } from '../../src/protocol/index.js';
import { startCodexServer } from '../support/codexServer.js';
import type { RunningServer, ServerOptions } from '../support/execServer.js';
import { ensureCodex } from '../rig/codex.js';
import { RawClient } from './rawClient.js';

export interface RealServer {
  /** A client after the handshake. */
  readonly client: RawClient;
  readonly server: RunningServer;
}

/** Runs the real server for the tests of the surrounding `describe`, to get its answers. */
export function useRealServer(options: ServerOptions = {}): RealServer {
  let current: { readonly client: RawClient; readonly server: RunningServer } | undefined;
  before(async function () {
    this.timeout(600_000);
    await ensureCodex();
    const server = await startCodexServer({ ...options, args: ['--concurrent-requests', '8'] });
    const socket = new WebSocket(server.url, webSocketClientOptions);
    await once(socket, 'open');
    const client = new RawClient(webSocketTransport(socket, { peer: 'codex' }));
    current = { client, server };
    await client.handshake();
  });
  after(async () => {
    current?.client.transport.destroy('the test is over');
    await current?.server.stop();
  });
  const now = () => {
    if (current === undefined) {
      throw new Error('There is a server only while tests run.');
    }
    return current;
  };
  return {
    get client() {
      return now().client;
    },
    get server() {
      return now().server;
    },
  };
}

/** An error as both servers have it. What is wrong with parameters and with base64 each says in its own words. */
export function withoutOwnWords({
  code,
  message,
}: {
  readonly code: number;
  readonly message: string;
}): object {
  const own =
    code === WireCode.invalidParams || code === WireCode.methodNotFound || message.includes('base64');
  return own ? { code } : { code, message };
}
