import assert from 'node:assert/strict';
import { ExecError } from '../../../src/core/index.js';
import { SessionList } from '../../../src/sessions/list/sessionList.js';
import type { Session } from '../../../src/sessions/list/session.js';
import { SessionEvents } from '../../../src/sessions/list/sessionEvents.js';
import { FakeClock } from '../../support/fakeClock.js';
import { ScriptedBackend, type ScriptedProcess } from '../../support/scriptedBackend.js';

describe('what happens to sessions', () => {
  let clock: FakeClock;
  let backend: ScriptedBackend;
  let list: SessionList;
  let events: SessionEvents;
  let seen: string[];

  beforeEach(() => {
    clock = new FakeClock();
    backend = new ScriptedBackend(clock);
    list = new SessionList({ clock });
    events = new SessionEvents(list);
    seen = [];
    events.onDidStart(() => seen.push('start'));
    events.onDidExit(() => seen.push('exit'));
    events.onDidEnd(() => seen.push('end'));
    events.onDidRemove(() => seen.push('remove'));
  });

  const start = (): Promise<Session> =>
    list.start(
      { id: 'local', label: 'Local', backend },
      { argv: ['x'], cwd: '/', env: {}, tty: false, origin: { kind: 'user' } },
    );

  const processOf = (session: Session): ScriptedProcess => {
    const process = backend.processes.find(({ processId }) => processId === session.id);
    assert.ok(process);
    return process;
  };

  it('is told once and in order', async () => {
    const session = await start();
    assert.deepEqual(seen, ['start']);
    const process = processOf(session);
    process.exits(0);
    assert.deepEqual(seen, ['start', 'exit']);
    session.rename('a name');
    process.closes();
    session.rename('another');
    list.remove([session]);
    assert.deepEqual(seen, ['start', 'exit', 'end', 'remove']);
  });

  it('is told of a removal that is undone as a change', async () => {
    const session = await start();
    processOf(session).ends(0);
    events.onDidChange(() => seen.push('change'));
    seen.length = 0;
    list.setAside([session], 1_000).undo();
    assert.deepEqual(seen, ['remove', 'change']);
    list.remove([session]);
    assert.deepEqual(seen, ['remove', 'change', 'remove']);
  });

  it('is told of a lost session as its end', async () => {
    const session = await start();
    processOf(session).fails('The cable was cut.');
    assert.deepEqual(seen, ['start', 'end']);
  });

  it('is not told of a session that never started', async () => {
    backend.refusal = new ExecError({ kind: 'programNotFound', program: 'x', cwd: '/' });
    await assert.rejects(start(), /there is no such program/);
    assert.deepEqual(seen, []);
  });
});
