import assert from 'node:assert/strict';

import type { Survivor } from '../../../src/core/index.js';
import { SessionEvents, SessionList, SurvivorWatch, type Session } from '../../../src/sessions/list/index.js';
import { FakeClock } from '../../support/fakeClock.js';
import { BASE_SERVER, ScriptedBackend } from '../../support/scriptedBackend.js';

const AGENT: Survivor = { pid: 7, startTime: '5', command: 'ssh-agent', why: 'otherSession' };
const OTHER: Survivor = { pid: 8, startTime: '5', command: 'tmux', why: 'otherSession' };
/** Longer than the watch waits after an end. */
const LATER_MS = 5_000;

async function setUp(capabilities?: typeof BASE_SERVER) {
  const clock = new FakeClock();
  const backend = new ScriptedBackend(clock, capabilities && { capabilities });
  const list = new SessionList({ clock });
  const found: (readonly number[])[] = [];
  const watch = new SurvivorWatch(new SessionEvents(list), clock, (session: Session) =>
    found.push(session.survivors.map(({ pid }) => pid)),
  );
  const session = await list.start(
    { id: 'local', label: 'This machine', backend },
    { argv: ['x'], cwd: '/', env: {}, tty: false, origin: { kind: 'user' } },
  );
  const [process] = backend.processes;
  assert.ok(process);
  const later = async () => {
    clock.advance(LATER_MS);
    await new Promise(setImmediate);
  };
  return { clock, list, watch, session, process, found, later };
}

describe('The watch for survivors of sessions', () => {
  it('looks some time after the exit, and again after the close', async () => {
    const { session, process, found, later } = await setUp();
    process.left = [AGENT];
    process.exits(0);
    assert.deepEqual(session.survivors, []);
    await later();
    assert.deepEqual([session.survivors, found], [[AGENT], [[7]]]);
    assert.deepEqual(session.snapshot().survivors, [AGENT]);
    process.left = [];
    process.closes();
    await later();
    assert.deepEqual([session.survivors, session.snapshot().survivors], [[], undefined]);
  });

  it('looks again as long as something is left', async () => {
    const { clock, session, process, later } = await setUp();
    process.left = [AGENT];
    process.ends(0);
    await later();
    assert.deepEqual(session.survivors, [AGENT]);
    clock.advance(60_000);
    await later();
    process.left = [];
    clock.advance(60_000);
    await later();
    assert.deepEqual(session.survivors, []);
    process.left = [OTHER];
    clock.advance(60_000);
    await later();
    assert.deepEqual(session.survivors, [], 'nothing new comes of what has ended');
  });

  for (const [what, then, told] of [
    ['not again of the same', [AGENT], [[7]]],
    ['of another one beside it', [AGENT, OTHER], [[7], [7, 8]]],
    ['of another one with its number', [{ ...AGENT, startTime: '6' }], [[7], [7]]],
  ] as const) {
    it(`tells of each process once: ${what}`, async () => {
      const { process, found, later } = await setUp();
      process.left = [AGENT];
      process.exits(0);
      await later();
      process.left = then;
      process.closes();
      await later();
      assert.deepEqual(found, told);
    });
  }

  it('looks at once at all that have ended within the same second, each after a second at least', async () => {
    const { clock, list, process, session } = await setUp();
    const { environment } = session;
    const second = await list.start(environment, {
      argv: ['y'],
      cwd: '/',
      env: {},
      tty: false,
      origin: { kind: 'user' },
    });
    const other = environment.backend instanceof ScriptedBackend && environment.backend.processes[1];
    assert.ok(other);
    process.left = [AGENT];
    other.left = [OTHER];
    clock.advance(1_000 - (clock.now() % 1_000));
    process.ends(0);
    clock.advance(999);
    other.ends(0);
    clock.advance(1_000);
    await new Promise(setImmediate);
    assert.deepEqual([session.survivors, second.survivors], [[], []]);
    clock.advance(1);
    await new Promise(setImmediate);
    assert.deepEqual([session.survivors, second.survivors], [[AGENT], [OTHER]]);
  });

  it('does not look once it has been disposed of', async () => {
    const { watch, session, process, later } = await setUp();
    process.left = [AGENT];
    process.exits(0);
    watch.dispose();
    process.closes();
    await later();
    assert.deepEqual(session.survivors, []);
  });

  it('does not look at what is lost or removed, or where nobody can', async () => {
    const base = await setUp(BASE_SERVER);
    const removed = await setUp();
    const lost = await setUp();
    for (const { process } of [base, removed, lost]) {
      process.left = [AGENT];
    }
    base.process.ends(0);
    removed.process.ends(0);
    removed.list.remove([removed.session]);
    lost.process.fails('gone');
    for (const { later, found, session } of [base, removed, lost]) {
      await later();
      assert.deepEqual([session.survivors, found], [[], []]);
    }
  });
});
