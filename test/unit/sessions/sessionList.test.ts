import assert from 'node:assert/strict';

import { SessionList, type Session, type SessionRequest } from '../../../src/sessions/index.js';
import { FakeBackend, type FakeProcess } from '../../support/fakeBackend.js';
import { FakeClock } from '../../support/fakeClock.js';

const REQUEST: SessionRequest = {
  argv: ['npm', 'test'],
  cwd: '/w',
  env: {},
  tty: true,
  origin: { kind: 'user' },
};

function setUp(limits = { endedSessions: 200, outputBytes: 1_000_000 }) {
  const backend = new FakeBackend();
  const environment = { id: 'local', label: 'This computer', backend };
  const clock = new FakeClock();
  const list = new SessionList({ limits: () => limits, clock });
  const changes: string[] = [];
  list.onDidChange(({ type, session }) => changes.push(`${type} ${session.label}`));
  const start = async (some: Partial<SessionRequest> = {}): Promise<[Session, FakeProcess]> => {
    const session = await list.start(environment, { ...REQUEST, ...some });
    return [session, backend.processes.at(-1) ?? assert.fail('not started')];
  };
  return { backend, environment, clock, list, changes, start };
}

describe('SessionList', () => {
  it('has a session from the first moment of its start', async () => {
    const { list, environment, changes } = setUp();
    const starting = list.start(environment, REQUEST);
    assert.deepEqual(
      list.sessions.map((session) => session.state),
      ['starting'],
    );
    const session = await starting;
    assert.deepEqual([session.state, session.snapshot().pid], ['running', 1234]);
    assert.equal(list.get(session.id), session);
    assert.equal(changes[0], 'added npm test');
  });

  it('keeps nothing of a start that failed', async () => {
    const { list, backend, changes, start } = setUp();
    backend.refuse = true;
    await assert.rejects(start(), /there is no such program/);
    assert.deepEqual(list.sessions, []);
    assert.deepEqual(changes, ['added npm test', 'removed npm test']);
  });

  it('shows how a process goes on', async () => {
    const { start, changes } = setUp();
    const [session, process] = await start();
    process.exit(3);
    assert.deepEqual(
      [session.state, session.ended, session.snapshot().exit],
      ['exited', true, { exitCode: 3 }],
    );
    process.close();
    assert.equal(session.state, 'closed');
    assert.equal(changes.filter((change) => change.startsWith('changed')).length, 3);
  });

  it('holds a session until it is removed', async () => {
    const { list, start } = setUp();
    const [session, process] = await start();
    assert.deepEqual(list.remove([session]), []);
    process.exit(0);
    process.close();
    assert.equal(process.holders, 1);
    assert.deepEqual(list.remove([session, session]), [session]);
    assert.equal(process.holders, 0);
    assert.equal(list.get(session.id), undefined);
  });

  it('runs a session again as another one that remembers it', async () => {
    const { list, start } = setUp();
    const [session] = await start({ title: 'tests' });
    const again = await list.runAgain(session);
    assert.notEqual(again.id, session.id);
    assert.deepEqual([again.previousId, again.label], [session.id, 'tests']);
    assert.equal(list.sessions.length, 2);
  });

  it('runs a session again under the name that it has now', async () => {
    const { list, start } = setUp();
    const [session] = await start({ title: 'tests' });
    session.rename('renamed');
    const again = await list.runAgain(session);
    assert.equal(again.label, 'renamed');
    assert.equal((await list.runAgain(again)).label, 'renamed');
    session.rename('');
    assert.equal((await list.runAgain(session)).label, 'npm test');
  });

  it('calls a session by its title, or else by its command line', async () => {
    const { start } = setUp();
    const [session] = await start({ argv: ['echo', `it's`, 'a b'] });
    assert.equal(session.label, `echo 'it'\\''s' 'a b'`);
    session.rename(' greeting ');
    assert.equal(session.label, 'greeting');
    session.rename('  ');
    assert.equal(session.label, session.commandLine);
  });

  it('says that a session is being stopped', async () => {
    const { list, start } = setUp();
    const [session] = await start();
    const seen: boolean[] = [];
    list.onDidChange(() => seen.push(session.snapshot().stopping));
    await session.stop();
    assert.deepEqual([seen[0], seen.at(-1)], [true, false]);
  });

  describe('limits', () => {
    it('lets the oldest ended sessions go, and no other', async () => {
      const { clock, list, start } = setUp({ endedSessions: 2, outputBytes: 1_000_000 });
      const [running] = await start({ title: 'running' });
      for (const title of ['one', 'two', 'three']) {
        const [, process] = await start({ title });
        process.exit(0);
        process.close();
      }
      const [, exited] = await start({ title: 'exited' });
      exited.exit(0);
      clock.advance(1_000);
      assert.deepEqual(
        list.sessions.map(({ label }) => label),
        ['running', 'two', 'three', 'exited'],
      );
      assert.equal(running.state, 'running');
    });

    it('lets output go: that of ended sessions first, then the oldest of running ones', async () => {
      const { clock, list, changes, start } = setUp({ endedSessions: 200, outputBytes: 100 });
      const [first, firstProcess] = await start({ title: 'first' });
      firstProcess.print('x'.repeat(40));
      firstProcess.print('y'.repeat(40));
      const [ended, endedProcess] = await start({ title: 'ended' });
      endedProcess.print('z'.repeat(50));
      endedProcess.exit(0);
      endedProcess.close();
      const retained = () => [first, ended].map((session) => session.process.info().output.retainedBytes);
      clock.advance(1_000);
      assert.deepEqual(retained(), [80, 0]);
      assert.equal(changes.at(-1), 'changed ended');
      firstProcess.print('w'.repeat(40));
      clock.advance(1_000);
      assert.deepEqual(retained(), [80, 0]);
      assert.equal(first.snapshot().output.evicted.bytes, 40);
      assert.equal(list.sessions.length, 2);
    });

    it('cost no timer while nothing happens', async () => {
      const { clock, start } = setUp();
      await start();
      clock.advance(1_000);
      assert.equal(clock.pendingTimers, 0);
    });
  });

  it('gives everything back at the end, and takes no more', async () => {
    const { backend, list, start } = setUp();
    await start();
    list.dispose();
    assert.equal(backend.processes[0]?.holders, 0);
    await assert.rejects(start(), /shut down/);
  });
});
