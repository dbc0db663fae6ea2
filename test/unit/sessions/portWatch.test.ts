import assert from 'node:assert/strict';

import { SessionList } from '../../../src/sessions/list/index.js';
import { PortWatch } from '../../../src/sessions/tree/index.js';
import { FakeClock } from '../../support/fakeClock.js';
import { ScriptedBackend } from '../../support/scriptedBackend.js';

function setUp() {
  const clock = new FakeClock();
  const backend = new ScriptedBackend(clock);
  const list = new SessionList({ clock });
  const watch = new PortWatch(clock, list);
  const looks: number[] = [];
  const start = async () => {
    const session = await list.start(
      { id: 'local', label: 'This machine', backend },
      { argv: ['x'], cwd: '/', env: {}, tty: false, origin: { kind: 'user' } },
    );
    const process = backend.processes.at(-1) ?? assert.fail();
    const answer = { ports: [] as number[], pending: false };
    process.usage = () => {
      looks.push(clock.now());
      const ports = answer.ports.map((port) => ({ port, addresses: ['::'] }));
      return answer.pending
        ? new Promise(() => undefined)
        : Promise.resolve({ processes: 1, cpuSeconds: 0, memoryBytes: 5, ports });
    };
    return { session, process, answer };
  };
  /** Moves on in small steps, so that answers come in time. */
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 500) {
      clock.advance(500);
      await new Promise(setImmediate);
    }
  };
  return { clock, watch, looks, start, pass };
}

describe('The watch on ports', () => {
  it('looks after a start, less and less often, and only while it can be seen', async () => {
    const { watch, looks, start, pass } = setUp();
    const { session, answer } = await start();
    await pass(10_000);
    assert.deepEqual([looks, session.snapshot().ports], [[], undefined]);
    watch.setVisible(true);
    answer.ports = [3000];
    await pass(16_000);
    assert.deepEqual(looks, [11_000, 12_000, 14_000, 18_000, 26_000]);
    assert.deepEqual(session.snapshot().ports, [3000]);
    await pass(600_000);
    const [before = 0, last = 0] = looks.slice(-2);
    assert.equal(last - before, 60_000);
    watch.setVisible(false);
    const count = looks.length;
    await pass(600_000);
    assert.equal(looks.length, count);
  });

  it('looks soon after output, and no more often than every five seconds', async () => {
    const { watch, clock, looks, start, pass } = setUp();
    watch.setVisible(true);
    const { process } = await start();
    await pass(300_000);
    looks.length = 0;
    const from = clock.now();
    for (let written = 0; written < 30; written += 1) {
      process.prints('ready\n');
      await pass(500);
    }
    assert.deepEqual(
      looks.map((at) => at - from),
      [1_000, 6_000, 11_000],
    );
  });

  it('asks each session once at a time, and none that has ended', async () => {
    const { watch, looks, start, pass } = setUp();
    watch.setVisible(true);
    const { session, process, answer } = await start();
    answer.ports = [3000];
    await pass(1_000);
    assert.deepEqual(session.ports, [3000]);
    answer.pending = true;
    await pass(60_000);
    process.prints('ready\n');
    await pass(60_000);
    assert.equal(looks.length, 2);
    process.ends(0);
    assert.deepEqual([session.ports, session.snapshot().ports], [[], undefined]);
    await pass(600_000);
    assert.equal(looks.length, 2);
  });
});
