import assert from 'node:assert/strict';

import { Emitter, ProcessLog, untilEnd, untilExit, untilTrue } from '../../../../src/core/index.js';
import { FakeClock } from '../../../support/fakeClock.js';
import { cutOff } from '../../../support/failures.js';

const LIMIT_MS = 1_000;

describe('Waiting for a process', () => {
  let clock: FakeClock;
  let log: ProcessLog;
  beforeEach(() => {
    clock = new FakeClock();
    log = new ProcessLog({ limits: { bytes: 1_000, chunks: 10 }, clock });
  });

  const limit = () => ({ clock, limitMs: LIMIT_MS });

  it('ends with the exit, and leaves no timer', async () => {
    const exited = untilExit(log, limit());
    log.appendOutput('stdout', Uint8Array.of(1));
    assert.equal(clock.pendingTimers, 1);
    log.appendExit({ exitCode: 0 });
    assert.equal(await exited, true);
    assert.equal(clock.pendingTimers, 0);
  });

  it('for its exit ends with its loss as well', async () => {
    const exited = untilExit(log, limit());
    log.fail(cutOff('lost'));
    assert.equal(await exited, true);
  });

  it('for its end does not end with the exit', async () => {
    const ended = untilEnd(log, limit());
    log.appendExit({ exitCode: 0 });
    assert.equal(clock.pendingTimers, 1);
    log.appendClose();
    assert.equal(await ended, true);
  });

  it('ends with its time', async () => {
    const exited = untilExit(log, limit());
    clock.advance(LIMIT_MS - 1);
    assert.equal(clock.pendingTimers, 1);
    clock.advance(1);
    assert.equal(await exited, false);
  });

  it('ends when it is given up', async () => {
    const controller = new AbortController();
    const exited = untilExit(log, { ...limit(), signal: controller.signal });
    controller.abort();
    assert.equal(await exited, false);
    assert.equal(clock.pendingTimers, 0);
    assert.equal(await untilExit(log, { ...limit(), signal: controller.signal }), false);
  });

  it('does not begin for one that has exited, or with no time', async () => {
    assert.equal(await untilExit(log, { clock, limitMs: 0 }), false);
    log.appendExit({ exitCode: 0 });
    assert.equal(await untilExit(log, limit()), true);
    assert.equal(await untilExit(log, { clock, limitMs: 0 }), true);
    assert.equal(clock.pendingTimers, 0);
  });

  it('sees what changes while it begins to listen', async () => {
    const changes = new Emitter<void>();
    let met = false;
    const seen = untilTrue(
      () => met,
      (listener) => {
        met = true;
        return changes.event(listener);
      },
      limit(),
    );
    assert.equal(await seen, true);
    assert.equal(changes.observed, false);
  });
});
