import assert from 'node:assert/strict';

import { line } from '../replyParts.js';
import { scriptedTools, settle } from '../scriptedHost.js';

describe('A connection that is cut', () => {
  it('is not taken for silence', async () => {
    const { starts, call, clock, host } = scriptedTools();
    await starts();
    const reply = call('wait_for', { session: 1, quiet_ms: 1_000 });
    await settle();
    clock.advance(900);
    host.backend.loses('the cable is out', 25_000);
    clock.advance(5_000);
    await settle();
    host.backend.recovers();
    clock.advance(999);
    await settle();
    clock.advance(1);
    const answered = await reply;
    assert.deepEqual([answered.structured['met'], answered.structured['wallTimeMs']], [['quiet_ms'], 6_900]);
    assert.deepEqual([clock.pendingTimers, host.backend.watched], [0, false]);
  });

  it('is told in the state, and ends no wait', async () => {
    const { starts, call, clock, host, process } = scriptedTools();
    await starts();
    host.backend.loses('the cable is out', 25_000);
    const reply = call('wait_for', { session: 1, exit: true, timeout_ms: 3_000 });
    await settle();
    clock.advance(3_000);
    const text = line(await reply, 'State') ?? '';
    assert.match(text, /^running; its machine has not been reachable for 3 s .*\(the cable is out\)$/);
    host.backend.recovers();
    const again = call('wait_for', { session: 1, exit: true });
    await settle();
    process(1).ends(0);
    assert.equal(line(await again, 'State'), 'exited with code 0');
  });

  it('for good ends a wait', async () => {
    const { starts, call, host } = scriptedTools();
    await starts();
    const reply = call('wait_for', { session: 1, closed: true });
    await settle();
    host.backend.fails('gone for good');
    const answered = await reply;
    assert.equal(line(answered, 'State'), 'lost: gone for good');
    assert.equal(line(answered, 'Condition'), 'none met: the process was lost');
    assert.equal(line(await call('wait_for', { session: 1, exit: true }), 'State'), 'lost: gone for good');
    const written = await call('write_stdin', { session: 1, chars: 'x' });
    assert.equal(line(written, 'State'), 'lost: gone for good');
  });
});
