import assert from 'node:assert/strict';

import { ConnectionSessions } from '../../../src/server/sessions/connectionSessions.js';
import { OutputTurns } from '../../../src/server/sessions/outputTurns.js';
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
      turns: new OutputTurns(),
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

describe('A start that its client has given up', () => {
  it('is not begun, whether it is read before its withdrawal or after it', async () => {
    const clock = new FakeClock();
    const backend = new ScriptedBackend(clock);
    const options = {
      backend,
      clock,
      reach: 'session',
      detachedMs: DETACHED_MS,
      processesOfEach: 10,
    } as const;
    const sessions = new ConnectionSessions({ ...options, onCountChange: () => undefined });
    const { wire, signal } = new FakeConnection();
    const session = sessions.open(
      { wire, turns: new OutputTurns(), signal, answersPings: () => true },
      undefined,
    );
    const before = assert.rejects(session.start('before', params({ argv: ['x'] })), /cancelled/);
    await session.terminate('before');
    await before;
    await session.terminate('after');
    await assert.rejects(session.start('after', params({ argv: ['x'] })), /cancelled/);
    assert.deepEqual(backend.processes, []);
    for (let count = 0; count <= 1_000; count += 1) {
      await session.terminate(`p${count}`);
    }
    await session.start('p0', params({ argv: ['x'] }));
    await assert.rejects(session.start('p1', params({ argv: ['x'] })), /cancelled/);
    sessions.dispose();
  });
});
