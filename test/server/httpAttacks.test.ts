import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';

import { httpMethods } from '../../src/server/methods/http/index.js';
import { startOrigin, type Origin } from './httpOrigin.js';
import { useServer } from './inProcess.js';
import type { RawClient } from './rawClient.js';

const SCHEMES = [
  'file:///etc/passwd',
  'ftp://127.0.0.1/x',
  'ws://127.0.0.1/',
  'unix:/run/x.sock',
  'data:,x',
  'gopher://127.0.0.1/x',
  'javascript:1',
];
const BREAKS = ['a\r\nX-Injected: 1', 'a\nX-Injected: 1', 'a\rX-Injected: 1', 'a\0X-Injected: 1'];

/** The test httpParity.test.ts also compares these requests with the real server, where that is installed. */
describe('Our http/request, asked by somebody hostile or answered by one,', () => {
  const variables = BREAKS.map((text, index) => [`BREAK_${index}`, text] as const);
  const hostEnv: Record<string, string> = { MYKEY: 'secret', ...Object.fromEntries(variables) };
  const server = useServer({ methods: httpMethods, hostEnv });
  let origin: Origin;
  let other: Origin;
  let client: RawClient;
  beforeEach(async () => {
    [origin, other] = await Promise.all([startOrigin(), startOrigin()]);
    client = await server.client();
  });
  afterEach(() => Promise.all([origin.stop(), other.stop()]));

  const params = (url: string, some: object = {}) => ({ requestId: 'r', method: 'GET', url, ...some });

  for (const url of SCHEMES) {
    it(`connects only to HTTP servers: ${url}`, async () => {
      await client.refused('http/request', params(url));
      const [, message] = await client.refused(
        'http/request',
        params(`${origin.url}/to/${encodeURIComponent(url)}`),
      );
      assert.match(message, /unsupported URL scheme/);
    });
  }

  it('sends no header, line or request that hides in another text', async () => {
    const headers = (some: object) => ({ headers: [{ name: 'x', value: '', ...some }] });
    const hidden = [
      ...BREAKS.flatMap((text, index) => [
        headers({ value: text }),
        headers({ name: text }),
        headers({ valueEnvVar: `BREAK_${index}` }),
        { method: text },
      ]),
      { method: 'GET / HTTP/1.1\r\nX-Injected: 1\r\n\r\nGET' },
    ];
    for (const some of hidden) {
      await client.refused('http/request', params(`${origin.url}/a`, some));
    }
    assert.equal(origin.seen.length, 0);
    // By the rules of URLs, line breaks in one do not count.
    for (const text of BREAKS) {
      await client.ask('http/request', params(`${origin.url}/${text}`));
      const escaped = `/${encodeURIComponent(text)}`;
      await client.request('http/request', params(`${origin.url}/to/${encodeURIComponent(escaped)}`));
    }
    assert.ok(!namesSentTo(origin).includes('x-injected'));
  });

  it('keeps secrets from another port of the same host', async () => {
    const headers = [
      { name: 'Authorization', value: 'mine' },
      { name: 'Cookie', value: 'mine' },
      { name: 'X-Key', value: '', valueEnvVar: 'MYKEY' },
      { name: 'X-Other', value: 'for all' },
    ];
    const there = encodeURIComponent(`${other.url}/there`);
    await client.request('http/request', params(`${origin.url}/to/${there}`, { headers }));
    assert.equal(other.seen.length, 1);
    const names = namesSentTo(other);
    assert.ok(names.includes('x-other'));
    assert.deepEqual(
      names.filter((name) => ['authorization', 'cookie', 'x-key'].includes(name)),
      [],
    );
  });

  it('leaves compressed bodies compressed', async () => {
    const { bodyBase64 } = await client.request('http/request', params(`${origin.url}/gzip`));
    assert.deepEqual(Buffer.from(String(bodyBase64), 'base64'), gzipSync('hello'));
  });
});

function namesSentTo({ seen }: Origin): readonly string[] {
  return seen.flatMap(({ headers }) => headers.map(([name]) => name.toLowerCase()));
}
