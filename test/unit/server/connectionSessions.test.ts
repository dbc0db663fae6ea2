import assert from 'node:assert/strict';

import { ConnectionSessions } from '../../../src/server/sessions/connectionSessions.js';
import { FakeClock } from '../../support/fakeClock.js';
import { ScriptedBackend } from '../../support/scriptedBackend.js';
import { settle } from '../../support/settle.js';
import { params } from '../../support/startParams.js';
import { FakeConnection } from './connectionContext.js';

const DETACHED_MS = 1_000;

describe('The session of a client that has not come back', () => {
  it('ends with its processes, but for owned and closed ones, also if the backend cannot list them', async () => {
    const clock = new FakeClock();
    const backend = new ScriptedBackend(clock);
    const sessions = new ConnectionSessions({
      backend,
      clock,
      reach: 'session',
      detachedMs: DETACHED_MS,
      processesOfEach: 10,
      onCountChange: () => undefined,
    });
    const connection = {
      wire: new FakeConnection().wire,
      signal: new FakeConnection().signal,
      answersPings: () => true,
    };
    const session = sessions.open(connection, undefined);
    await session.start('runs', params({ argv: ['x'] }));
    await session.start('owned', params({ argv: ['x'], owned: true }));
    const closed = await session.start('closed', params({ argv: ['x'] }));
    backend.processes.find(({ processId }) => processId === closed.process.processId)?.ends(0);
    const runs = session.handleNamed('runs');
    const terminated: string[] = [];
    backend.terminate = (handle) => {
      terminated.push(handle);
      return Promise.resolve({ running: true });
    };
    backend.list = () => Promise.reject(new Error('no list'));
    sessions.detach(session, connection);
    clock.advance(DETACHED_MS);
    await settle();
    assert.deepEqual(terminated, [runs]);
    sessions.dispose();
  });
});
