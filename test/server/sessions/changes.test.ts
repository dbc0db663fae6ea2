import assert from 'node:assert/strict';

import { until } from '../../support/until.js';
import { DETACHED_MS, useServer } from '../inProcess.js';
import { type RawClient, type RawNotification, sh } from '../rawClient.js';
import { cut } from './cut.js';

interface Description {
  readonly handle: string;
  readonly processId?: string;
  readonly state: string;
  readonly metadata: unknown;
  readonly view?: string;
}

const descriptionIn = ({ params }: RawNotification) => params['process'] as Description | undefined;

/** The notifications that a client has got, oldest first. */
function told(client: RawClient): RawNotification[] {
  return client.notifications.filter(({ method }) => method === 'process/changed');
}

/** The latest notification about a process, by its handle. */
function newest(client: RawClient, handle: string): RawNotification | undefined {
  return told(client).findLast(({ params }) => params['handle'] === handle);
}

function untilTold(client: RawClient, condition: (said: Description, type: unknown) => boolean) {
  return client.until<RawNotification>((message) => {
    const said = 'method' in message && message.method === 'process/changed' && descriptionIn(message);
    return said !== false && said !== undefined && condition(said, message.params['type']);
  });
}

const handleOf = async (client: RawClient, title: string) => {
  const { params } = await untilTold(
    client,
    ({ metadata }) => (metadata as { title?: string }).title === title,
  );
  return String(params['handle']);
};

for (const reach of ['server', 'session'] as const) {
  const shared = reach === 'server';
  describe(`Changes ${shared ? 'on a private socket' : 'on a port'}`, () => {
    const fixture = useServer({ reach });
    const watcher = async (): Promise<RawClient> => {
      const client = fixture.connect();
      await client.request('initialize', { clientName: 'test' });
      client.notify('initialized', { changes: true });
      return client;
    };

    it(`are told to ${shared ? 'everybody' : 'its own client alone'}, each with the name that it has there`, async () => {
      const [one, other] = [await watcher(), await watcher()];
      await one.start('p', ['cat'], { pipeStdin: true, clientMetadata: { title: 'first' } });
      const handle = await handleOf(one, 'first');
      const [added] = told(one);
      assert.deepEqual([added?.params['type'], added && descriptionIn(added)?.processId], ['added', 'p']);
      await one.request('process/describe', { processId: 'p', patch: { title: 'second', more: [1] } });
      // Told before the answer.
      assert.deepEqual(descriptionIn(newest(one, handle) ?? assert.fail())?.metadata, {
        title: 'second',
        more: [1],
      });
      await one.request('process/terminate', { processId: 'p' });
      await untilTold(one, ({ state }) => state === 'closed');
      if (shared) {
        assert.equal(await handleOf(other, 'second'), handle);
        const { params } = await untilTold(other, ({ state }) => state === 'closed');
        assert.equal((params['process'] as Description).processId, undefined);
      }
      assert.ok(!('error' in (await other.ask('process/list'))));
      assert.deepEqual(told(other).length > 0, shared);
    });

    it('are told when a process is forgotten, which nobody has removed', async () => {
      const [one, other] = [await watcher(), await watcher()];
      await one.start('p', ['true'], { clientMetadata: { title: 'p' } });
      const handle = await handleOf(one, 'p');
      await untilTold(one, ({ state }) => state === 'closed');
      fixture.clock.advance(DETACHED_MS);
      const gone = { method: 'process/changed', params: { type: 'removed', handle, expired: true } };
      for (const client of shared ? [one, other] : [one]) {
        await client.untilTrue(() => newest(client, handle)?.params['type'] === 'removed');
        assert.deepEqual(newest(client, handle), gone);
      }
    });

    it('are not told to clients that have not asked', async () => {
      const [one, plain] = [await watcher(), await fixture.client()];
      await plain.start('p', ['true']);
      await plain.told('p', 'closed');
      await plain.request('process/describe', { processId: 'p', patch: { a: 1 } });
      await one.request('process/list');
      assert.deepEqual(told(plain), []);
    });

    it('end with the connection, and begin again with the next', async () => {
      const first = await watcher();
      const { result } = await first.ask('process/list');
      assert.ok(result);
      const sessionId = await (async () => {
        const again = fixture.connect();
        const id = await again.handshake();
        await again.start('p', ['cat'], { pipeStdin: true });
        await cut(again);
        return id;
      })();
      await until(() => fixture.clock.pendingTimers > 0);
      const next = fixture.connect();
      await next.request('initialize', { clientName: 'test', resumeSessionId: sessionId });
      next.notify('initialized', { changes: true });
      await next.request('process/describe', { processId: 'p', patch: { a: 1 } });
      assert.deepEqual(
        told(next).map((said) => [said.params['type'], descriptionIn(said)?.metadata]),
        [['changed', { a: 1 }]],
      );
    });
  });
}

describe('The memory of a server about a process', () => {
  const fixture = useServer({ reach: 'server' });

  it('is everything that it was started with, for whoever takes it up', async () => {
    const [one, other] = [await fixture.client(), await fixture.client()];
    const asked = {
      argv: sh('exit 0'),
      cwd: 'file:///tmp',
      env: { PATH: '/bin', A: 'b' },
      envPolicy: {
        inherit: 'core',
        ignoreDefaultExcludes: true,
        exclude: ['X*'],
        set: { S: '1' },
        includeOnly: [],
      },
      tty: true,
      pipeStdin: false,
      arg0: 'name',
      size: { columns: 90, rows: 30 },
      owned: true,
    };
    await one.request('process/start', { ...asked, processId: 'p', clientMetadata: { a: 1 } });
    const { processes } = await other.request('process/list');
    const [{ handle }] = processes as [Description];
    await other.request('process/attach', { handle, processId: 'q' });
    assert.deepEqual(await other.request('process/startedWith', { processId: 'q' }), asked);
    assert.deepEqual(await other.refused('process/startedWith', { processId: 'p' }), [
      -32600,
      'unknown process id p',
    ]);
  });

  it('changes by what several clients say, each for its own keys', async () => {
    const [one, other] = [await fixture.client(), await fixture.client()];
    await one.start('p', ['cat'], { pipeStdin: true, owned: true });
    const { processes } = await other.request('process/list');
    const [{ handle }] = processes as [Description];
    await other.request('process/attach', { handle, processId: 'q' });
    await Promise.all([
      one.request('process/describe', { processId: 'p', patch: { one: 1, both: 1 } }),
      other.request('process/describe', { processId: 'q', patch: { other: 2 } }),
    ]);
    await other.request('process/describe', { processId: 'q', patch: { both: null } });
    const [{ metadata }] = (await one.request('process/list'))['processes'] as [Description];
    assert.deepEqual(metadata, { one: 1, other: 2 });
    assert.deepEqual(
      await one.refused('process/describe', { processId: 'p', patch: { long: 'x'.repeat(65_536) } }),
      [-32602, 'the metadata would be larger than 65536 characters'],
    );
    const whenGone = { patch: { long: 'x'.repeat(65_536) } };
    assert.deepEqual(await one.refused('process/describe', { processId: 'p', patch: { a: 1 }, whenGone }), [
      -32602,
      'the metadata would be larger than 65536 characters',
    ]);
    assert.deepEqual(await one.refused('process/describe', { processId: 'p', patch: 3 }), [
      -32602,
      '"patch" is wrong: it has to be an object',
    ]);
  });
});
