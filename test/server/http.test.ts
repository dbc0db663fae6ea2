import assert from 'node:assert/strict';

import { MAX_DELTA_BYTES } from '../../src/server/methods/http/limits.js';
import { httpMethods } from '../../src/server/methods/http/index.js';
import { until } from '../support/until.js';
import { BIG_BYTES, startOrigin, type Origin } from './httpOrigin.js';
import { useServer } from './inProcess.js';
import type { RawClient, RawNotification } from './rawClient.js';

const MIB = 1024 * 1024;
/** Long enough for headers to arrive on a busy machine. */
const TIME_MS = 1000;

describe('Our http/request', () => {
  const server = useServer({ methods: httpMethods, hostEnv: { MYKEY: 'secret' } });
  let origin: Origin;
  let client: RawClient;
  beforeEach(async () => {
    origin = await startOrigin();
    client = await server.client();
  });
  afterEach(() => origin.stop());

  const params = (path: string, some: object = {}) => ({
    requestId: 'r',
    method: 'GET',
    url: `${origin.url}${path}`,
    ...some,
  });
  const stream = (path: string, some: object = {}) => params(path, { streamResponse: true, ...some });
  const deltas = (requestId = 'r') =>
    client.heard.filter(
      (message): message is RawNotification =>
        'method' in message && message.params['requestId'] === requestId,
    );
  const done = (requestId = 'r') =>
    client.untilTrue(() => deltas(requestId).some(({ params: delta }) => delta['done'] === true));

  it('answers before the first piece of the body', async () => {
    for (let round = 0; round < 20; round += 1) {
      const requestId = `r${round}`;
      const { id } = await client.ask(
        'http/request',
        stream('/a', { requestId, method: 'POST', bodyBase64: 'YQ==' }),
      );
      await done(requestId);
      const kinds = client.heard.filter(
        (message) =>
          ('id' in message && message.id === id) || deltas(requestId).includes(message as RawNotification),
      );
      assert.ok(kinds[0] !== undefined && 'id' in kinds[0]);
    }
  });

  it('streams a large body whole, in pieces of their size', async () => {
    await client.request('http/request', stream('/big'));
    await done();
    const pieces = deltas().map(({ params: delta }) => Buffer.from(String(delta['deltaBase64']), 'base64'));
    assert.ok(pieces.every(({ length }) => length <= MAX_DELTA_BYTES));
    assert.ok(Buffer.concat(pieces).equals(Buffer.alloc(BIG_BYTES, 'A')));
    assert.deepEqual(
      deltas().map(({ params: { seq } }) => seq),
      pieces.map((_, index) => index + 1),
    );
  });

  it('answers a large body at once as well', async () => {
    const { bodyBase64 } = await client.request('http/request', params('/big'));
    assert.equal(Buffer.from(String(bodyBase64), 'base64').length, BIG_BYTES);
  });

  it('refuses a body that is too large to be answered at once', async () => {
    const [code, message] = await client.refused('http/request', params('/endless'));
    assert.equal(code, -32603);
    assert.match(message, /response body: it is larger than 67108864 bytes; ask for it with streamResponse$/);
    await until(() => origin.connections(), 0);
  });

  it('has one stream of a name at once, from the request to the end of the body', async () => {
    const inUse = [-32602, 'http/request streamResponse requestId `r` is already active'];
    client.send({ id: 'first', method: 'http/request', params: stream('/waiting') });
    assert.deepEqual(await client.refused('http/request', stream('/a')), inUse);
    await client.request('http/request', params('/a'));
    await until(
      () => origin.seen,
      (seen) => seen.some(({ path }) => path === '/waiting'),
    );
    origin.release();
    await done();
    client.heard.splice(0);
    await client.request('http/request', stream('/halfway'));
    assert.deepEqual(await client.refused('http/request', stream('/a')), inUse);
    origin.release();
    await done();
    client.heard.splice(0);
    // A request that failed leaves the name free.
    await client.refused('http/request', stream('/a', { method: '' }));
    await client.request('http/request', stream('/a'));
    await done();
    const other = await server.client();
    await client.request('http/request', stream('/halfway', { requestId: 'x' }));
    await other.request('http/request', stream('/a', { requestId: 'x' }));
  });

  it('does not hold up other requests while it waits or streams', async () => {
    client.send({ id: 'waits', method: 'http/request', params: params('/waiting') });
    await client.request('http/request', stream('/halfway', { requestId: 's' }));
    await client.request('http/request', params('/a'));
    origin.release();
    await client.until((message) => 'id' in message && message.id === 'waits');
  });

  it('reads no faster than the client does', async () => {
    const { rss } = process.memoryUsage();
    await client.request('http/request', stream('/endless'));
    client.transport.setPaused(true);
    // The number of messages so far stays the same while other requests are answered.
    const other = await server.client();
    let heard = -1;
    await until(async () => {
      await other.request('http/request', params('/big'));
      const before = heard;
      heard = client.heard.length;
      return heard === before;
    });
    assert.ok(process.memoryUsage().rss - rss < 200 * MIB);
    client.transport.setPaused(false);
    await client.untilTrue(() => client.heard.length > heard);
  });

  it('ends with the connection: what waits, what is read and what is streamed', async () => {
    for (const path of ['/waiting', '/halfway', '/endless']) {
      const one = await server.client();
      one.send({ id: 'x', method: 'http/request', params: stream(path) });
      await until(() => origin.connections(), 1);
      await until(() => origin.seen.at(-1)?.path, path);
      one.transport.close();
      await until(() => origin.connections(), 0);
    }
  });

  it('ends when its time is over, in the middle of the body too', async () => {
    await client.request('http/request', stream('/halfway', { timeoutMs: TIME_MS }));
    await done();
    assert.match(
      String(deltas().at(-1)?.params['error']),
      /^error decoding response body: timed out after 1000 ms$/,
    );
    await until(() => origin.connections(), 0);
    assert.deepEqual(await client.refused('http/request', params('/halfway', { timeoutMs: TIME_MS })), [
      -32603,
      'failed to read http/request response body: error decoding response body: timed out after 1000 ms',
    ]);
    const [code, message] = await client.refused('http/request', params('/a', { timeoutMs: 0 }));
    assert.equal(code, -32603);
    assert.match(message, /^http\/request failed: /);
    const longest = await client.request(
      'http/request',
      params('/a', { timeoutMs: Number.MAX_SAFE_INTEGER }),
    );
    assert.equal(longest['status'], 200);
  });

  it('keeps the secrets of a request from the servers that it is redirected to', async () => {
    const headers = [
      { name: 'Authorization', value: 'mine' },
      { name: 'X-Key', value: '', valueEnvVar: 'MYKEY' },
      { name: 'X-Other', value: 'for all' },
    ];
    const there = encodeURIComponent(`${origin.otherUrl}/there`);
    await client.request('http/request', params('/redirect/302', { headers }));
    await client.request('http/request', params(`/to/${there}`, { headers }));
    const names = origin.seen.map(({ path, headers: sent }) => [
      path,
      sent.map(([name]) => name).filter((name) => ['authorization', 'x-key', 'x-other'].includes(name)),
    ]);
    assert.deepEqual(names, [
      ['/redirect/302', ['authorization', 'x-key', 'x-other']],
      ['/final', ['authorization', 'x-key', 'x-other']],
      [`/to/${there}`, ['authorization', 'x-key', 'x-other']],
      ['/there', ['x-other']],
    ]);
  });

  it('takes header names for nothing else', async () => {
    const headers = ['__proto__', 'constructor', 'toString'].map((name) => ({ name, value: 'x' }));
    await client.request('http/request', params('/a', { headers }));
    const sent = origin.seen[0]?.headers.map(([name]) => name) ?? [];
    assert.ok(
      ['__proto__', 'constructor', 'tostring'].every((name) => sent.includes(name)),
      sent.join(),
    );
    assert.deepEqual(
      await client.refused(
        'http/request',
        params('/a', { headers: [{ name: 'x', value: '', valueEnvVar: 'toString' }] }),
      ),
      [-32602, 'http/request header x requires executor environment variable toString'],
    );
  });

  it('takes any proper answer of a server that does not follow the rules', async () => {
    const [code] = await client.refused('http/request', params('/a', { method: 'CONNECT' }));
    assert.equal(code, -32603);
    const [, message] = await client.refused('http/request', { ...params('/a'), url: 'http://127.0.0.1:0/' });
    assert.match(message, /nobody listens on port 0$/);
    const headers = [
      { name: 'Host', value: 'a' },
      { name: 'Host', value: 'b' },
    ];
    const [again] = await client.refused('http/request', params('/a', { headers }));
    assert.equal(again, -32603);
  });
});
