import type { IncomingMessage } from 'node:http';

/** The answer to a request that does not become a WebSocket. */
export interface PlainAnswer {
  readonly status: number;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Answers a request that does not ask for a WebSocket, or asks for one in a wrong way.
 *
 * @returns undefined if it asks for a WebSocket as it should.
 */
export function plainAnswer(request: IncomingMessage): PlainAnswer | undefined {
  const { method, headers } = request;
  // Browsers send this header with every WebSocket, and nothing else does: web pages must not reach this server.
  if (headers.origin !== undefined) {
    return { status: 403 };
  }
  const [path] = (request.url ?? '').split('?');
  if (path === '/readyz') {
    return method === 'GET' || method === 'HEAD'
      ? { status: 200 }
      : { status: 405, headers: { allow: 'GET,HEAD' } };
  }
  if (path !== '/') {
    return { status: 404 };
  }
  if (method !== 'GET') {
    return { status: 405, text: 'Request method must be `GET`' };
  }
  const missing = missingHeader(headers);
  return missing === undefined ? undefined : { status: 400, text: missing };
}

function missingHeader(headers: IncomingMessage['headers']): string | undefined {
  if (headers.connection?.toLowerCase().includes('upgrade') !== true) {
    return "Connection header did not include 'upgrade'";
  }
  if (headers.upgrade?.toLowerCase() !== 'websocket') {
    return "`Upgrade` header did not include 'websocket'";
  }
  if (headers['sec-websocket-key'] === undefined) {
    return '`Sec-WebSocket-Key` header missing';
  }
  if (headers['sec-websocket-version'] !== '13') {
    return "`Sec-WebSocket-Version` header did not include '13'";
  }
  return undefined;
}
