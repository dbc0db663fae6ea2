import http from 'node:http';

export interface HttpAnswer {
  readonly status: number;
  readonly type: string | undefined;
  readonly allow: string | undefined;
  readonly body: string;
}

/** The server's answer to a request of HTTP. */
export function ask(
  url: string,
  method: string,
  headers: http.OutgoingHttpHeaders = {},
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const request = http.request(url.replace('ws:', 'http:'), { method, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          type: response.headers['content-type'],
          allow: response.headers.allow,
          body,
        }),
      );
    });
    request.once('error', reject);
    request.end();
  });
}

/** An answer without a text. */
export const plain = (status: number, allow?: string): HttpAnswer => ({
  status,
  type: undefined,
  allow,
  body: '',
});
/** An answer that is a text. */
export const text = (status: number, body: string): HttpAnswer => ({
  status,
  type: 'text/plain; charset=utf-8',
  allow: undefined,
  body,
});

/** The headers of a client that wants a WebSocket. */
export const upgrade = {
  'Connection': 'Upgrade',
  'Upgrade': 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
};
