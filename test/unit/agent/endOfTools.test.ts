import assert from 'node:assert/strict';

import { scriptedTools, settle } from './scriptedHost.js';

describe('The end of the tools', () => {
  it('ends the calls that wait, lets go of every process and ends none', async () => {
    const { tools, starts, call, process, clock, hosted, host } = scriptedTools();
    await starts({ cmd: 'bash', tty: true });
    process(1).wait = () => Promise.resolve({ kind: 'secret' });
    const secret = call('wait_for', { session: 1, exit: true });
    await settle();
    clock.advance(500);
    await secret;
    const waiting = call('wait_for', { session: 1, exit: true });
    await settle();
    tools.dispose();
    assert.equal((await waiting).isError, true);
    await settle();
    assert.deepEqual(
      [process(1).holders, hosted(1).stops.length, host.calls, clock.pendingTimers],
      [0, 0, 0, 0],
    );
    assert.equal(hosted(1).watched, false);
    const late = await call('list_sessions', {});
    assert.deepEqual(
      [late.isError, late.text],
      [true, 'list_sessions was not called: the program that runs the sessions is shutting down.'],
    );
  });

  it('lets go of a process that starts only then', async () => {
    const { tools, call, host, process } = scriptedTools();
    let start: () => void = () => undefined;
    host.starting = new Promise((resolve) => (start = resolve));
    const reply = call('exec_command', { cmd: 'x' });
    tools.dispose();
    start();
    assert.equal((await reply).isError, true);
    await settle();
    assert.equal(process(1).holders, 0);
  });
});
