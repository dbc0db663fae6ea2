import assert from 'node:assert/strict';

import { line, parts } from '../replyParts.js';
import { scriptedTools, settle } from '../scriptedHost.js';

describe('wait_for with several sessions', () => {
  async function three() {
    const setup = scriptedTools();
    for (let id = 1; id <= 3; id++) {
      await setup.starts({ cmd: 'run', ...(id === 1 && { title: 'api' }) });
    }
    return setup;
  }

  it('ends with the first in which a condition is met, and leaves the output of the others new', async () => {
    const { call, process, clock } = await three();
    process(1).prints('earlier\n');
    const reply = call('wait_for', { sessions: [1, 3], pattern: 'ready', exit: true });
    await settle();
    process(1).prints('one\n');
    process(2).prints('ready\n');
    process(3).prints('ready\n');
    const { text, structured } = await reply;
    assert.match(
      text,
      /^Session 3: run\nState: running\nCondition: pattern met .* by the line: ready\nAlso session 1 \(api\): running, 12 bytes new\n/,
    );
    assert.equal(parts(await reply).output, 'ready\n');
    assert.deepEqual(structured['others'], [{ session: 1, state: 'running', newBytes: 12 }]);
    assert.equal(clock.pendingTimers, 0);
    assert.equal(parts(await call('read_output', { session: 1 })).output, 'earlier\none\n');
    assert.equal(parts(await call('read_output', { session: 3 })).output, undefined);
  });

  it('takes the output of one alone if conditions are met in several at once', async () => {
    const { call, process } = await three();
    for (const id of [1, 2, 3]) {
      process(id).prints(`ready ${id}\n`);
    }
    const reply = await call('wait_for', { sessions: [1, 2, 3], pattern: 'ready' });
    const answered = Number(reply.structured['session']);
    for (const id of [1, 2, 3]) {
      const { output } = parts(await call('read_output', { session: id }));
      assert.equal(output, id === answered ? undefined : `ready ${id}\n`);
    }
  });

  it('waits for all of them if asked, and tells how each has ended', async () => {
    const { call, process, clock } = await three();
    const reply = call('wait_for', { sessions: [1, 2, 3], exit: true, all: true });
    for (const [id, code] of [
      [2, 0],
      [3, 1],
      [1, 0],
    ] as const) {
      await settle();
      process(id).ends(code);
    }
    const { text, structured } = await reply;
    assert.match(
      text,
      /^Session 1: run\nState: exited with code 0\nAll: met in 3 of 3 sessions\nCondition: exit met\nAlso session 2 \(run\): exited with code 0, nothing new\nAlso session 3 \(run\): exited with code 1, /,
    );
    assert.equal(structured['metInAll'], true);
    assert.equal(clock.pendingTimers, 0);
  });

  it('says in how many of all the condition was met when the time is over, or one ends', async () => {
    const { call, process, clock } = await three();
    const reply = call('wait_for', { sessions: [1, 2, 3], pattern: 'ready', all: true, timeout_ms: 100 });
    await settle();
    process(2).prints('ready\n');
    process(3).ends(1);
    await settle();
    clock.advance(100);
    assert.match(
      (await reply).text,
      /^Session 1: run\nState: running\nAll: met in 1 of 3 sessions\nCondition: none met within/,
    );
  });

  it('goes on while something can happen in one of them', async () => {
    const { call, process, clock } = await three();
    process(1).ends(0);
    const reply = call('wait_for', { session: 1, sessions: [2, 1], pattern: 'ready' });
    await settle();
    process(2).prints('ready\n');
    assert.equal((await reply).structured['session'], 2);
    assert.match((await reply).text, /\nAlso session 1 \(api\): exited with code 0, nothing new\n/);
    const failing = call('wait_for', { sessions: [1, 2], pattern: 'never' });
    await settle();
    process(2).ends(1);
    assert.match(line(await failing, 'Condition') ?? '', /^none met: the command has ended/);
    assert.equal((await failing).structured['session'], 2);
    const over = await call('wait_for', { sessions: [1, 2], pattern: 'never' });
    assert.match(line(over, 'Condition') ?? '', /^none met: the command has ended/);
    assert.deepEqual((await call('wait_for', { sessions: [3, 1] })).structured['met'], ['exit']);
    assert.equal(clock.pendingTimers, 0);
  });

  it('says when its time is over, and can be cancelled', async () => {
    const { call, clock, process } = await three();
    const late = call('wait_for', { sessions: [1, 2, 3], exit: true, timeout_ms: 1_000 });
    await settle();
    clock.advance(1_000);
    assert.match(
      (await late).text,
      /\nCondition: none met within 1\.00 s;.*(\nAlso session \d.*){2}\nWall time/,
    );
    const abort = new AbortController();
    const cancelled = call('wait_for', { sessions: [1, 2, 3] }, { signal: abort.signal });
    await settle();
    abort.abort();
    assert.match((await cancelled).text, /cancelled/);
    await settle();
    assert.equal(clock.pendingTimers, 0);
    assert.equal(process(2).log.paused, false);
  });

  it('refuses what it cannot do', async () => {
    const { call, clock } = await three();
    const refused = async (input: object) => {
      const { isError, text } = await call('wait_for', input);
      assert.equal(isError, true);
      return text;
    };
    assert.match(await refused({}), /give "session", or "sessions" for several/);
    assert.match(
      await refused({ sessions: [1, 2], pattern: 'x', from: '0' }),
      /"from" is a cursor of one session/,
    );
    assert.match(await refused({ sessions: [1, 9] }), /^Session 9 /);
    assert.match(await refused({ sessions: [1, 2], pattern: '(' }), /^wait_for was not called: "pattern"/);
    assert.match(await refused({ sessions: [] }), /"sessions" must be a list of numbers/);
    assert.equal(clock.pendingTimers, 0);
  });
});
