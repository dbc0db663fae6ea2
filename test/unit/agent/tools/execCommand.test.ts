import assert from 'node:assert/strict';

import { line, parts } from '../replyParts.js';
import { scriptedTools, settle } from '../scriptedHost.js';

describe('exec_command', () => {
  it('answers when the command has ended, with everything in its place', async () => {
    const { call, process, clock, host } = scriptedTools();
    const reply = call('exec_command', { cmd: 'make\nall' });
    await settle();
    clock.advance(1_230);
    process(1).prints('done\n');
    process(1).ends(0);
    const { text, structured, isError } = await reply;
    assert.equal(
      text,
      [
        'Session 1: make all',
        'State: exited with code 0',
        'Wall time: 1.23 s',
        'Cursor: 1',
        'Output:',
        'done\n',
      ].join('\n'),
    );
    assert.deepEqual(structured, {
      session: 1,
      state: 'closed',
      command: 'make all',
      cwd: '/work',
      environment: 'here',
      exitCode: 0,
      wallTimeMs: 1_230,
      outputTokens: 2,
      cursor: '1',
      leftOut: false,
      outputBytes: 5,
    });
    assert.equal(isError, false);
    assert.equal(clock.pendingTimers, 0);
    assert.deepEqual(host.backend.processes[0]?.params.argv, ['sh', '-c', 'make\nall']);
  });

  it('runs a command in a sandbox, and says what that allows and has refused', async () => {
    const { starts, call, process } = scriptedTools();
    const reply = await starts({ cmd: 'make', sandbox: { write: ['/srv/api'], network: true } });
    assert.equal(line(reply, 'Sandbox'), 'writes to work and api, with network');
    await starts({ cmd: 'make', sandbox: 'true' });
    await starts({ cmd: 'make', sandbox: false });
    assert.deepEqual(
      [1, 2, 3].map((id) => process(id).params.sandbox?.network),
      [true, false, undefined],
    );
    process(2).exits(1, undefined, { file: '/etc/hosts' });
    process(2).closes();
    const { text, structured } = await call('read_output', { session: 2 });
    assert.match(
      text,
      /^State: exited with code 1 \(refused by the sandbox: \/etc\/hosts is read-only\)\nSandbox: writes to work, no network$/m,
    );
    assert.deepEqual(structured['refused'], { file: '/etc/hosts' });
    const list = await call('list_sessions', {});
    assert.match(
      list.text,
      /^Session 1: make \| running, .*, sandbox: writes to work and api, with network$/m,
    );
    assert.match(list.text, /^Session 3: make \| running, [^:]*$/m);
    const wrong = await call('exec_command', { cmd: 'make', sandbox: { read: ['/srv'] } });
    assert.match(
      wrong.text,
      /^exec_command was not called: "sandbox" must be true, or an object with "write"/,
    );
  });

  it('names its command, and later answers repeat only the beginning of it', async () => {
    const { starts, call } = scriptedTools();
    const cmd = `echo ${'word '.repeat(30)}`.trim();
    assert.equal(line(await starts({ cmd }), 'Session 1'), cmd);
    const later = await call('read_output', { session: 1 });
    assert.match(line(later, 'Session 1') ?? '', /^echo word .{20,29}…$/);
    assert.equal(later.structured['command'], cmd);
  });

  it('says once that the outputs come apart although they should share a pipe', async () => {
    const apart = /^Warning: that machine has no pipe for both outputs/m;
    const replies = async (input: object) => {
      const { call, process, clock } = scriptedTools();
      const reply = call('exec_command', { cmd: 'make', yield_time_ms: 500, ...input });
      await settle();
      process(1).prints('out\n');
      process(1).prints('err\n', 'stderr');
      await settle();
      clock.advance(500);
      const first = await reply;
      process(1).prints('more\n', 'stderr');
      process(1).ends(0);
      const next = await call('wait_for', { session: 1, exit: true });
      return [apart.test(first.text), apart.test(next.text)];
    };
    assert.deepEqual(await replies({}), [true, false]);
    assert.deepEqual(await replies({ separate_stderr: true }), [false, false]);
  });

  it('says that the same command still runs', async () => {
    const { starts, process } = scriptedTools();
    const sameOf = async (cmd: string) =>
      parts(await starts({ cmd })).lines.find((each) => each.includes('the same command'));
    assert.equal(await sameOf('npm run dev'), undefined);
    assert.equal(await sameOf('npm run dev --open'), undefined);
    assert.equal(await sameOf('npm run dev'), 'Session 1 is the same command, and still runs');
    process(1).ends(0);
    process(3).ends(0);
    assert.equal(await sameOf('npm run dev'), undefined);
  });

  it('says that output is not kept on disk where it cannot be', async () => {
    const { starts } = scriptedTools();
    assert.equal(
      line(await starts({ cmd: 'x', keep_output: true }), 'Warning'),
      'keep_output changed nothing: nothing is kept on disk there. Use "> FILE".',
    );
  });

  it('answers when its time is over, and the command goes on', async () => {
    const { call, process, clock } = scriptedTools();
    const reply = call('exec_command', { argv: ['serve'], yield_time_ms: 500 });
    await settle();
    process(1).prints('listening\n');
    await settle();
    clock.advance(500);
    const first = await reply;
    assert.equal(line(first, 'State'), 'running');
    assert.equal(parts(first).output, 'listening\n');
    assert.equal(clock.pendingTimers, 0);
    // Later output is new to the agent.
    process(1).prints('more\n');
    process(1).ends(3, 'SIGTERM');
    const second = await call('read_output', { session: 1 });
    assert.equal(line(second, 'State'), 'ended by SIGTERM (exit code 3)');
    assert.equal(parts(second).output, 'more\n');
    assert.deepEqual([second.structured['exitCode'], second.structured['signal']], [3, 'SIGTERM']);
    const third = await call('read_output', { session: 1 });
    assert.equal(parts(third).output, undefined);
    assert.equal(line(third, 'Output'), 'nothing new');
  });

  it('takes what was printed up to the end of its time, even if nothing was waited for', async () => {
    const { call, process, host, clock } = scriptedTools();
    let start: () => void = () => undefined;
    host.starting = new Promise((resolve) => (start = resolve));
    const reply = call('exec_command', { cmd: 'flood', yield_time_ms: 0 });
    start();
    while (host.hosted.length === 0) {
      await Promise.resolve();
    }
    for (let index = 0; index < 1000; index++) {
      process(1).prints(`line ${index} ${'x'.repeat(900)}\n`);
    }
    await settle();
    clock.advance(0);
    const answered = await reply;
    assert.equal(answered.structured['cursor'], '1000');
    assert.equal(answered.structured['leftOut'], true);
    // Printed output and shown output can differ, and the answer says so.
    assert.match(line(answered, 'Output tokens') ?? '', /^22\d{4}, 9\d{3} of them shown$/);
  });

  it('waits a little for the end of the output, and not for ever', async () => {
    const { call, process, clock } = scriptedTools();
    const reply = call('exec_command', { cmd: 'serve &' });
    await settle();
    process(1).exits(0);
    await settle();
    clock.advance(99);
    process(1).prints('late\n');
    await settle();
    clock.advance(1);
    const answered = await reply;
    assert.equal(line(answered, 'State'), 'exited with code 0, output still open');
    assert.equal(parts(answered).output, 'late\n');
    assert.equal(answered.structured['state'], 'exited');
  });

  it('says how it was lost', async () => {
    const { call, process } = scriptedTools();
    const reply = call('exec_command', { cmd: 'x' });
    await settle();
    process(1).fails('the cable is cut');
    const answered = await reply;
    assert.equal(line(answered, 'State'), 'lost: the cable is cut');
    assert.equal(answered.structured['failure'], 'the cable is cut');
  });

  it('needs cmd or argv, not both', async () => {
    const { call, host } = scriptedTools();
    for (const [input, error] of [
      [{}, 'give "cmd" or "argv".'],
      [{ cmd: 'a', argv: ['b'] }, 'give either "cmd" or "argv", not both.'],
    ] as const) {
      const reply = await call('exec_command', input);
      assert.deepEqual([reply.isError, reply.text], [true, `exec_command was not called: ${error}`]);
    }
    assert.equal(host.hosted.length, 0);
  });

  it('tells why nothing could be started', async () => {
    const { call, host } = scriptedTools();
    host.backend.refusal = new Error('Cannot start "x" in /work: there is no such program.');
    const reply = await call('exec_command', { cmd: 'x' });
    assert.deepEqual([reply.isError, reply.text], [true, host.backend.refusal.message]);
    assert.match((await call('list_sessions', {})).text, /^0 sessions of yours, 0 running\./);
  });

  it('warns of a time that was brought back', async () => {
    const { starts } = scriptedTools();
    const reply = await starts({ cmd: 'x', yield_time_ms: -1 });
    assert.equal(
      parts(reply).lines[0],
      'Warning: requested yield_time_ms -1 is below the minimum of 0; clamping to 0.',
    );
  });

  it('that is cancelled leaves the command running and listed, and its output unread', async () => {
    const { call, process, clock, host } = scriptedTools();
    const abort = new AbortController();
    const reply = call('exec_command', { cmd: 'serve' }, { signal: abort.signal });
    await settle();
    process(1).prints('first\n');
    await settle();
    abort.abort();
    const cancelled = await reply;
    assert.equal(cancelled.isError, true);
    assert.match(cancelled.text, /cancelled.*list_sessions/);
    assert.equal(clock.pendingTimers, 0);
    assert.equal(host.hosted[0]?.stops.length, 0);
    assert.match(
      (await call('list_sessions', {})).text,
      /^1 session of yours, 1 running\.\nSession 1: serve/,
    );
    assert.equal(parts(await call('read_output', { session: 1 })).output, 'first\n');
  });

  it('does not lose a process that starts although the call was cancelled', async () => {
    const { call, host } = scriptedTools();
    let start: () => void = () => undefined;
    host.starting = new Promise((resolve) => (start = resolve));
    const abort = new AbortController();
    const reply = call('exec_command', { cmd: 'serve' }, { signal: abort.signal });
    abort.abort();
    assert.match((await reply).text, /cancelled/);
    start();
    await settle();
    assert.match((await call('list_sessions', {})).text, /^1 session of yours, 1 running\./);
  });
});
