import type http from 'node:http';

/** How long a browser may remember the permission to send requests, in seconds. */
const REMEMBERED_S = 600;

/**
 * The origins of pages that this machine serves, with any port: clients in a browser, such as an inspector. Like every
 * client they need the token, which a browser never sends by itself.
 */
const LOOPBACK_ORIGIN = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/;

export function isLoopbackOrigin(origin: string): boolean {
  return LOOPBACK_ORIGIN.test(origin);
}

/** Whether a browser asks if a page may send a request. It does so without the token. */
export function isPreflight({ method, headers }: http.IncomingMessage): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  );
}

/**
 * Lets a page of this machine read any answer, and answers a browser that asks whether the page may send its request.
 * Everything else depends on the token.
 */
export function allowOrigin(request: http.IncomingMessage, response: http.ServerResponse): void {
  const { origin } = request.headers;
  if (origin === undefined || !isLoopbackOrigin(origin)) {
    return;
  }
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', 'mcp-session-id, www-authenticate');
  response.setHeader('vary', 'origin');
  if (isPreflight(request)) {
    response.setHeader('access-control-allow-methods', 'POST, GET, DELETE');
    // The newest revision of the protocol has headers whose names depend on the tool.
    response.setHeader(
      'access-control-allow-headers',
      request.headers['access-control-request-headers'] ?? '',
    );
    response.setHeader('access-control-max-age', REMEMBERED_S);
  }
}
