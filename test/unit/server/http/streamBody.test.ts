import assert from 'node:assert/strict';

import { SendWindow, streamBody } from '../../../../src/server/methods/http/body.js';
import { STREAM_WINDOW_BYTES, MAX_DELTA_BYTES } from '../../../../src/server/methods/http/limits.js';
import { until } from '../../../support/until.js';
import { FakeConnection } from '../connectionContext.js';

interface Delta {
  readonly requestId: string;
  readonly seq: number;
  readonly deltaBase64: string;
  readonly done: boolean;
  readonly error: string | null;
}

describe('A streamed body', () => {
  let connection: FakeConnection;
  let window: SendWindow;
  beforeEach(() => {
    connection = new FakeConnection();
    window = new SendWindow(STREAM_WINDOW_BYTES);
  });
  const deltas = () => connection.notified.map(({ params }) => params as Delta);

  it('waits while what was sent has not left, together with all others of its connection', async () => {
    const chunk = new Uint8Array(STREAM_WINDOW_BYTES / 4);
    async function* endless() {
      for (;;) yield await Promise.resolve(chunk);
    }
    const bodies = ['a', 'b', 'c'].map((requestId) =>
      streamBody(endless(), requestId, connection, window, connection.signal),
    );
    const nothingMore = async (sent: number) => {
      await until(() => connection.notified.length >= sent);
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(connection.notified.length, sent);
    };
    await nothingMore(4);
    connection.notified[0]?.flush();
    await nothingMore(5);
    connection.notified.slice(1, 5).forEach(({ flush }) => flush());
    await nothingMore(9);
    const ids = connection.notified.map(({ params }) => (params as Delta).requestId);
    assert.deepEqual([...new Set(ids)].sort(), ['a', 'b', 'c']);
    connection.end();
    await Promise.all(bodies);
    assert.equal(connection.notified.length, 9);
  });

  it('comes in pieces that are not too large', async () => {
    async function* one() {
      yield await Promise.resolve(new Uint8Array(2 * MAX_DELTA_BYTES + 1));
    }
    connection.flushAtOnce = true;
    await streamBody(one(), 'r', connection, window, connection.signal);
    const sizes = deltas().map(({ deltaBase64 }) => Buffer.from(deltaBase64, 'base64').length);
    assert.deepEqual(sizes, [MAX_DELTA_BYTES, MAX_DELTA_BYTES, 1, 0]);
  });

  it('says at its end what broke it', async () => {
    async function* broken() {
      yield await Promise.resolve(new Uint8Array(1));
      throw new Error('aborted');
    }
    await streamBody(broken(), 'r', connection, window, connection.signal);
    const last = deltas().at(-1);
    assert.deepEqual(last, {
      requestId: 'r',
      seq: 2,
      deltaBase64: '',
      done: true,
      error: 'error decoding response body: aborted',
    });
  });

  it('says nothing to a connection that has ended', async () => {
    connection.end();
    async function* broken() {
      yield await Promise.reject<Uint8Array>(new Error('aborted'));
    }
    await streamBody(broken(), 'r', connection, window, connection.signal);
    assert.deepEqual(connection.notified, []);
  });
});
