import assert from 'node:assert/strict';

import { systemClock } from '../../src/core/index.js';
import { LocalBackend } from '../../src/local/index.js';
import { untilOutput } from '../support/collect.js';
import { describeOnLinux } from '../support/onLinux.js';
import { params, sh } from '../support/startParams.js';

const HOUR_MS = 3_600_000;

describeOnLinux('When somebody sets the clock of the machine @all', () => {
  const realNow = Date.now;
  const set = (aheadMs: number) => {
    Date.now = () => realNow() + aheadMs;
  };
  let backend: LocalBackend;

  beforeEach(() => (backend = new LocalBackend()));
  afterEach(async () => {
    Date.now = realNow;
    await backend.shutdown({ graceMs: { interrupt: 0, hangup: 0, terminate: 0 } });
  });

  it('the time for durations goes on, and that for people follows', () => {
    const before = systemClock.now();
    set(-HOUR_MS);
    assert.ok(systemClock.now() >= before);
    assert.ok(systemClock.now() - before < HOUR_MS / 2);
    assert.ok(systemClock.wallTime() < realNow() - HOUR_MS / 2);
  });

  it('an hour back, a stop still takes its steps and ends', async () => {
    const script = `trap 'echo interrupted' INT; trap 'echo asked' TERM; echo ready; while :; do sleep 0.05; done`;
    const session = await backend.start(params({ argv: sh(script) }));
    await untilOutput(session, 'ready');
    const stopped = session.stop({ graceMs: { interrupt: 200, terminate: 200 } });
    await untilOutput(session, 'interrupted');
    set(-HOUR_MS);
    assert.deepEqual((await stopped).steps, ['interrupt', 'terminate', 'kill']);
  });

  it('an hour on, it leaves the time that each step has', async () => {
    const script = `trap 'echo interrupted; sleep 0.3; exit 0' INT; echo ready; while :; do sleep 0.05; done`;
    const session = await backend.start(params({ argv: sh(script) }));
    await untilOutput(session, 'ready');
    const stopped = session.stop({ graceMs: { interrupt: 60_000 } });
    await untilOutput(session, 'interrupted');
    set(HOUR_MS);
    assert.deepEqual((await stopped).steps, ['interrupt']);
    assert.equal(session.info().exit?.exitCode, 0);
  });
});
