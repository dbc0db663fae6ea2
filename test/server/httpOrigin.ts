import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** A request as it arrived. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** A server to send requests to. */
export interface Origin {
  readonly url: string;
  /** The same server under another name. */
  readonly otherUrl: string;
  /** A server that speaks no proper HTTP. */
  readonly rawUrl: string;
  /** All requests so far, as they arrived. */
  readonly seen: Seen[];
  /** Connections that are open now. */
  connections(): Promise<number>;
  /** Continues all waiting answers: `/waiting` waits before the headers, `/halfway` within the body. */
  release(): void;
  stop(): Promise<void>;
}

export const BIG_BYTES = 5_000_000;

export async function startOrigin(): Promise<Origin> {
  const seen: Seen[] = [];
  const waiting: (() => void)[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', rawHeaders } = request;
      const names = rawHeaders.filter((_, index) => index % 2 === 0);
      const headers = names.map((name, index) => [name, rawHeaders[2 * index + 1] ?? ''] as const);
      const body = Buffer.concat(chunks).toString();
      seen.push({ method, path, headers, body });
      answer(path, body, response);
    });
  });

  const kinds: Readonly<Record<string, (response: http.ServerResponse, rest: string) => void>> = {
    status: (response, rest) => {
      response.writeHead(Number(rest), { 'x-status': rest }).end(rest === '204' ? '' : 'text');
    },
    redirect: (response, rest) => redirect(response, Number(rest), '/final'),
    loop: (response) => redirect(response, 302, '/loop'),
    to: (response, rest) => redirect(response, 302, decodeURIComponent(rest)),
    nowhere: (response) => {
      response.writeHead(302).end('moved');
    },
    gzip: (response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('hello'));
    },
    big: (response) => {
      response.end(Buffer.alloc(BIG_BYTES, 'A'));
    },
    endless: flood,
    waiting: (response) => {
      waiting.push(() => response.end('late'));
    },
    halfway: (response) => {
      response.write('half');
      waiting.push(() => response.end('way'));
    },
    broken: (response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('part', () => response.destroy());
    },
  };

  const answer = (path: string, body: string, response: http.ServerResponse) => {
    const [, kind = '', rest = ''] = /^\/([^/?]*)\/?(.*)$/.exec(path) ?? [];
    response.sendDate = false;
    const special = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    if (special === undefined) {
      response.setHeader('Set-Cookie', ['a=1', 'b=2']);
      response.setHeader('X-Mixed', 'Value');
      response.end(body === '' ? '' : `got ${body}`);
    } else {
      special(response, rest);
    }
  };

  const raw = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (data: Buffer) => {
      const path = data.toString().split(' ')[1] ?? '';
      const text = RAW[path];
      if (text === undefined) socket.destroy();
      else socket.end(Buffer.from(text, 'latin1'));
    });
  });
  await Promise.all(
    [server, raw].map(async (one) => {
      one.listen(0, '127.0.0.1');
      await once(one, 'listening');
    }),
  );
  const port = ({ port }: AddressInfo) => port;
  const portOf = (one: net.Server) => port(one.address() as AddressInfo);
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    otherUrl: `http://localhost:${portOf(server)}`,
    rawUrl: `http://127.0.0.1:${portOf(raw)}`,
    seen,
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
      ),
    release: () => waiting.splice(0).forEach((go) => go()),
    stop: async () => {
      server.closeAllConnections();
      const closed = [server, raw].map((one) => once(one, 'close'));
      server.close();
      raw.close();
      await Promise.all(closed);
    },
  };
}

const RAW: Readonly<Record<string, string>> = {
  '/latin': 'HTTP/1.1 200 OK\r\nX-L: \xe9\xff\r\nX-E:\r\nX-S:   a b  \r\nConnection: close\r\n\r\nbody',
  '/utf8': 'HTTP/1.1 200 OK\r\nX-U: \xc3\xa9\r\nConnection: close\r\n\r\nbody',
  '/garbage': 'nonsense\r\n\r\n',
  '/continue': 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
  '/switch': 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nnoise',
  '/999': 'HTTP/1.1 999 X\r\nContent-Length: 2\r\n\r\nok',
  '/long': `HTTP/1.1 200 OK\r\nX-H: ${'q'.repeat(30_000)}\r\nContent-Length: 2\r\n\r\nok`,
};

function redirect(response: http.ServerResponse, status: number, location: string): void {
  response.writeHead(status, { location }).end('moved');
}

/** Writes as fast as the client reads. */
function flood(response: http.ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024, 'B');
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  response.on('error', () => undefined);
  more();
}
