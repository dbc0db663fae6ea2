import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { isLoopbackOrigin, isPreflight } from './crossOrigin.js';

/** The only path here; the protocol is spoken at it. */
export const MCP_PATH = '/mcp';

/** The names of the loopback, with any port: there may be a tunnel. */
const LOOPBACK_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

/** All methods that the protocol uses. */
const METHODS: readonly (string | undefined)[] = ['POST', 'GET', 'DELETE'];

/** The reason why a request is not let in. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Decides by the headers of a request whether it is let in. */
export class HttpGate {
  readonly #digest: Uint8Array;

  constructor(token: string) {
    this.#digest = digestOf(token);
  }

  /** @returns undefined if the request is let in. A browser's question is let in, since it has no token. */
  objectionTo(request: IncomingMessage): Refusal | undefined {
    // A web page can make a name of its own point to this machine. Its requests carry that name.
    if (!LOOPBACK_HOST.test(request.headers.host ?? '')) {
      return { status: 403, message: 'The Host header must name this machine (127.0.0.1 or localhost).' };
    }
    // Browsers send this header. A page that another machine has served has no business here.
    const { origin } = request.headers;
    if (origin !== undefined && !isLoopbackOrigin(origin)) {
      return { status: 403, message: 'Only web pages of this machine are let in, with the token.' };
    }
    // Refused clients first look for an authorization server at other paths; there is no such server.
    if (pathOf(request) !== MCP_PATH) {
      return { status: 404, message: `There is nothing here: the protocol is spoken at ${MCP_PATH}.` };
    }
    if (isPreflight(request)) {
      return undefined;
    }
    if (!this.#isKnown(request.headers.authorization)) {
      return {
        status: 401,
        message: 'The bearer token is missing or wrong. Copy the configuration for this client again.',
        headers: { 'www-authenticate': 'Bearer' },
      };
    }
    if (!METHODS.includes(request.method)) {
      const allow = METHODS.join(', ');
      return { status: 405, message: `Only ${allow} have a meaning here.`, headers: { allow } };
    }
    return undefined;
  }

  /** Takes the same time for every token, right or wrong. */
  #isKnown(authorization: string | undefined): boolean {
    const token = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
    return token !== undefined && timingSafeEqual(digestOf(token), this.#digest);
  }
}

function pathOf(request: IncomingMessage): string | undefined {
  return request.url?.split('?')[0];
}

function digestOf(token: string): Uint8Array {
  return createHash('sha256').update(token).digest();
}
