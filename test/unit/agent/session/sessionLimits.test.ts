import assert from 'node:assert/strict';

import { line } from '../replyParts.js';
import { scriptedTools, settle } from '../scriptedHost.js';

describe('The limits of sessions', () => {
  it('warn before they act, and list what could be stopped; nothing is ever ended to make room', async () => {
    const { starts, call, process, clock, host } = scriptedTools();
    for (let id = 1; id <= 64; id++) {
      const reply = await starts({ cmd: `server ${id}` });
      const warning = `${id} of your sessions run, of at most 64.`;
      assert.equal(line(reply, 'Warning')?.startsWith(warning) ?? false, id >= 56, reply.text);
    }
    clock.advance(125_000);
    const refused = await call('exec_command', { cmd: 'one more' });
    assert.equal(refused.isError, true);
    const [first, second, ...rest] = refused.text.split('\n');
    assert.match(first ?? '', /^Nothing was started: 64 of your sessions run, and 64 is the limit\./);
    assert.equal(second, 'Session 1: server 1 (running, started 2 m ago)');
    assert.equal(rest.length, 63);
    assert.equal(host.hosted.length, 64);
    // Other agents have their own limit, and the end of a session makes room.
    assert.equal((await starts({ cmd: 'x' }, 'b')).isError, false);
    process(5).ends(0);
    assert.equal((await starts({ cmd: 'y' })).isError, false);
  });

  it('count those that are starting', async () => {
    const { call, host, clock } = scriptedTools({ limits: { live: 2 } });
    let start: () => void = () => undefined;
    host.starting = new Promise((resolve) => (start = resolve));
    const replies = [1, 2, 3].map(() => call('exec_command', { cmd: 'x', yield_time_ms: 0 }));
    start();
    await settle();
    clock.advance(0);
    const errors = (await Promise.all(replies)).map(({ isError }) => isError);
    assert.deepEqual(errors, [false, false, true]);
    // A start that has failed does not count.
    host.backend.refusal = new Error('no');
    await call('exec_command', { cmd: 'x' }, { agent: 'b' });
    await call('exec_command', { cmd: 'x' }, { agent: 'b' });
    host.backend.refusal = undefined;
    const third = call('exec_command', { cmd: 'x', yield_time_ms: 0 }, { agent: 'b' });
    await settle();
    clock.advance(0);
    assert.equal((await third).isError, false);
  });

  it('count the leftovers of an ended command until a stop was tried', async () => {
    const { starts, call, process } = scriptedTools({ limits: { live: 1 } });
    await starts();
    process(1).exits(0);
    assert.match(
      (await starts()).text,
      /\nNothing was started.*\nSession 1: run \(exited with code 0, output still open/,
    );
    await call('stop_session', { session: 1, force: true }, { signal: AbortSignal.abort() });
    assert.equal((await starts()).isError, true);
    const stopping = call('stop_session', { session: 1 });
    await settle();
    process(1).closes();
    await stopping;
    assert.equal((await starts()).isError, false);
  });

  it('drop the output of the oldest ended sessions, and keep how they ended', async () => {
    const { starts, call, process } = scriptedTools({ limits: { retained: 2 } });
    for (const id of [1, 2, 3]) {
      await starts({ cmd: `job ${id}` });
      process(id).prints('x\n');
      process(id).ends(id);
    }
    await starts({ cmd: 'runs' });
    assert.deepEqual(
      [1, 2, 3, 4].map((id) => process(id).holders),
      [0, 1, 1, 1],
    );
    const gone = await call('read_output', { session: 1 });
    assert.equal(gone.isError, true);
    assert.match(
      gone.text,
      /^The output of Session 1 \(job 1\) is not kept any more, .*\. State: exited with code 1\.$/,
    );
    const listed = (await call('list_sessions', {})).text.split('\n');
    assert.match(listed[1] ?? '', /^Session 4: runs \| running/);
    assert.match(listed[4] ?? '', /^Session 1: job 1 \| exited with code 1, .*output gone/);
    // All other tools know of its end as well.
    const written = await call('write_stdin', { session: 1, chars: 'x' });
    assert.match(written.text, /^Warning: nothing was sent: the command had ended already\./);
    assert.equal(line(written, 'State'), 'exited with code 1');
    assert.equal(line(await call('wait_for', { session: 1, exit: true }), 'Condition'), 'exit met');
    assert.equal(
      line(await call('stop_session', { session: 1 }), 'Stop'),
      'the command had ended already; its leftover processes are not known any more',
    );
    assert.match(
      line(await call('send_signal', { session: 1, signal: 'SIGINT' }), 'Signal') ?? '',
      /was not sent/,
    );
  });

  it('forget the oldest ends at last; a number is never given again', async () => {
    const { starts, call, process } = scriptedTools({ limits: { receipts: 2 } });
    for (const id of [1, 2, 3, 4]) {
      await starts();
      process(id).ends(0);
    }
    await starts();
    const unknown = await call('read_output', { session: 1 });
    assert.deepEqual(
      [unknown.isError, unknown.text, unknown.structured['session']],
      [true, 'Session 1 is not listed any more. list_sessions shows yours.', 1],
    );
    assert.equal(
      (await call('read_output', { session: 9 })).text,
      'Session 9 does not exist. list_sessions shows yours.',
    );
    const { sessions } = (await call('list_sessions', {})).structured;
    assert.deepEqual(
      (sessions as { session: number }[]).map(({ session }) => session),
      [5, 4, 3],
    );
  });

  it('bound the memory of all agents together', async () => {
    const { starts, process } = scriptedTools({ limits: { retainedOfAll: 2 } });
    for (const id of [1, 2, 3, 4]) {
      await starts({ cmd: 'x' }, `agent ${id}`);
      process(id).ends(0);
    }
    await starts({ cmd: 'x' }, 'another');
    assert.deepEqual(
      [1, 2, 3, 4, 5].map((id) => process(id).holders),
      [0, 0, 1, 1, 1],
    );
  });
});
