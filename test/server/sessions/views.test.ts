import assert from 'node:assert/strict';

import { useServer } from '../inProcess.js';
import type { RawClient } from '../rawClient.js';
import { cut } from './cut.js';

/** The primary viewer of the only process, as a client was told last. */
function standing(client: RawClient): string {
  const said = client.notifications.findLast(({ method }) => method === 'process/changed');
  const process = said?.params['process'] as { readonly view?: string } | undefined;
  return process?.view ?? 'none';
}

describe('The primary viewer of a process', () => {
  const fixture = useServer({ reach: 'server' });
  const connect = async (resumeSessionId?: string) => {
    const client = fixture.connect();
    const { sessionId } = await client.request('initialize', { clientName: 'test', resumeSessionId });
    client.notify('initialized', { changes: true });
    return { client, sessionId: String(sessionId) };
  };
  const view = (client: RawClient, state: string) =>
    client.request('process/view', { processId: 'p', state });
  const standings = (clients: readonly RawClient[], expected: readonly string[]) =>
    Promise.all(clients.map((client, index) => client.untilTrue(() => standing(client) === expected[index])));

  const setUp = async () => {
    const all = [await connect(), await connect(), await connect()] as const;
    const clients = all.map(({ client }) => client) as [RawClient, RawClient, RawClient];
    await clients[0].start('p', ['cat'], { tty: true, owned: true });
    const [{ handle }] = (await clients[0].request('process/list'))['processes'] as [{ handle: string }];
    for (const client of clients.slice(1)) {
      await client.request('process/attach', { handle, processId: 'p' });
    }
    return { clients, sessionIds: all.map(({ sessionId }) => sessionId), handle };
  };

  it('is the one that had it in focus last, and everybody knows', async () => {
    const { clients } = await setUp();
    const [one, two, three] = clients;
    await view(one, 'shown');
    // Known with the answer, and not some time after it.
    assert.equal(standing(one), 'primary');
    await view(two, 'shown');
    assert.equal(standing(two), 'other');
    await view(two, 'focused');
    assert.equal(standing(two), 'primary');
    await standings(clients, ['other', 'primary', 'other']);
    await view(two, 'shown');
    await view(three, 'none');
    await standings(clients, ['other', 'primary', 'other']);
  });

  it('is replaced by the next one when it hides the process, is cut off, or leaves', async () => {
    const { clients, sessionIds } = await setUp();
    const [one, two, three] = clients;
    await view(one, 'focused');
    await view(two, 'focused');
    await view(three, 'focused');
    await view(three, 'none');
    await standings(clients, ['other', 'primary', 'other']);
    await cut(two);
    await standings([one, three], ['primary', 'other']);
    // A client that comes back says again what it shows.
    const { client: again } = await connect(sessionIds[1]);
    await view(again, 'shown');
    assert.equal(standing(again), 'other');
    await cut(one);
    await standings([again, three], ['primary', 'other']);
    await view(again, 'none');
    await standings([again, three], ['none', 'none']);
  });

  it('is not set once the process is gone', async () => {
    const { clients, handle } = await setUp();
    const [one, two] = clients;
    await view(one, 'focused');
    await one.request('process/terminate', { processId: 'p' });
    await two.told('p', 'closed');
    await two.request('process/remove', { handle });
    assert.deepEqual(await one.refused('process/view', { processId: 'p', state: 'focused' }), [
      -32600,
      'unknown process id p',
    ]);
    const refused = await one.refused('process/view', { processId: 'p', state: 'big' });
    assert.match(refused[1], /"state" is wrong/);
  });
});
