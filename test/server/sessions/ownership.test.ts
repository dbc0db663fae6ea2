import assert from 'node:assert/strict';

import { until } from '../../support/until.js';
import { DETACHED_MS, useServer } from '../inProcess.js';
import { base64, type RawClient, sh } from '../rawClient.js';
import { cut } from './cut.js';

interface Listed {
  readonly handle: string;
  readonly processId?: string;
  readonly owned?: boolean;
  readonly state: string;
  readonly argv: readonly string[];
}

const listed = async (client: RawClient) => (await client.request('process/list'))['processes'] as Listed[];

describe('An owned process', () => {
  const fixture = useServer({ reach: 'server' });

  it('goes on when the session of its client is over, and is found again with all its output', async () => {
    const first = await fixture.client();
    await first.start('p', sh('echo before; read x; echo "after $x"'), { pipeStdin: true, owned: true });
    await first.start('q', ['sleep', '1000']);
    await first.told('p', 'output');
    const later = await fixture.client();
    // The check of the limits; then the only timer is that of the session.
    fixture.clock.advance(1_000);
    await cut(first);
    await until(() => fixture.clock.pendingTimers > 0);
    fixture.clock.advance(DETACHED_MS);
    await until(
      () => listed(later),
      (seen) => seen.some(({ state }) => state === 'closed'),
    );
    const states = (await listed(later)).map(({ argv, owned, state }) => [argv[0], owned, state]);
    assert.deepEqual(states, [
      ['/bin/sh', true, 'running'],
      ['sleep', undefined, 'closed'],
    ]);
    const handle = (await listed(later))[0]?.handle;
    await later.request('process/attach', { handle, processId: 'mine' });
    await later.request('process/write', { processId: 'mine', chunk: base64('x\n'), writeId: '1' });
    await later.told('mine', 'closed');
    fixture.clock.advance(10 * DETACHED_MS);
    const { chunks } = await later.request('process/read', { processId: 'mine', afterSeq: 0 });
    const text = (chunks as { chunk: string }[]).map(({ chunk }) => Buffer.from(chunk, 'base64').toString());
    assert.equal(text.join(''), 'before\nafter x\n');
    assert.deepEqual(
      (await listed(later)).map(({ processId }) => processId),
      ['mine'],
    );
  });

  it('leaves when somebody removes it, by its handle or by a name, for everybody', async () => {
    const [one, other] = [await fixture.client(), await fixture.client()];
    await one.start('p', ['true'], { owned: true });
    await one.start('q', ['cat'], { owned: true, pipeStdin: true });
    await one.told('p', 'closed');
    const [p, q] = await listed(other);
    assert.deepEqual(await other.refused('process/remove', { handle: q?.handle }), [
      -32600,
      `process ${q?.handle ?? ''} has not exited`,
    ]);
    assert.deepEqual(await one.refused('process/remove', { processId: 'q' }), [
      -32600,
      'process q has not exited',
    ]);
    assert.deepEqual(await other.request('process/remove', { handle: p?.handle }), {});
    assert.deepEqual(await one.refused('process/read', { processId: 'p' }), [-32600, 'unknown process id p']);
    assert.deepEqual(await one.refused('process/remove', {}), [
      -32602,
      'either "handle" or "processId" has to be there',
    ]);
    // A client that is late finds nothing to do.
    assert.deepEqual(await one.request('process/remove', { processId: 'p' }), {});
    await one.request('process/terminate', { processId: 'q' });
    await one.told('q', 'closed');
    assert.deepEqual(await one.request('process/remove', { processId: 'q' }), {});
    assert.deepEqual(await listed(other), []);
  });
});

describe('On a port, where nobody could take it up later,', () => {
  const fixture = useServer({ reach: 'session' });

  it('a process is not owned', async () => {
    const client = fixture.connect();
    const { capabilities } = await client.request('initialize', { clientName: 'x' });
    assert.equal((capabilities as Record<string, unknown>)['ownership'], undefined);
    client.notify('initialized');
    await client.start('p', ['true'], { owned: true });
    await client.told('p', 'closed');
    assert.equal((await listed(client))[0]?.owned, undefined);
    assert.equal((await client.ask('process/remove', { processId: 'p' })).error?.code, -32601);
    fixture.clock.advance(DETACHED_MS);
    assert.deepEqual(await listed(client), []);
  });
});
