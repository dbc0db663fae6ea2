import assert from 'node:assert/strict';

import { checkToolInput } from '../../../../src/agent/input/checkToolInput.js';
import type { ToolReply, UnfinishedCall } from '../../../../src/agent/tool.js';
import { line, parts } from '../replyParts.js';
import { scriptedTools, settle } from '../scriptedHost.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

describe('A long wait', () => {
  it('lasts as long as the caller waits, up to a day', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts();
    const longestMs = DAY_MS;
    const found = call('wait_for', { session: 1, pattern: 'ready', timeout_ms: DAY_MS }, { longestMs });
    const typed = call('write_stdin', { session: 1, yield_time_ms: DAY_MS }, { agent: 'b', longestMs });
    const started = call('exec_command', { cmd: 'make', yield_time_ms: DAY_MS }, { agent: 'c', longestMs });
    await settle();
    clock.advance(DAY_MS - 1);
    process(1).prints('ready\n');
    process(1).ends(0);
    await settle();
    clock.advance(1);
    assert.deepEqual((await found).structured['met'], ['pattern']);
    assert.equal(line(await typed, 'State'), 'exited with code 0');
    assert.equal(line(await started, 'State'), 'running');
    assert.equal(line(await started, 'Warning'), undefined);
    assert.equal((await started).structured['wallTimeMs'], DAY_MS);
    assert.equal(clock.pendingTimers, 0);
  });

  it('ends where the caller gives up, and says so', async () => {
    for (const [longestMs, within] of [
      [undefined, '55.00 s'],
      [290_000, '290.00 s'],
    ] as const) {
      const { starts, call, clock } = scriptedTools();
      await starts();
      const waits = call('wait_for', { session: 1, exit: true, timeout_ms: DAY_MS }, { longestMs });
      const types = call('write_stdin', { session: 1, yield_time_ms: DAY_MS }, { longestMs });
      const runs = call('exec_command', { cmd: 'b', yield_time_ms: DAY_MS }, { longestMs });
      const several = call(
        'exec_command',
        { cmd: 'c', environments: ['here'], yield_time_ms: DAY_MS },
        { longestMs, mayGoOn: true },
      );
      await settle();
      clock.advance(longestMs ?? 55_000);
      assert.equal(
        line(await waits, 'Condition'),
        `none met within ${within}; this client waits no longer; wait again, or look at the output`,
      );
      const warning = `this client waits no longer than ${within} for an answer. Use wait_for to wait on.`;
      for (const reply of [types, runs, several]) {
        assert.equal(line(await reply, 'Warning'), warning);
        assert.equal((await reply).unfinished, undefined);
      }
      assert.equal(clock.pendingTimers, 0);
    }
  });

  it('says nothing of the caller if the time that was asked for is over', async () => {
    const { starts, call, clock, host } = scriptedTools();
    await starts();
    let start: () => void = () => undefined;
    host.starting = new Promise((resolve) => (start = resolve));
    const slow = call('exec_command', { cmd: 'x', yield_time_ms: 55_000 }, { mayGoOn: true });
    const reply = call('wait_for', { session: 1, timeout_ms: 55_000 }, { mayGoOn: true });
    await settle();
    clock.advance(1_000);
    start();
    await settle();
    clock.advance(54_000);
    assert.equal(line(await slow, 'Warning'), undefined);
    assert.equal((await slow).unfinished, undefined);
    assert.equal(
      line(await reply, 'Condition'),
      'none met within 55.00 s; wait again, or look at the output',
    );
    assert.equal((await reply).unfinished, undefined);
  });

  it('is given up once it is overdue, because a machine does not answer', async () => {
    const { call, host, clock } = scriptedTools();
    host.starting = new Promise(() => undefined);
    const long = call('exec_command', { cmd: 'x', yield_time_ms: 600_000 }, { longestMs: DAY_MS });
    const short = call('exec_command', { cmd: 'x' }, { longestMs: DAY_MS });
    await settle();
    clock.advance(58_000);
    assert.match((await short).text, /was given up: the machine of the session does not answer\.$/);
    clock.advance(545_000);
    assert.match((await long).text, /was given up/);
    assert.equal(clock.pendingTimers, 0);
  });
});

describe('A wait that goes on without its call', () => {
  it('leaves all output and news to the call in which it goes on', async () => {
    const { starts, call, process, clock, host } = scriptedTools();
    await starts({ cmd: 'other' });
    let start: () => void = () => undefined;
    host.starting = new Promise((resolve) => (start = resolve));
    const reply = call('exec_command', { cmd: 'make', yield_time_ms: MINUTE_MS }, { mayGoOn: true });
    clock.advance(0.25);
    start();
    await settle();
    process(2).prints('one\n');
    process(1).ends(1);
    await settle();
    clock.advance(54_999.75);
    const held = await reply;
    const { unfinished } = held;
    assert.equal(
      held.text,
      'Session 2: make\nState: running\nWait: goes on for 5 s at most; its answer comes by itself\nWall time: 55.00 s',
    );
    assert.deepEqual(unfinished, {
      tool: 'write_stdin',
      input: { session: 2, yield_time_ms: 5_001, max_output_tokens: 9_700 },
      sessions: [2],
      until: clock.wallTime() + 5_001,
    });
    const next = call(...again(held));
    await settle();
    process(2).prints('two\n');
    process(2).ends(0);
    const answer = await next;
    assert.equal(parts(answer).output, 'one\ntwo\n');
    assert.equal(line(answer, 'Meanwhile'), 'session 1 (other) exited with code 1');
    assert.equal(clock.pendingTimers, 0);
  });

  it('after an input only waits', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts({ cmd: 'sh', stdin: true });
    const reply = call(
      'write_stdin',
      { session: 1, chars: 'make\n', yield_time_ms: DAY_MS },
      { mayGoOn: true },
    );
    await settle();
    clock.advance(55_000);
    const next = call(...again(await reply), { longestMs: DAY_MS });
    await settle();
    assert.equal(process(1).input, 'make\n');
    clock.advance(DAY_MS - 55_000);
    assert.equal(line(await next, 'State'), 'running');
  });

  it('waits for the same line, also for another agent', async () => {
    for (const tty of [true, false]) {
      const { starts, call, process, clock } = scriptedTools();
      await starts({ cmd: 'run', tty });
      process(1).prints('ready 1\r\n');
      await call('read_output', { session: 1 });
      const input = { session: 1, pattern: 'ready', quiet_ms: 40_000, timeout_ms: DAY_MS };
      const reply = call('wait_for', input, { mayGoOn: true, longestMs: 2_000 });
      await settle();
      clock.advance(2_000);
      const held = await reply;
      assert.equal(held.unfinished?.input['from'], '1');
      assert.equal(held.unfinished.until, clock.wallTime() + DAY_MS - 2_000);
      process(1).prints('ready 2\r\n');
      for (const agent of ['a', 'b']) {
        assert.equal((await call(...again(held), { agent })).structured['matchedLine'], 'ready 2');
      }
    }
  });

  it('goes on in several sessions', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts();
    await starts();
    const input = { session: 1, sessions: [1, 2], all: true, exit: true, timeout_ms: DAY_MS };
    const reply = call('wait_for', input, { mayGoOn: true });
    await settle();
    process(1).prints('one\n');
    process(1).ends(1);
    await settle();
    clock.advance(55_000);
    const held = await reply;
    assert.deepEqual(held.unfinished?.sessions, [1, 2]);
    const between = await call('read_output', { session: 2 });
    assert.equal(line(between, 'Meanwhile'), 'session 1 (run) exited with code 1');
    const next = call(...again(held));
    await settle();
    process(2).ends(0);
    assert.equal(line(await next, 'All'), 'met in 2 of 2 sessions');
    assert.match(line(await next, 'Also session 1 (run)') ?? '', /^exited with code 1, 4 bytes new$/);
    assert.equal(clock.pendingTimers, 0);
  });

  it('answers as always if a condition is met, or the command has ended, at the last moment', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts();
    const found = call('wait_for', { session: 1, pattern: 'x', timeout_ms: DAY_MS }, { mayGoOn: true });
    const ended = call('write_stdin', { session: 1, yield_time_ms: DAY_MS }, { agent: 'b', mayGoOn: true });
    await settle();
    clock.advance(54_999);
    process(1).prints('x\n');
    process(1).exits(0);
    clock.advance(1);
    assert.deepEqual((await found).structured['met'], ['pattern']);
    assert.equal(line(await ended, 'State'), 'exited with code 0, output still open');
    assert.equal((await ended).unfinished, undefined);
  });
});

/** The call in which a wait goes on, as another program gets it. */
function again({ unfinished }: ToolReply): [UnfinishedCall['tool'], unknown] {
  const { tool, input } = JSON.parse(JSON.stringify(unfinished)) as UnfinishedCall;
  assert.deepEqual(
    { ...checkToolInput(tool, input), input: undefined },
    { ok: true, input: undefined, warnings: [] },
  );
  return [tool, input];
}
