import assert from 'node:assert/strict';

import { scriptedTools, settle } from '../scriptedHost.js';

describe('A session that is taken off the list', () => {
  it('ends the calls that wait for it, and is told once', async () => {
    const { starts, call, hosted, process, clock } = scriptedTools();
    await starts({ cmd: 'bash', tty: true });
    process(1).prints('x\n');
    const reply = call('wait_for', { session: 1, exit: true });
    await settle();
    hosted(1).isRemoved();
    const answered = await reply;
    assert.match(
      answered.text,
      /^Warning: A person, or a limit, has taken session 1 \(bash\) off the list\./,
    );
    assert.equal(answered.structured['state'], 'removed');
    assert.equal(clock.pendingTimers, 0);
    const read = await call('read_output', { session: 1 });
    assert.deepEqual(
      [read.isError, read.text.startsWith('The output of Session 1 (bash) is gone')],
      [true, true],
    );
    // The process is released only once, and nothing listens to it any more.
    assert.deepEqual([process(1).holders, hosted(1).watched], [0, false]);
    assert.match((await call('list_sessions', {})).text, /^1 session of yours, 0 running/);
  });

  it('after its end keeps how it ended', async () => {
    const { starts, call, hosted, process } = scriptedTools();
    await starts();
    process(1).ends(4);
    hosted(1).isRemoved();
    assert.match(
      (await call('list_sessions', {})).text,
      /Session 1: run \| exited with code 4, .*output gone/,
    );
  });
});
