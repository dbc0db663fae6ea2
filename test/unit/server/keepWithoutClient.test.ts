import assert from 'node:assert/strict';

import type { ProcessMetadata } from '../../../src/core/index.js';
import { KeepWithoutClient, type KeepTimes } from '../../../src/server/sessions/keepWithoutClient.js';
import { FakeClock } from '../../support/fakeClock.js';
import { ScriptedBackend, type ScriptedProcess } from '../../support/scriptedBackend.js';
import { settle } from '../../support/settle.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const AGENT = { origin: { kind: 'agent', name: 'Claude' } };

function setUp(times?: KeepTimes) {
  const clock = new FakeClock(5_000);
  const backend = new ScriptedBackend(clock);
  const seen: string[] = [];
  const keep = new KeepWithoutClient({
    backend,
    clock,
    times,
    onOver: () => seen.push('over'),
    log: () => undefined,
  });
  const start = (processId: string, metadata: ProcessMetadata = {}, owned = true): ScriptedProcess => {
    const process = backend.runs({ processId, argv: ['x'], cwd: '/', env: {}, tty: false, metadata, owned });
    process.stop = () => {
      seen.push(`stop ${processId}`);
      process.ends(130, 'SIGINT');
      return Promise.resolve({ running: true, steps: ['interrupt'], exited: true, survivors: [] });
    };
    return process;
  };
  const advance = async (ms: number) => {
    await settle();
    clock.advance(ms);
    await settle();
  };
  return { clock, backend, keep, seen, start, advance };
}

describe('Without any client', () => {
  it('processes of people and of agents each go on for their own time, unless they are kept', async () => {
    const { keep, seen, start, advance } = setUp({ personSeconds: 3_600, agentSeconds: 600 });
    keep.clientsChanged(1);
    start('person', { origin: { kind: 'user' } });
    start('agent', AGENT);
    start('kept', { ...AGENT, keep: true });
    start('of a session', AGENT, false);
    await advance(100 * HOUR_MS);
    assert.deepEqual(seen, []);
    keep.clientsChanged(0);
    await advance(10 * MINUTE_MS - 1);
    assert.deepEqual(seen, []);
    await advance(1);
    assert.deepEqual(seen, ['stop agent']);
    await advance(50 * MINUTE_MS - 1);
    assert.deepEqual(seen, ['stop agent']);
    await advance(1);
    assert.deepEqual(seen, ['stop agent', 'stop person', 'stop kept']);
  });

  it('a stopped process is marked with the reason and stays listed for the time of people; then the server ends', async () => {
    const { clock, keep, seen, start, advance } = setUp({ personSeconds: 3_600, agentSeconds: 600 });
    keep.clientsChanged(1);
    const agent = start('agent', AGENT);
    keep.clientsChanged(0);
    await advance(10 * MINUTE_MS);
    const endedBy = { kind: 'keepWithoutClient', afterSeconds: 600, at: clock.wallTime() };
    assert.deepEqual(agent.info().metadata, { ...AGENT, endedBy });
    await advance(HOUR_MS - 1);
    assert.deepEqual(seen, ['stop agent']);
    await advance(1);
    assert.deepEqual(seen, ['stop agent', 'over']);
    await advance(100 * HOUR_MS);
    assert.deepEqual(seen, ['stop agent', 'over']);
  });

  it('a process is stopped although its metadata has no room for the reason', async () => {
    const { keep, seen, start, advance } = setUp({ personSeconds: 3_600, agentSeconds: 600 });
    keep.clientsChanged(1);
    start('agent', AGENT).describe = () => Promise.reject(new Error('no room'));
    keep.clientsChanged(0);
    await advance(10 * MINUTE_MS);
    assert.deepEqual(seen, ['stop agent']);
  });

  it('a process is not stopped if its client returns during the look for due processes', async () => {
    const { clock, keep, seen, start, advance } = setUp({ personSeconds: 3_600, agentSeconds: 600 });
    keep.clientsChanged(1);
    start('agent', AGENT);
    keep.clientsChanged(0);
    await settle();
    clock.advance(10 * MINUTE_MS);
    keep.clientsChanged(1);
    await advance(0);
    assert.deepEqual(seen, []);
  });

  it('no process is stopped while an idle observer is connected', async () => {
    const { keep, seen, start, advance } = setUp({ personSeconds: 3_600, agentSeconds: 600 });
    keep.clientsChanged(1, 0);
    start('agent', AGENT);
    await advance(100 * HOUR_MS);
    assert.deepEqual(seen, []);
    keep.clientsChanged(0, 0);
    await advance(10 * MINUTE_MS);
    assert.deepEqual(seen, ['stop agent']);
  });

  it('a server without processes does not end if a client comes during the look for due processes', async () => {
    const { clock, keep, seen, advance } = setUp();
    await settle();
    clock.advance(10 * MINUTE_MS);
    keep.clientsChanged(1);
    await advance(0);
    assert.deepEqual(seen, []);
  });

  it('the time begins again when a client leaves', async () => {
    const { keep, seen, start, advance } = setUp({ personSeconds: 3_600, agentSeconds: 600 });
    start('p');
    await advance(HOUR_MS - 1);
    keep.clientsChanged(1);
    keep.clientsChanged(2);
    keep.clientsChanged(1);
    await advance(HOUR_MS);
    keep.clientsChanged(0);
    await advance(HOUR_MS - 1);
    assert.deepEqual(seen, []);
    await advance(1);
    assert.deepEqual(seen, ['stop p']);
  });

  it('0 means two minutes, so that a window can be reloaded; -1 and "keep" mean for ever', async () => {
    const { keep, seen, start, advance } = setUp({ personSeconds: 0, agentSeconds: -1 });
    keep.clientsChanged(1);
    start('person');
    start('agent', AGENT);
    start('kept for good', { origin: { kind: 'user' }, keep: true });
    keep.clientsChanged(0);
    await advance(2 * MINUTE_MS - 1);
    assert.deepEqual(seen, []);
    await advance(1);
    assert.deepEqual(seen, ['stop person']);
    await advance(10_000 * HOUR_MS);
    assert.deepEqual(seen, ['stop person']);
  });

  it('the times that a client set last apply, also to earlier processes', async () => {
    const { keep, seen, start, advance } = setUp();
    keep.clientsChanged(2);
    start('p');
    keep.setTimes({ personSeconds: 7_200, agentSeconds: 600 });
    keep.setTimes({ personSeconds: 3_600, agentSeconds: 600 });
    keep.clientsChanged(0);
    await advance(HOUR_MS);
    assert.deepEqual(seen, ['stop p']);
  });

  it('the times are twelve hours and ten minutes by default', async () => {
    const { seen, start, advance } = setUp();
    start('person');
    start('agent', AGENT);
    await advance(10 * MINUTE_MS);
    assert.deepEqual(seen, ['stop agent']);
    await advance(12 * HOUR_MS - 10 * MINUTE_MS - 1);
    assert.deepEqual(seen, ['stop agent']);
    await advance(1);
    assert.deepEqual(seen, ['stop agent', 'stop person']);
  });

  it('a server without processes is over after ten minutes', async () => {
    const { keep, seen, advance } = setUp();
    await advance(10 * MINUTE_MS - 1);
    keep.clientsChanged(1);
    await advance(HOUR_MS);
    keep.clientsChanged(0);
    await advance(10 * MINUTE_MS - 1);
    assert.deepEqual(seen, []);
    await advance(1);
    assert.deepEqual(seen, ['over']);
  });

  it('ended processes keep the server, and removed ones do not', async () => {
    const { backend, keep, seen, start, advance } = setUp({ personSeconds: 3_600, agentSeconds: 600 });
    keep.clientsChanged(1);
    start('p').ends(0);
    start('q').ends(0);
    await backend.remove('p');
    keep.clientsChanged(0);
    await advance(HOUR_MS - 1);
    assert.deepEqual(seen, []);
    await backend.remove('q');
    await advance(0);
    assert.deepEqual(seen, ['over']);
  });

  it('setting the clock changes nothing', async () => {
    const { clock, keep, seen, start, advance } = setUp({ personSeconds: 3_600, agentSeconds: 600 });
    keep.clientsChanged(1);
    start('p');
    keep.clientsChanged(0);
    await advance(MINUTE_MS);
    clock.set(1e12);
    await advance(HOUR_MS - MINUTE_MS - 1);
    clock.set(-1e12);
    await advance(0);
    assert.deepEqual(seen, []);
    await advance(1);
    assert.deepEqual(seen, ['stop p']);
  });

  it('a process that cannot be stopped is logged once, and keeps the server while it runs', async () => {
    const { keep, seen, start, advance } = setUp({ personSeconds: 3_600, agentSeconds: 600 });
    keep.clientsChanged(1);
    const stubborn = start('p');
    stubborn.stop = () => {
      seen.push('stop');
      return Promise.reject(new Error('no'));
    };
    keep.clientsChanged(0);
    await advance(HOUR_MS);
    await advance(10 * HOUR_MS);
    assert.deepEqual(seen, ['stop']);
    stubborn.ends(1);
    await advance(HOUR_MS);
    assert.deepEqual(seen, ['stop', 'over']);
  });

  it('a process that names its agent in an unknown form belongs to a person', async () => {
    const { keep, seen, start, advance } = setUp({ personSeconds: 3_600, agentSeconds: 600 });
    keep.clientsChanged(1);
    start('p', { origin: 'agent' });
    start('q', { origin: null, keep: 'true' });
    start('r', { ...AGENT, keep: 'true' });
    keep.clientsChanged(0);
    await advance(10 * MINUTE_MS);
    assert.deepEqual(seen, ['stop r']);
  });
});
