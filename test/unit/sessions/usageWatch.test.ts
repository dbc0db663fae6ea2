import assert from 'node:assert/strict';

import type { ProcessUsage } from '../../../src/core/index.js';
import { SessionList } from '../../../src/sessions/list/index.js';
import { UsageWatch } from '../../../src/sessions/tree/index.js';
import { FakeClock } from '../../support/fakeClock.js';
import { BASE_SERVER, ScriptedBackend } from '../../support/scriptedBackend.js';

/** Moves on in small steps, so that answers come in time. */
async function passIn(clock: FakeClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 100) {
    clock.advance(100);
    await new Promise(setImmediate);
  }
}

async function setUp(capabilities?: typeof BASE_SERVER) {
  const clock = new FakeClock();
  const backend = new ScriptedBackend(clock, capabilities && { capabilities });
  const list = new SessionList({ clock });
  const session = await list.start(
    { id: 'local', label: 'This machine', backend },
    { argv: ['x'], cwd: '/', env: {}, tty: false, origin: { kind: 'user' } },
  );
  const [process] = backend.processes;
  assert.ok(process);
  let changes = 0;
  let asked = 0;
  let cpuSeconds = 0;
  process.usage = () => {
    asked += 1;
    return Promise.resolve({ processes: 1, cpuSeconds, memoryBytes: 5 } satisfies ProcessUsage);
  };
  const watch = new UsageWatch(clock, () => (changes += 1));
  const pass = (ms: number) => passIn(clock, ms);
  return {
    clock,
    session,
    process,
    watch,
    pass,
    burn: (seconds: number) => (cpuSeconds += seconds),
    counts: () => ({ asked, changes }),
    percent: () => {
      const reading = watch.reading(session);
      return reading !== undefined && 'usage' in reading ? reading.cpuPercent : undefined;
    },
  };
}

describe('The watch on what sessions use', () => {
  it('looks twice in a moment, and then every two seconds, only while it can be seen', async () => {
    const { session, watch, pass, counts } = await setUp();
    watch.watch(session);
    await pass(5_000);
    assert.deepEqual(counts(), { asked: 0, changes: 0 });
    watch.setVisible(true);
    await pass(100);
    assert.deepEqual(counts(), { asked: 1, changes: 1 });
    await pass(500);
    assert.deepEqual(counts(), { asked: 2, changes: 2 });
    await pass(4_000);
    assert.deepEqual(counts(), { asked: 4, changes: 4 });
    watch.setVisible(false);
    await pass(10_000);
    assert.deepEqual(counts(), { asked: 4, changes: 4 });
    watch.setVisible(true);
    await pass(100);
    assert.equal(counts().asked, 5);
  });

  it('tells the part of a processor since the look before, and none over a long pause', async () => {
    const { session, watch, pass, burn, percent } = await setUp();
    watch.setVisible(true);
    watch.watch(session);
    await pass(100);
    assert.equal(percent(), undefined);
    burn(0.25);
    await pass(500);
    assert.equal(percent(), 50);
    burn(3);
    await pass(2_000);
    assert.equal(percent(), 150);
    burn(-1);
    await pass(2_000);
    assert.equal(percent(), 0, 'a process has ended, with its time');
    watch.setVisible(false);
    await pass(60_000);
    watch.setVisible(true);
    await pass(100);
    assert.equal(percent(), undefined);
  });

  it('looks at all sessions at the same moments, whenever each was expanded', async () => {
    const clock = new FakeClock();
    const backend = new ScriptedBackend(clock);
    const list = new SessionList({ clock });
    const looks = new Map<string, number[]>();
    const watch = new UsageWatch(clock, () => undefined);
    watch.setVisible(true);
    const expand = async (name: string) => {
      const session = await list.start(
        { id: 'local', label: 'This machine', backend },
        { argv: [name], cwd: '/', env: {}, tty: false, origin: { kind: 'user' } },
      );
      const moments: number[] = [];
      looks.set(name, moments);
      const process = backend.processes.at(-1) ?? assert.fail();
      process.usage = () => {
        moments.push(clock.now());
        return Promise.resolve({ processes: 1, cpuSeconds: 0, memoryBytes: 5 });
      };
      watch.watch(session);
    };
    await expand('first');
    await passIn(clock, 700);
    await expand('second');
    await passIn(clock, 1_200);
    await expand('third');
    await passIn(clock, 6_000);
    watch.dispose();
    assert.deepEqual(Object.fromEntries(looks), {
      first: [0, 600, 2_600, 4_600, 6_600],
      second: [700, 1_300, 2_600, 4_600, 6_600],
      // At 2,600 a percentage would be one over a tenth of a second.
      third: [1_900, 2_500, 4_600, 6_600],
    });
  });

  it('asks once at a time, and drops an answer that nobody wants any more', async () => {
    const { session, process, watch, pass, counts } = await setUp();
    let asked = 0;
    const answers: ((usage: ProcessUsage) => void)[] = [];
    process.usage = () => {
      asked += 1;
      return new Promise((answer) => answers.push(answer));
    };
    watch.setVisible(true);
    watch.watch(session);
    await pass(10_000);
    watch.setVisible(false);
    watch.setVisible(true);
    await pass(10_000);
    assert.equal(asked, 1);
    watch.forget(session);
    answers[0]?.({ processes: 1, cpuSeconds: 1, memoryBytes: 1 });
    await pass(10_000);
    assert.deepEqual([asked, counts().changes, watch.reading(session)], [1, 0, undefined]);
  });

  it('keeps the reason if it cannot be known, and looks again', async () => {
    const { session, process, watch, pass, counts } = await setUp();
    const { usage } = process;
    const reason = new Error('not now');
    process.usage = () => Promise.reject(reason);
    watch.setVisible(true);
    watch.watch(session);
    await pass(100);
    assert.deepEqual(watch.reading(session), { error: reason });
    process.usage = usage;
    await pass(2_000);
    assert.equal(counts().changes, 2);
    assert.ok('usage' in (watch.reading(session) ?? {}));
  });

  it('ends with the session, and with itself', async () => {
    const one = await setUp();
    one.watch.setVisible(true);
    one.watch.watch(one.session);
    await one.pass(100);
    one.process.ends(0);
    await one.pass(10_000);
    assert.equal(one.counts().asked, 1);
    const other = await setUp();
    other.watch.setVisible(true);
    other.watch.watch(other.session);
    await other.pass(100);
    other.watch.dispose();
    await other.pass(10_000);
    assert.equal(other.counts().asked, 1);
  });

  it('asks no server that cannot tell', async () => {
    const { session, watch, pass, counts } = await setUp(BASE_SERVER);
    watch.setVisible(true);
    watch.watch(session);
    await pass(10_000);
    assert.equal(counts().asked, 0);
  });
});
