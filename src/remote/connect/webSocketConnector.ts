import type { IncomingMessage } from 'node:http';
import type net from 'node:net';

import type { WebSocket } from 'ws';

import { type ConnectFailure, ExecError } from '../../core/index.js';
import {
  type Transport,
  webSocketClientOptions,
  webSocketTransport,
  type WebSocketTransportOptions,
} from '../../protocol/index.js';
import { connectInPlace, WebSocketMemory } from './connectInPlace.js';
import type { Connector } from './connector.js';
import { networkFailure } from './networkFailure.js';

interface WebSocketConnectorOptions {
  /** `ws://` or `wss://`. */
  readonly url: string;
  /** Sent as a bearer token, but never unencrypted over a network. A function is called at each attempt. */
  readonly token?: string | (() => string) | undefined;
  /** Certificates of further authorities besides the usual ones, in PEM. */
  readonly ca?: string | readonly string[] | undefined;
  readonly heartbeat?: Pick<WebSocketTransportOptions, 'pingIntervalMs' | 'deadAfterMs'> | undefined;
}

/** Reaches a server over a WebSocket. */
export function webSocketConnector(options: WebSocketConnectorOptions): Connector {
  const url = URL.canParse(options.url) ? new URL(options.url) : undefined;
  const label = url === undefined ? options.url : `${url.protocol}//${url.host}${url.pathname}`;
  return {
    label,
    connect: (signal) => {
      const { token: source } = options;
      const token = typeof source === 'function' ? source() : source;
      const objection = url === undefined ? badAddress(label) : objectionTo(url, token, label);
      return objection === undefined && url !== undefined
        ? // Few programs connect in this way, and those on a socket or a pipe start sooner without it.
          import('ws').then(({ default: ws }) => open(ws, url, label, { ...options, token }, signal))
        : Promise.reject(new ExecError(objection ?? badAddress(label)));
    },
  };
}

function badAddress(target: string): ConnectFailure {
  return { kind: 'badAddress', target };
}

/** The objection to an address or a token, before an attempt to connect. */
function objectionTo(url: URL, token: string | undefined, target: string): ConnectFailure | undefined {
  if ((url.protocol !== 'ws:' && url.protocol !== 'wss:') || url.hash !== '') {
    return badAddress(target);
  }
  if (token === undefined) {
    return undefined;
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    return { kind: 'badToken', target };
  }
  return url.protocol === 'wss:' || isLoopback(url.hostname)
    ? undefined
    : { kind: 'tokenInTheClear', target };
}

/** Whether a host is this machine. The WHATWG parser brings the many ways to write these addresses into one form. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** The most characters of a refusal's text that are shown. */
const REFUSAL_CHARACTERS = 200;

function open(
  socketClass: typeof WebSocket,
  url: URL,
  label: string,
  { token, ca, heartbeat }: WebSocketConnectorOptions & { readonly token?: string | undefined },
  signal: AbortSignal,
): Promise<Transport> {
  return new Promise((resolve, reject) => {
    // Over TLS, Node decrypts into memory of its own.
    const memory = url.protocol === 'ws:' ? new WebSocketMemory() : undefined;
    const socket = new socketClass(url, {
      ...webSocketClientOptions,
      ...(memory && { createConnection: connectionInto(memory) }),
      ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
      ...(ca !== undefined && { ca: typeof ca === 'string' ? ca : [...ca] }),
    });
    let settled = false;
    const settle = () => {
      signal.removeEventListener('abort', abort);
      const first = !settled;
      settled = true;
      return first;
    };
    const fail = (failure: ConnectFailure) => {
      if (settle()) {
        reject(new ExecError(failure));
        socket.terminate();
      }
    };
    const abort = () => {
      if (settle()) {
        reject(signal.reason as Error);
        socket.terminate();
      }
    };
    signal.addEventListener('abort', abort);
    if (signal.aborted) {
      abort();
    }
    socket.on('message', (data, isBinary) => {
      if (Buffer.isBuffer(data)) {
        memory?.complete(data, isBinary);
      }
    });
    // This listener stays: an aborted attempt reports the abort as an error.
    socket.on('error', (error) => fail(networkFailure(error, label, url.hostname)));
    socket.on('unexpected-response', (_, response) => {
      const status = response.statusCode ?? 0;
      void refusalText(response).then((text) =>
        fail(
          status === 401 && token === undefined
            ? { kind: 'tokenMissing', target: label }
            : httpFailure(status, text, label),
        ),
      );
    });
    socket.on('upgrade', (response) => {
      socket.on('open', () => {
        if (settle()) {
          const tcp = response.socket;
          resolve(webSocketTransport(socket, { peer: `websocket ${url.host}`, tcp, ...heartbeat }));
        }
      });
    });
  });
}

/**
 * The function that Node's `http` calls for a connection. It leaves out the `path` in the options, which belongs to the
 * request.
 */
function connectionInto(memory: WebSocketMemory): typeof net.createConnection {
  const connect = ({ host, port }: net.TcpNetConnectOpts) =>
    connectInPlace({ ...(host !== undefined && { host }), port }, memory);
  return connect as typeof net.createConnection;
}

function httpFailure(status: number, text: string, target: string): ConnectFailure {
  switch (status) {
    case 401:
      return { kind: 'unauthorized', target, reason: text === '' ? '401 Unauthorized' : text };
    case 403:
      return { kind: 'forbidden', target };
    default:
      return { kind: 'notExecServer', target, reason: `it answered HTTP ${status}` };
  }
}

/** The first line of the text of a server's refusal; empty if the text is an HTML page. */
function refusalText(response: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const done = () => {
      response.destroy();
      const line = text.split('\n')[0]?.trim() ?? '';
      resolve(line.startsWith('<') ? '' : line);
    };
    response.setEncoding('utf8');
    response.on('data', (more: string) => {
      text = (text + more).slice(0, REFUSAL_CHARACTERS);
      if (text.length === REFUSAL_CHARACTERS) {
        done();
      }
    });
    response.once('end', done);
    response.once('close', done);
    response.on('error', done);
  });
}
