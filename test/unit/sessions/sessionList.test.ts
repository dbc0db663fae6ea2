import assert from 'node:assert/strict';

import { ExecError, type LaunchRequest } from '../../../src/core/index.js';
import { SessionList } from '../../../src/sessions/list/sessionList.js';
import type { Session } from '../../../src/sessions/list/session.js';
import { FakeClock } from '../../support/fakeClock.js';
import { ScriptedBackend, type ScriptedProcess } from '../../support/scriptedBackend.js';

const REQUEST: LaunchRequest = {
  argv: ['npm', 'test'],
  cwd: '/w',
  env: {},
  tty: true,
  origin: { kind: 'user' },
};

function setUp(limits = { endedSessions: 200, outputBytes: 1_000_000 }) {
  const clock = new FakeClock();
  const backend = new ScriptedBackend(clock);
  const environment = { id: 'local', label: 'This computer', backend };
  const list = new SessionList({ limits: () => limits, clock });
  const changes: string[] = [];
  list.onDidChange(({ type, session }) => changes.push(`${type} ${session.label}`));
  const start = async (some: Partial<LaunchRequest> = {}): Promise<[Session, ScriptedProcess]> => {
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
    assert.equal(session.state, 'running');
    assert.equal(list.get(session.id), session);
    assert.equal(changes[0], 'added npm test');
  });

  it('keeps nothing of a start that failed', async () => {
    const { list, backend, changes, start } = setUp();
    backend.refusal = new ExecError({ kind: 'programNotFound', program: 'no', cwd: '/' });
    await assert.rejects(start(), /there is no such program/);
    assert.deepEqual(list.sessions, []);
    assert.deepEqual(changes, ['added npm test', 'removed npm test']);
  });

  it('lets go of a backend that is lost, before or after its last session has gone', async () => {
    for (const first of ['lost', 'removed']) {
      const { list, backend, start } = setUp();
      const [session, process] = await start();
      process.ends(0);
      assert.ok(backend.watched);
      if (first === 'lost') {
        backend.fails('cut');
        list.remove([session]);
      } else {
        list.remove([session]);
        backend.fails('cut');
      }
      assert.ok(!backend.watched, first);
    }
  });

  it('shows how a process goes on', async () => {
    const { start, changes } = setUp();
    const [session, process] = await start();
    process.exits(3);
    assert.deepEqual(
      [session.state, session.ended, session.snapshot().exit],
      ['exited', true, { exitCode: 3 }],
    );
    process.closes();
    assert.equal(session.state, 'closed');
    assert.equal(changes.filter((change) => change.startsWith('changed')).length, 3);
  });

  it('holds a session until it is removed', async () => {
    const { list, start } = setUp();
    const [session, process] = await start();
    assert.deepEqual(list.remove([session]), []);
    process.exits(0);
    process.closes();
    assert.equal(process.holders, 1);
    assert.deepEqual(list.remove([session, session]), [session]);
    assert.equal(process.holders, 0);
    assert.equal(list.get(session.id), undefined);
  });

  it('keeps for a while what was set aside, and puts it back where it was', async () => {
    const { list, changes, clock, start } = setUp();
    const [one, first] = await start({ title: 'one' });
    const [two] = await start({ title: 'two' });
    const [three, third] = await start({ title: 'three' });
    first.ends(0);
    third.ends(1);
    changes.length = 0;
    const removal = list.setAside([one, two, three, one], 10_000);
    assert.deepEqual(removal.sessions, [one, three], 'what runs stays');
    assert.deepEqual([list.sessions, changes], [[two], ['removed one', 'removed three']]);
    assert.deepEqual([first.holders, list.get(one.id)], [1, undefined]);
    clock.advance(9_999);
    assert.deepEqual(removal.undo(), [one, three]);
    assert.deepEqual(list.sessions, [one, two, three]);
    assert.deepEqual(changes.slice(2), ['restored one', 'restored three']);
    clock.advance(10_000);
    assert.deepEqual([first.holders, third.holders, removal.undo()], [1, 1, []], 'nothing is let go of');
    one.rename('still followed');
    assert.equal(changes.at(-1), 'changed still followed');
    list.setAside([one], 10_000);
    list.dispose();
    assert.deepEqual([first.holders, third.holders], [0, 0]);
  });

  it('lets go of what was set aside when the time is over', async () => {
    const { list, backend, clock, start } = setUp();
    const [session, process] = await start();
    process.ends(0);
    const removal = list.setAside([session], 10_000);
    assert.equal((await backend.list()).length, 1, 'until then its backend has it');
    assert.ok(list.isSetAside(backend, session.processId));
    clock.advance(10_000);
    assert.deepEqual([process.holders, removal.undo(), list.sessions], [0, [], []]);
    assert.deepEqual(await backend.list(), [], 'no other window shows it');
    assert.ok(!list.isSetAside(backend, session.processId));
    backend.fails('cut');
    assert.ok(!backend.watched);
  });

  it('runs a session again as another one that remembers it', async () => {
    const { list, start } = setUp();
    const [session] = await start({ title: 'tests' });
    const again = await list.runAgain(session);
    assert.notEqual(again.id, session.id);
    assert.deepEqual([again.previousId, again.label], [session.id, 'tests']);
    assert.equal(list.sessions.length, 2);
  });

  it('runs a session again in its sandbox, also if that is known only from its server', async () => {
    const sandbox = { places: [{ path: '/w', access: 'write' }], network: false } as const;
    const { list, backend, environment, start } = setUp();
    const [session] = await start({ sandbox });
    assert.deepEqual(session.snapshot().sandbox, sandbox);
    await list.runAgain(session);
    const there = backend.runs({ processId: 'h1', argv: ['make'], cwd: '/w', env: {}, tty: false, sandbox });
    await list.runAgain(list.adopt(environment, there, REQUEST));
    assert.deepEqual(
      backend.processes.map(({ params }) => params.sandbox),
      [sandbox, sandbox, sandbox, sandbox],
    );
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

  it('makes what an agent had started a session of the person who runs it again', async () => {
    const { list, start } = setUp();
    const [session] = await start({ origin: { kind: 'agent', name: 'Codex' } });
    assert.equal(session.snapshot().controller, 'agent');
    const again = await list.runAgain(session);
    assert.deepEqual(again.request.origin, { kind: 'user' });
    assert.equal(again.control, undefined);
    const [extension] = await start({ origin: { kind: 'extension', name: 'x' } });
    assert.deepEqual((await list.runAgain(extension)).request.origin, { kind: 'extension', name: 'x' });
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

  it('takes the signal of a person for the end, unless it could not be sent', async () => {
    const { start } = setUp();
    const [session, process] = await start();
    process.signal = () => Promise.reject(new Error('no such signal'));
    await assert.rejects(session.signalAsPerson('SIGTERM'), /no such signal/);
    process.ends(143, 'SIGTERM');
    assert.equal(session.snapshot().stopped, undefined);
    const [other, itsProcess] = await start();
    await other.signalAsPerson('SIGTERM');
    itsProcess.ends(143, 'SIGTERM');
    assert.equal(other.snapshot().stopped, true);
  });

  it('remembers who has sent the last signal that was sent', async () => {
    const { start } = setUp();
    const [session, process] = await start();
    await process.describe({ signalledBy: { kind: 'agent', signal: 'SIGINT', name: 'Codex' } });
    process.signal = () => Promise.reject(new Error('no such signal'));
    await assert.rejects(session.signalAsPerson('SIGINT'), /no such signal/);
    process.ends(130, 'SIGINT');
    const { stopped, signalledByAgent } = session.snapshot();
    assert.deepEqual([stopped, signalledByAgent], [undefined, true]);
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
        process.exits(0);
        process.closes();
      }
      const [, exited] = await start({ title: 'exited' });
      exited.exits(0);
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
      firstProcess.prints('x'.repeat(40));
      firstProcess.prints('y'.repeat(40));
      const [ended, endedProcess] = await start({ title: 'ended' });
      endedProcess.prints('z'.repeat(50));
      endedProcess.exits(0);
      endedProcess.closes();
      const retained = () => [first, ended].map((session) => session.process.info().output.retainedBytes);
      clock.advance(1_000);
      assert.deepEqual(retained(), [80, 0]);
      assert.equal(changes.at(-1), 'changed ended');
      firstProcess.prints('w'.repeat(40));
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
