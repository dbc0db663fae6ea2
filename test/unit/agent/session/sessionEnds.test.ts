import assert from 'node:assert/strict';

import { line } from '../replyParts.js';
import { scriptedTools, settle } from '../scriptedHost.js';

describe('The end of a session that its agent does not look at', () => {
  it('is told once, with the next answer', async () => {
    const { starts, call, process } = scriptedTools();
    await starts({ cmd: 'run', title: 'api' });
    await starts({ cmd: 'npm test' });
    process(1).ends(137);
    assert.equal(line(await starts({ cmd: 'x' }, 'other'), 'Meanwhile'), undefined);
    const reply = await call('read_output', { session: 2 });
    assert.match(
      reply.text,
      /^Meanwhile: session 1 \(api\) exited with code 137\nSession 2: npm test\nState: running\n/,
    );
    assert.equal(reply.structured['meanwhile'], 'session 1 (api) exited with code 137');
    assert.equal(line(await call('read_output', { session: 2 }), 'Meanwhile'), undefined);
  });

  it('is told with an error as well, and on one line for all', async () => {
    const { starts, call, process } = scriptedTools();
    for (let id = 1; id <= 7; id += 1) {
      await starts({ cmd: `run ${id}` });
    }
    for (let id = 1; id <= 7; id += 1) {
      process(id).ends(0);
    }
    const reply = await call('read_output', { session: 7, cursor: '99' });
    assert.equal(reply.isError, true);
    assert.match(
      line(reply, 'Meanwhile') ?? '',
      /^session 1 \(run 1\) exited with code 0; .*session 5 \(run 5\) exited with code 0; 1 more have ended$/,
    );
    assert.equal(line(await call('list_sessions', {}), 'Meanwhile'), undefined);
  });

  it('is not told where another answer has it', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts({ cmd: 'one' });
    await starts({ cmd: 'two' });
    const waiting = call('wait_for', { session: 1, exit: true });
    await settle();
    process(1).exits(0);
    const other = await call('read_output', { session: 2 });
    assert.equal(line(other, 'Meanwhile'), undefined, 'a call waits for it');
    clock.advance(100);
    assert.match((await waiting).text, /exited with code 0/);
    process(2).ends(1);
    await call('list_sessions', {});
    assert.equal(line(await call('read_output', { session: 1 }), 'Meanwhile'), undefined, 'it was listed');
  });

  it('is told if the call that waited for it was cancelled', async () => {
    const { starts, call, process } = scriptedTools();
    await starts({ cmd: 'one' });
    await starts({ cmd: 'two' });
    const abort = new AbortController();
    const waiting = call('wait_for', { session: 1, exit: true }, { signal: abort.signal });
    await settle();
    process(1).exits(3);
    abort.abort();
    await waiting;
    assert.equal(
      line(await call('read_output', { session: 2 }), 'Meanwhile'),
      'session 1 (one) exited with code 3, output still open',
    );
  });
});
