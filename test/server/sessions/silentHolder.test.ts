import assert from 'node:assert/strict';

import { until } from '../../support/until.js';
import { useServer } from '../inProcess.js';
import { base64, type RawClient } from '../rawClient.js';
import { cut } from './cut.js';

/** The time that a client has to answer. */
const HOLDER_ANSWER_MS = 2_000;

describe('On a private socket', () => {
  const fixture = useServer({ reach: 'server' });

  describe('a session whose client can be asked', () => {
    const ask = (sessionId: string) => {
      const client = fixture.connect();
      const answer = client.ask('initialize', { clientName: 'x', resumeSessionId: sessionId });
      return { client, answer };
    };

    async function held() {
      const holder = fixture.connect();
      const sessionId = await holder.handshake();
      holder.notify('initialized', { pings: true });
      await holder.start('p', ['cat'], { pipeStdin: true });
      return { holder, sessionId, timers: fixture.clock.pendingTimers };
    }

    const pinged = (holder: RawClient, times = 1) =>
      holder.untilTrue(
        () => holder.notifications.filter(({ method }) => method === 'server/ping').length === times,
      );

    it('stays with its connection if the client answers', async () => {
      const { holder, sessionId, timers } = await held();
      // However long it has been silent.
      fixture.clock.advance(60_000);
      const { client, answer } = ask(sessionId);
      await pinged(holder);
      fixture.clock.advance(HOLDER_ANSWER_MS - 1);
      holder.notify('client/pong');
      assert.equal((await answer).error?.code, -32010);
      assert.equal(fixture.clock.pendingTimers, timers);
      await holder.request('process/list');
      // A client that was refused may ask again.
      await cut(holder);
      const again = await client.request('initialize', { clientName: 'x', resumeSessionId: sessionId });
      assert.equal(again['sessionId'], sessionId);
    });

    it('is given to the connection that asks for it if there is no answer within two seconds', async () => {
      const { holder, sessionId } = await held();
      const { client, answer } = ask(sessionId);
      await pinged(holder);
      // Nothing is done for the new connection meanwhile.
      assert.deepEqual(await client.refused('initialize', { clientName: 'x' }), [
        -32600,
        'initialize may only be sent once per connection',
      ]);
      fixture.clock.advance(HOLDER_ANSWER_MS);
      assert.equal((await answer).result?.['sessionId'], sessionId);
      client.notify('initialized');
      await holder.ended;
      await client.request('process/write', { processId: 'p', chunk: base64('x\n'), writeId: '1' });
      await client.told('p', 'output');
      assert.equal(client.output('p'), 'x\n');
    });

    it('is given away at once when its connection ends meanwhile', async () => {
      const { holder, sessionId } = await held();
      const { answer } = ask(sessionId);
      await pinged(holder);
      await cut(holder);
      assert.equal((await answer).result?.['sessionId'], sessionId);
    });

    it('is given to one of those that ask for it, and not taken from that one again', async () => {
      const { holder, sessionId } = await held();
      const asked = [ask(sessionId)];
      await pinged(holder);
      fixture.clock.advance(1);
      asked.push(ask(sessionId), ask(sessionId));
      await pinged(holder, 3);
      fixture.clock.advance(HOLDER_ANSWER_MS - 1);
      const answers = await Promise.all(asked.map(({ answer }) => answer));
      assert.deepEqual(
        answers.map(({ error, result }) => error?.code ?? typeof result?.['sessionId']).sort(),
        [-32010, -32010, 'string'],
      );
      const winner = asked.find((_, index) => answers[index]?.result)?.client ?? assert.fail('nobody has it');
      winner.notify('initialized');
      await winner.request('process/list');
    });

    it('stays where it is when the connection that asks for it ends', async () => {
      const { holder, sessionId, timers } = await held();
      const { client } = ask(sessionId);
      await pinged(holder);
      await cut(client);
      await until(() => fixture.clock.pendingTimers, timers);
      await holder.request('process/write', { processId: 'p', chunk: base64('x\n'), writeId: '1' });
      await holder.told('p', 'output');
    });
  });
});
