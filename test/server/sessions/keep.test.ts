import assert from 'node:assert/strict';

import { until } from '../../support/until.js';
import { DETACHED_MS, useServer } from '../inProcess.js';
import type { RawClient } from '../rawClient.js';
import { cut } from './cut.js';

const CHECKED_MS = 1_000;

describe('A server of owned processes', () => {
  let over = 0;
  const fixture = useServer({ reach: 'server', keepWithoutClient: { onOver: () => (over += 1) } });
  const states = async (client: RawClient) => {
    const { processes } = await client.request('process/list');
    return (
      processes as { state: string; metadata: { endedBy?: { kind: string; afterSeconds: number } } }[]
    ).map(({ state, metadata: { endedBy } }) => [
      state,
      endedBy && `${endedBy.kind} ${endedBy.afterSeconds}`,
    ]);
  };

  /** Cuts off the last client; running processes are ended an hour later, and their metadata tell that. */
  const endsAnHourAfter = async (client: RawClient) => {
    await cut(client);
    await until(() => fixture.clock.pendingTimers > 1);
    fixture.clock.advance(DETACHED_MS);
    fixture.clock.advance(3_600_000 - DETACHED_MS);
    await until(
      () => fixture.backend.list(),
      (seen) => seen.every(({ state }) => state === 'closed'),
    );
    fixture.clock.advance(CHECKED_MS);
    assert.deepEqual(await states(await fixture.client()), [['closed', 'keepWithoutClient 3600']]);
  };

  it('stops them if no client returns within the time that the last one set, and tells the next client', async () => {
    over = 0;
    const client = fixture.connect();
    const { capabilities } = await client.request('initialize', { clientName: 'x' });
    assert.equal((capabilities as Record<string, unknown>)['keep'], true);
    client.notify('initialized');
    await client.start('p', ['sleep', '1000'], { owned: true });
    await client.request('host/keep', { personSeconds: 3_600, agentSeconds: 600 });
    fixture.clock.advance(10 * 3_600_000);
    await cut(client);
    await until(() => fixture.clock.pendingTimers > 1);
    fixture.clock.advance(3_599_999);
    const visitor = await fixture.client();
    assert.deepEqual(await states(visitor), [['running', undefined]]);
    await endsAnHourAfter(visitor);
    assert.equal(over, 0);
  });

  it('counts the time that the machine runs, whatever its clock says', async () => {
    const client = await fixture.client();
    await client.start('q', ['sleep', '1000'], { owned: true });
    await client.request('host/keep', { personSeconds: 3_600, agentSeconds: 600 });
    await cut(client);
    await until(() => fixture.clock.pendingTimers > 1);
    fixture.clock.advance(DETACHED_MS);
    for (const jump of [24 * 3_600_000, -48 * 3_600_000]) {
      fixture.clock.set(fixture.clock.wallTime() + jump);
      fixture.clock.advance(1_000);
    }
    const visitor = await fixture.client();
    assert.deepEqual(await states(visitor), [['running', undefined]], 'a day on is no day');
    await endsAnHourAfter(visitor);
  });

  it('ends when it has no processes and no client comes', async () => {
    over = 0;
    const client = await fixture.client();
    fixture.clock.advance(3_600_000);
    assert.equal(over, 0);
    await cut(client);
    await until(() => fixture.clock.pendingTimers > 1);
    fixture.clock.advance(600_000);
    await until(() => over, 1);
  });

  it('keeps as many that have ended as a client has said', async () => {
    const client = await fixture.client();
    const output = { bytes: 1_000, chunks: 10, allBytes: 10_000, closed: 1 };
    await client.request('host/keep', { personSeconds: 3_600, agentSeconds: 600, output });
    await client.start('one', ['true'], { owned: true });
    await client.start('other', ['true'], { owned: true });
    await until(
      () => fixture.backend.list(),
      (seen) => seen.every(({ state }) => state === 'closed'),
    );
    await until(async () => {
      fixture.clock.advance(CHECKED_MS);
      return (await fixture.backend.list()).length === 1;
    });
    assert.deepEqual(
      await client.refused('host/keep', {
        personSeconds: 1,
        agentSeconds: 1,
        output: { ...output, bytes: -1 },
      }),
      [-32602, '"output.bytes" is wrong: it has to be a whole number of 64 bits, from 0 on'],
    );
  });

  it('keeps what the client with the larger limits has said, also after that one has left', async () => {
    const small = { bytes: 1_000, chunks: 10, allBytes: 10_000, closed: 0 };
    const [one, other] = [await fixture.client(), await fixture.client()];
    const output = { ...small, closed: 1 };
    await one.request('host/keep', { personSeconds: 3_600, agentSeconds: 600, output });
    await other.request('host/keep', { personSeconds: 0, agentSeconds: 0, output: small });
    await one.start('kept', ['true'], { owned: true });
    await one.start('running', ['sleep', '1000'], { owned: true });
    await until(
      () => states(one),
      (seen) => seen.some(([state]) => state === 'closed'),
    );
    fixture.clock.advance(CHECKED_MS);
    assert.deepEqual(await states(other), [
      ['closed', undefined],
      ['running', undefined],
    ]);
    await cut(one);
    await endsAnHourAfter(other);
  });

  it('ends when it has no process any more, although an observer is connected', async () => {
    over = 0;
    const observer = await fixture.client();
    observer.notify('initialized', { observes: true });
    await observer.request('host/keep', { personSeconds: 0, agentSeconds: 0 });
    await observer.start('p', ['true'], { owned: true });
    await until(
      () => fixture.backend.list(),
      (seen) => seen.every(({ state }) => state === 'closed'),
    );
    fixture.clock.advance(700_000);
    await observer.request('process/list');
    assert.equal(over, 0, 'as long as something is there');
    await observer.request('process/remove', { processId: 'p' });
    const other = await fixture.client();
    fixture.clock.advance(700_000);
    await other.request('process/list');
    assert.equal(over, 0, 'as long as somebody acts');
    await cut(other);
    await until(() => {
      fixture.clock.advance(60_000);
      return over === 1;
    });
  });

  it('takes times that are numbers, and no others', async () => {
    const client = await fixture.client();
    assert.deepEqual(await client.refused('host/keep', { personSeconds: '1', agentSeconds: 1 }), [
      -32602,
      '"personSeconds" is wrong: it has to be a number',
    ]);
  });
});

describe('Another server', () => {
  let idle = 0;
  const fixture = useServer({ reach: 'server', whenIdle: { afterMs: 50_000, run: () => (idle += 1) } });

  it('ends no process because clients are away, and stays for an owned one that runs', async () => {
    const client = await fixture.client();
    assert.equal((await client.ask('host/keep', { personSeconds: 1, agentSeconds: 1 })).error?.code, -32601);
    await client.start('p', ['sleep', '1000'], { owned: true });
    fixture.clock.advance(CHECKED_MS);
    await cut(client);
    await until(() => fixture.clock.pendingTimers > 0);
    fixture.clock.advance(DETACHED_MS);
    fixture.clock.advance(1_000_000);
    assert.equal(idle, 0);
    const [info] = await fixture.backend.list();
    assert.equal(info?.state, 'running');
    await fixture.backend.terminate(info.processId);
    await until(async () => (await fixture.backend.list())[0]?.state, 'closed');
    fixture.clock.advance(50_000);
    assert.equal(idle, 1);
  });
});
