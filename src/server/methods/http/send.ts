import { isUtf8 } from 'node:buffer';
import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';

import followRedirects, { type FollowOptions } from 'follow-redirects';

import { onAbort } from '../../../core/index.js';
import { type ResultOf, SERVER_MAX_MESSAGE_BYTES, WireError } from '../../../protocol/index.js';
import { requestFailed, wordsOf } from './httpError.js';
import { MAX_HEADER_BYTES, MAX_REDIRECTS } from './limits.js';
import { type PreparedRequest, type RequestHeaders, withoutCredentials } from './request.js';

/** No connection is reused: a request that cannot be repeated would fail on one that the server is just closing. */
const agents = { http: new http.Agent(), https: new https.Agent() };

const redirecting = followRedirects.wrap({
  http: switchingProtocols(http),
  https: switchingProtocols(https),
});

/** Headers that are meant for one server only. */
const CREDENTIALS = ['authorization', 'cookie', 'cookie2', 'proxy-authorization'];

/**
 * Sends a request and follows redirects if wanted. Aborting `signal` ends the request, and the body as well.
 *
 * @returns the response, whose body has yet to be read.
 * @throws WireError if there is no response.
 */
export function send(request: PreparedRequest, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(failure(error, request.url));
    const impossible = whyImpossible(request);
    if (impossible !== undefined) {
      fail(new Error(impossible));
      return;
    }
    try {
      const sent = open(request, (response) => {
        // The reader of the body gets its errors. Until there is one, an error without a listener would be thrown.
        response.on('error', () => undefined);
        whenAborted(signal, (reason) => response.destroy(reason));
        resolve(response);
      });
      sent.on('error', fail);
      whenAborted(signal, (reason) => sent.destroy(reason));
      sent.end(request.body);
    } catch (error) {
      // Node throws for some headers that our check lets pass.
      fail(error);
    }
  });
}

function whyImpossible({ method, url }: PreparedRequest): string | undefined {
  if (method.toUpperCase() === 'CONNECT') {
    return 'a tunnel is not a request';
  }
  // Node takes port 0 for no port, and would use the default one.
  return url.port === '0' ? 'nobody listens on port 0' : undefined;
}

type Options = https.RequestOptions & FollowOptions<https.RequestOptions>;

function open(request: PreparedRequest, answered: (response: IncomingMessage) => void) {
  const { url, method, followRedirects: follow } = request;
  const scheme = url.protocol === 'https:' ? redirecting.https : redirecting.http;
  let origin = originOf(url);
  const options: Options = {
    method,
    headers: { ...request.headers },
    agents,
    followRedirects: follow,
    maxRedirects: MAX_REDIRECTS,
    maxBodyLength: SERVER_MAX_MESSAGE_BYTES,
    maxHeaderSize: MAX_HEADER_BYTES,
    beforeRedirect: (next) => {
      if (next.protocol !== 'http:' && next.protocol !== 'https:') {
        const target = String(next.protocol).slice(0, -1);
        throw requestFailed(`redirect target uses unsupported URL scheme: ${target}`);
      }
      if (originOf(next) !== origin) {
        origin = originOf(next);
        next.headers = without(next.headers, new Set([...CREDENTIALS, ...request.secret]));
      }
    },
  };
  return scheme.request(url, options, answered);
}

interface Target {
  readonly protocol?: string | null | undefined;
  readonly hostname?: string | null | undefined;
  readonly port?: string | number | null | undefined;
}

function originOf({ protocol, hostname, port }: Target): string {
  return `${protocol ?? ''}//${hostname ?? ''}:${port ?? ''}`;
}

function without(headers: object | undefined, names: ReadonlySet<string>): Record<string, string | string[]> {
  const all = Object.entries((headers ?? {}) as RequestHeaders['headers']);
  return Object.fromEntries(all.filter(([name]) => !names.has(name)));
}

function whenAborted(signal: AbortSignal, run: (reason: Error) => void): void {
  onAbort(signal, () => run(signal.reason instanceof Error ? signal.reason : new Error('aborted')));
}

/** The answer for an error. For a redirect, the library's error has ours as its cause. */
function failure(error: unknown, url: URL): WireError {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof WireError) {
    return cause;
  }
  if (error instanceof Error && 'code' in error && error.code === 'ERR_FR_TOO_MANY_REDIRECTS') {
    return requestFailed('too many redirects');
  }
  return requestFailed(`error sending request for url (${withoutCredentials(url)}): ${wordsOf(error)}`);
}

type Answered = (response: IncomingMessage) => void;

interface Module<O> {
  request(options: O, answered?: Answered): ClientRequest;
}

/**
 * Makes a switch to another protocol a response like any other: nothing here speaks another protocol, so its head is
 * the whole answer. Without this, Node would drop the connection without any event, and the request would never end.
 */
function switchingProtocols<O extends RequestOptions>(module: Module<O>): Module<O> {
  return {
    request: (options, answered) => {
      const sent = module.request(options, answered);
      sent.once('upgrade', (response: IncomingMessage, socket: Duplex) => {
        socket.destroy();
        answered?.(response);
      });
      return sent;
    },
  };
}

type Headers = ResultOf<'http/request'>['headers'];

/** The headers of a response in their order, with names in lower case. A value that is no valid UTF-8 is left out. */
export function responseHeaders({ rawHeaders }: IncomingMessage): Headers {
  const headers: Headers = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // Node decodes each byte into one character.
    const bytes = Buffer.from(rawHeaders[index + 1] ?? '', 'latin1');
    if (isUtf8(bytes)) {
      headers.push({ name: name.toLowerCase(), value: bytes.toString() });
    }
  }
  return headers;
}
