import assert from 'node:assert/strict';

import { scriptedTools, settle } from '../scriptedHost.js';

describe('Many sessions', () => {
  it('are listed as far as a model wants to read, and the others by their numbers', async () => {
    const { starts, call, process } = scriptedTools({ limits: { live: 300 } });
    await starts({ cmd: 'runs' });
    for (let id = 2; id <= 120; id++) {
      await starts({ cmd: `job ${id}` }, id === 10 ? 'b' : 'a');
      process(id).ends(0);
    }
    const { text, structured } = await call('list_sessions', {});
    const lines = text.split('\n');
    assert.equal(lines[0], '119 sessions of yours, 1 running.');
    assert.match(lines[1] ?? '', /^Session 1: runs/);
    assert.match(lines[2] ?? '', /^Session 120: job 120 /);
    assert.match(lines[51] ?? '', /^Session 71: job 71 /);
    assert.equal(
      lines[52],
      '[... 68 more are not shown; read_output tells the command and the state of each: 2-9, 11-70 ...]',
    );
    assert.equal(lines[53], '1 session of other agents, 0 running: all=true lists them.');
    assert.match(lines[54] ?? '', /^Environments: /);
    assert.equal(lines.length, 55);
    assert.equal((structured['sessions'] as unknown[]).length, 51);
    assert.equal((structured['notShown'] as unknown[]).length, 68);
  }).timeout(20_000);

  it('that start at once are counted before they run', async () => {
    const { call, host, clock } = scriptedTools({ limits: { live: 2 } });
    let start: () => void = () => undefined;
    host.starting = new Promise((resolve) => (start = resolve));
    const two = [1, 2].map(() => call('exec_command', { cmd: 'x', yield_time_ms: 0 }));
    const refused = await call('exec_command', { cmd: 'x' });
    assert.equal(
      refused.text,
      'Nothing was started: 0 of your sessions run, 2 more are being started, and 2 is the limit. Stop one that you do not need with stop_session, then try again.',
    );
    start();
    await settle();
    clock.advance(0);
    assert.ok((await Promise.all(two)).every(({ isError }) => !isError));
  });

  it('can be waited for at once without a warning of the runtime', async () => {
    const { starts, call, process } = scriptedTools();
    const warnings: Error[] = [];
    const warned = (warning: Error) => warnings.push(warning);
    globalThis.process.on('warning', warned);
    await starts();
    const waits = Array.from({ length: 30 }, () => call('wait_for', { session: 1, exit: true }));
    await settle();
    process(1).ends(0);
    await Promise.all(waits);
    await settle();
    globalThis.process.off('warning', warned);
    assert.deepEqual(warnings, []);
  });

  it('are not started by a call that was cancelled before', async () => {
    const { call, host } = scriptedTools();
    const reply = await call('exec_command', { cmd: 'x' }, { signal: AbortSignal.abort() });
    await settle();
    assert.deepEqual([reply.isError, host.hosted.length], [true, 0]);
  });
});
