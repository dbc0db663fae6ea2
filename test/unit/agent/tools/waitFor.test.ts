import assert from 'node:assert/strict';

import { until } from '../../../support/until.js';
import { BASE_SERVER } from '../../../support/scriptedBackend.js';
import { line, parts } from '../replyParts.js';
import { scriptedTools, settle } from '../scriptedHost.js';

describe('wait_for', () => {
  it('waits for the exit if there is no condition', async () => {
    const { starts, call, process } = scriptedTools();
    await starts();
    const reply = call('wait_for', { session: 1 });
    await settle();
    process(1).ends(0);
    assert.equal(line(await reply, 'Condition'), 'exit met');
    assert.deepEqual((await reply).structured['met'], ['exit']);
  });

  it('says when its time is over, which is no error', async () => {
    const { starts, call, clock } = scriptedTools();
    await starts();
    const reply = call('wait_for', { session: 1, pattern: 'x', exit: true, timeout_ms: 2_000 });
    await settle();
    clock.advance(2_000);
    const { isError, structured, text } = await reply;
    assert.deepEqual([isError, structured['met'], structured['ending']], [false, [], 'time']);
    assert.match(
      text,
      /\nState: running\nCondition: none met within 2\.00 s; wait again, or look at the output\n/,
    );
    assert.equal(clock.pendingTimers, 0);
  });

  it('returns at the exit although it was not asked for, with the last lines looked at', async () => {
    const { starts, call, process } = scriptedTools();
    await starts();
    const reply = call('wait_for', { session: 1, pattern: 'ready', port: 80 });
    await settle();
    process(1).prints('failed\n');
    process(1).ends(1);
    const answered = await reply;
    assert.match(
      line(answered, 'Condition') ?? '',
      /^none met: the command has ended, and no line of its output matches the pattern, and the port/,
    );
    assert.equal(parts(answered).output, 'failed\n');
    const second = await call('wait_for', { session: 1, pattern: 'fail(ed)?$', exit: true });
    assert.deepEqual(second.structured['met'], ['pattern', 'exit']);
  });

  it('waits for the end of the output after the exit if that is asked for', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts();
    const closed = call('wait_for', { session: 1, closed: true });
    const exit = call('wait_for', { session: 1, exit: true, closed: true }, { agent: 'b' });
    await settle();
    process(1).exits(0);
    await settle();
    clock.advance(100);
    assert.deepEqual((await exit).structured['met'], ['exit']);
    process(1).prints('by a child\n');
    process(1).closes();
    const answered = await closed;
    assert.deepEqual(answered.structured['met'], ['closed']);
    assert.equal(parts(answered).output, 'by a child\n');
    assert.equal(clock.pendingTimers, 0);
  });

  it('on a command that has exited goes on waiting for what it has left behind', async () => {
    const { starts, call, process, clock, host } = scriptedTools();
    await starts();
    process(1).exits(0);
    const line1 = call('wait_for', { session: 1, pattern: 'child ready' });
    await settle();
    clock.advance(1_000);
    await settle();
    process(1).prints('child ready\n');
    assert.deepEqual((await line1).structured['met'], ['pattern']);
    process(1).closes();
    process(1).left = [{ pid: 7, startTime: '5', command: 'postgres', why: 'otherSession' }];
    const port = call('wait_for', { session: 1, port: 5432 });
    await settle();
    host.backend.ports.add(5432);
    clock.advance(250);
    assert.deepEqual((await port).structured['met'], ['port']);
    assert.match(
      line(await call('wait_for', { session: 1, pattern: 'never' }), 'Condition') ?? '',
      /^none met: the command has ended/,
    );
    assert.equal(clock.pendingTimers, 0);
  });

  it('does not wait for a port once nothing is left that could listen', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts();
    process(1).ends(1);
    const reply = await call('wait_for', { session: 1, port: 5432 });
    assert.equal(line(reply, 'State'), 'exited with code 1');
    assert.equal(
      line(reply, 'Condition'),
      'none met: the command has ended, and the port is not listened on',
    );
    assert.equal(clock.pendingTimers, 0);
  });

  it('asks for a port again and again, also while its machine cannot be reached', async () => {
    const { starts, call, process, clock, host } = scriptedTools();
    await starts();
    const { listeners } = process(1);
    let asked = 0;
    process(1).listeners = (port) => {
      asked += 1;
      return asked === 2 ? Promise.reject(new Error('no answer')) : listeners(port);
    };
    const reply = call('wait_for', { session: 1, port: 8080 });
    for (let tries = 0; tries < 3; tries++) {
      await settle();
      clock.advance(250);
    }
    host.backend.ports.add(8080);
    await settle();
    clock.advance(250);
    assert.equal(
      line(await reply, 'Condition'),
      'port met: 8080 is listened on by node server.js (pid 40, session 1)',
    );
    assert.equal(asked, 5);
    assert.equal(clock.pendingTimers, 0);
  });

  it('says if a port cannot be told', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts();
    process(1).listeners = () => Promise.reject(new Error('no answer'));
    const reply = call('wait_for', { session: 1, port: 8080, timeout_ms: 100 });
    await settle();
    clock.advance(100);
    assert.equal(
      line(await reply, 'Warning'),
      'whether port 8080 is listened on could not be told: no answer',
    );
    const base = scriptedTools({ capabilities: BASE_SERVER });
    await base.starts();
    const refused = await base.call('wait_for', { session: 1, port: 8080 });
    assert.equal(refused.isError, true);
    assert.match(refused.text, /cannot be told on the machine of Session 1 \(run\)\. Wait for a line/);
  });

  it('counts silence from the beginning of the wait, and from every output', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts();
    process(1).prints('old\n');
    const reply = call('wait_for', { session: 1, quiet_ms: 1_000 });
    await settle();
    clock.advance(900);
    process(1).prints('new\n');
    await settle();
    clock.advance(999);
    await settle();
    clock.advance(1);
    const answered = await reply;
    assert.equal(answered.structured['wallTimeMs'], 1_900);
    assert.equal(line(answered, 'Condition'), 'quiet_ms met: nothing was printed for 1000 ms');
    assert.equal(clock.pendingTimers, 0);
  });

  it('does not take a program for silent whose output it has yet to read', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts();
    for (let chunk = 0; chunk < 40; chunk++) {
      process(1).prints('some line\n'.repeat(1_600));
    }
    let wallMs: number | undefined;
    void call('wait_for', { session: 1, quiet_ms: 1_000 }).then(({ structured }) => {
      wallMs = Number(structured['wallTimeMs']);
    });
    await Promise.resolve();
    clock.advance(1_000);
    await until(async () => {
      clock.advance(100);
      await settle();
      return wallMs !== undefined;
    });
    assert.ok(Number(wallMs) >= 2_000, `${wallMs}`);
  });

  it('refuses a pattern that is not valid', async () => {
    const { starts, call, clock } = scriptedTools();
    await starts();
    const reply = await call('wait_for', { session: 1, pattern: '(?=x)' });
    assert.equal(reply.isError, true);
    assert.match(reply.text, /^wait_for was not called: "pattern": /);
    assert.equal(clock.pendingTimers, 0);
  });

  it('tells now and then that it waits', async () => {
    const { starts, tools, process, clock } = scriptedTools();
    await starts();
    const said: string[] = [];
    const waiting = tools.call(
      'wait_for',
      { session: 1, exit: true },
      { agent: { id: 'a', name: 'a' }, progress: (message) => said.push(message) },
    );
    await settle();
    process(1).prints('12345');
    clock.advance(5_000);
    clock.advance(5_000);
    process(1).ends(0);
    await waiting;
    assert.deepEqual(said, [
      'Session 1 (run): waiting',
      'Session 1 (run): waiting for 5 s, 5 bytes of output meanwhile',
      'Session 1 (run): waiting for 10 s, 5 bytes of output meanwhile',
    ]);
  });

  it('can be cancelled at any moment, and leaves no timer', async () => {
    const { starts, call, clock, process } = scriptedTools();
    await starts({ cmd: 'x', tty: true });
    const abort = new AbortController();
    const input = { session: 1, exit: true, pattern: 'x', port: 1, quiet_ms: 5_000 };
    const reply = call('wait_for', input, { signal: abort.signal });
    await settle();
    assert.ok(clock.pendingTimers > 0);
    abort.abort();
    assert.match((await reply).text, /cancelled/);
    await settle();
    assert.equal(clock.pendingTimers, 0);
    assert.equal(process(1).log.paused, false);
  });

  it('holds the process back while it waits, so that no output passes unseen', async () => {
    const { starts, call, process } = scriptedTools();
    await starts();
    const { log } = process(1);
    const reply = call('wait_for', { session: 1, pattern: 'needle', closed: true, max_output_tokens: 100 });
    await settle();
    let held = 0;
    for (let printed = 0; printed < 4_000; printed++) {
      process(1).prints(printed === 2_000 ? 'needle' : `${'hay '.repeat(200)}\n`);
      while (log.paused) {
        held += 1;
        await settle();
      }
    }
    const answered = await reply;
    assert.ok(held > 0);
    assert.ok(log.stats.evicted.bytes > 0);
    assert.match(String(answered.structured['matchedLine']), /^needle/);
    assert.doesNotMatch(answered.text, /bytes are gone/);
    assert.equal(log.paused, false);
  });
});

/** Types into session 1 without waiting for an effect. */
