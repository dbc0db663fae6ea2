import assert from 'node:assert/strict';

import type { FakeClock } from '../../../support/fakeClock.js';
import { line, parts } from '../replyParts.js';
import { scriptedTools, settle } from '../scriptedHost.js';

describe('wait_for a line', () => {
  it('finds a line that came before the call', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts();
    process(1).prints('starting\nlistening on 3000\nnext\n');
    const reply = await call('wait_for', { session: 1, pattern: 'LISTENING on \\d+', ignore_case: true });
    assert.match(
      line(reply, 'Condition') ?? '',
      /^pattern met at cursor "0.*" by the line: listening on 3000$/,
    );
    assert.deepEqual(
      [reply.structured['met'], reply.structured['matchedLine']],
      [['pattern'], 'listening on 3000'],
    );
    assert.equal(clock.pendingTimers, 0);
  });

  it('shows the match in a long line, and not its beginning', async () => {
    const { starts, call, process } = scriptedTools();
    await starts();
    process(1).prints(`${'x'.repeat(60_000)} ready ${'y'.repeat(2_000)}\n`);
    const reply = await call('wait_for', { session: 1, pattern: 'ready' });
    assert.match(line(reply, 'Condition') ?? '', / by the line: \[…\] x{50,} ready y{50,} \[…\]$/);
    assert.ok(String(reply.structured['matchedLine']).length < 600);
  });

  for (const tty of [true, false]) {
    it(`waits for a new line of a watcher ${tty ? 'in a terminal' : 'on pipes'}, not for one that was shown`, async () => {
      const { starts, call, process, clock } = scriptedTools();
      await starts({ cmd: 'run', tty });
      process(1).prints('# fail 1\r\nwaiting for changes');
      assert.notEqual(parts(await call('read_output', { session: 1 })).output, undefined);
      const next = call('wait_for', { session: 1, pattern: '# fail' });
      await settle();
      clock.advance(2_000);
      process(1).prints('\r\nagain\r\n');
      await settle();
      clock.advance(2_999);
      await settle();
      process(1).prints('# fail 0\r\n');
      assert.equal((await next).structured['matchedLine'], '# fail 0');
      const all = await call('wait_for', { session: 1, pattern: '# fail', from: '0' });
      assert.equal(all.structured['matchedLine'], '# fail 1');
      assert.equal(clock.pendingTimers, 0);
    });
  }

  it('says that a line was shown when nothing more comes', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts();
    process(1).prints('listening on 3000\n');
    await call('read_output', { session: 1 });
    const reply = call('wait_for', { session: 1, pattern: 'listening' });
    await settle();
    clock.advance(3_000);
    assert.equal(
      line(await reply, 'Condition'),
      'none met: nothing was printed for 3.00 s. A line that matches was there before this wait, at cursor "0"; from="1" waits for a new one: listening on 3000',
    );
    assert.deepEqual((await reply).structured['met'], []);
    assert.equal(clock.pendingTimers, 0);
  });

  it('looks for a line from the last input of the agent on, and says so', async () => {
    for (const tty of [true, false]) {
      const { starts, call, process, clock } = scriptedTools();
      await starts({ cmd: 'run', tty, stdin: true });
      process(1).prints('ready\r\n');
      await type(call, clock, 'again\n', 'b');
      assert.equal(
        (await call('wait_for', { session: 1, pattern: 'ready' }, { agent: 'c' })).structured['matchedLine'],
        'ready',
      );
      await type(call, clock, 'again\n');
      process(1).writeStatus = 'stdinClosed';
      assert.equal((await call('write_stdin', { session: 1, chars: 'more\n' })).isError, true);
      const none = call('wait_for', { session: 1, pattern: 'ready', timeout_ms: 1_000 });
      await settle();
      clock.advance(1_000);
      assert.match(
        line(await none, 'Condition') ?? '',
        /look at the output\. Only lines since your last input counted, at cursor "1"; from="0" counts all$/,
      );
      assert.deepEqual(
        (await call('wait_for', { session: 1, pattern: 'ready', from: '0' })).structured['met'],
        ['pattern'],
      );
      const reply = call('wait_for', { session: 1, pattern: 'ready' });
      await settle();
      process(1).prints('ready now\r\n');
      assert.equal((await reply).structured['matchedLine'], 'ready now');
    }
  });

  it('takes no echo for the line, also of what is typed while it waits, and names it', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts({ cmd: 'sh', tty: true });
    process(1).prints('$ ');
    const reply = call('wait_for', { session: 1, pattern: 'done', timeout_ms: 10_000 });
    await settle();
    await type(call, clock, 'make; echo done\n', 'b');
    process(1).prints('make; echo');
    await settle();
    process(1).prints(' done\r\n');
    await settle();
    clock.advance(10_000);
    assert.match(
      line(await reply, 'Condition') ?? '',
      /A line that matches was taken for the echo of your input, at cursor "0": \$ make; echo done$/,
    );
    const next = call('wait_for', { session: 1, pattern: 'done' });
    process(1).prints('done\r\n');
    assert.equal((await next).structured['matchedLine'], 'done');
  });

  it('takes text that comes more than a second after the input for output', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts({ cmd: 'run', tty: true });
    await type(call, clock, 'done\n');
    clock.advance(1_000);
    process(1).prints('done\r\n');
    assert.equal((await call('wait_for', { session: 1, pattern: 'done' })).structured['matchedLine'], 'done');
  });

  it('leaves a line out only if an earlier answer has shown it as it is now', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts({ cmd: 'run', tty: true });
    const known = async (pattern: string) => {
      const reply = call('wait_for', { session: 1, pattern });
      await settle();
      clock.advance(3_000);
      return (line(await reply, 'Condition') ?? '').includes('was there before this wait');
    };
    process(1).prints('building\r\n\u001b[?2004lcompiling');
    await call('read_output', { session: 1 });
    process(1).prints(': done\r\n');
    assert.equal(await known('done'), false);
    assert.equal(await known('done'), true);
    process(1).prints('\u001b[?2004l\r');
    await call('read_output', { session: 1 });
    process(1).prints('FINISHED\r\n');
    assert.equal(await known('FINISHED'), false);
    assert.equal(await known('FINISHED'), true);
    process(1).prints(`${'x'.repeat(400)}\r\n`.repeat(10) + 'the end\r\n');
    await call('read_output', { session: 1, cursor: '0', max_output_tokens: 256 });
    await call('read_output', { session: 1, cursor: '3', max_output_tokens: 256 });
    assert.equal(await known('the end'), false);
  });

  it('ignores output before the cursor "from"', async () => {
    const { starts, call, process } = scriptedTools();
    await starts();
    process(1).prints('ready\n');
    const reply = call('wait_for', { session: 1, pattern: 'ready', from: '1' });
    await settle();
    process(1).prints('not yet\nready again\n');
    assert.equal((await reply).structured['matchedLine'], 'ready again');
  });

  it('finds a line that is not finished', async () => {
    const { starts, call, process } = scriptedTools();
    await starts();
    const reply = call('wait_for', { session: 1, pattern: 'password:' });
    await settle();
    process(1).prints('pass');
    await settle();
    process(1).prints('word: ');
    assert.match(line(await reply, 'Condition') ?? '', /^pattern met .* by the line: password:$/);
  });
});

async function type(
  call: ReturnType<typeof scriptedTools>['call'],
  clock: FakeClock,
  chars: string,
  agent = 'a',
): Promise<void> {
  const reply = call('write_stdin', { session: 1, chars, yield_time_ms: 0 }, { agent });
  await settle();
  clock.advance(0);
  assert.equal((await reply).isError, false);
}
