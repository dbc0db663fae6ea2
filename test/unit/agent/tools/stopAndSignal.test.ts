import assert from 'node:assert/strict';

import { BASE_SERVER } from '../../../support/scriptedBackend.js';
import { until } from '../../../support/until.js';
import { line, parts } from '../replyParts.js';
import { scriptedTools, settle } from '../scriptedHost.js';

describe('Stops and signals', () => {
  it('tell what really happened', async () => {
    const { starts, call, process, hosted, clock } = scriptedTools();
    await starts({ cmd: 'npm run dev' });
    hosted(1).stopping = () => {
      process(1).ends(143, 'SIGTERM');
      return Promise.resolve({
        running: true,
        steps: ['interrupt', 'terminate'],
        exited: true,
        survivors: [{ pid: 12, startTime: '5', command: 'postgres', why: 'otherSession' }],
      });
    };
    const { text, structured } = await call('stop_session', { session: 1 });
    assert.match(
      text,
      /\nState: ended by SIGTERM \(exit code 143, stopped by a\)\nStop: interrupted, then told to terminate; it has ended; not reached, because it made its own POSIX session, and still running: postgres \(pid 12\) \(may be meant to go on; stop_session with pid ends one\)\nWall time: /,
    );
    assert.deepEqual(
      [structured['wasRunning'], structured['steps'], structured['exited'], structured['survivorsKnown']],
      [true, ['interrupt', 'terminate'], true, true],
    );
    assert.deepEqual(hosted(1).stops[0]?.graceMs, undefined);
    assert.equal(clock.pendingTimers, 0);
  });

  it('end one process that a session has left behind, which an agent was told of', async () => {
    const { starts, call, process, host, clock } = scriptedTools();
    await starts({ cmd: 'eval "$(ssh-agent)"' });
    const left = [7, 8].map(
      (pid) => ({ pid, startTime: '5', command: `agent${pid}`, why: 'otherSession' }) as const,
    );
    process(1).left = left;
    process(1).ends(0);
    clock.advance(1_000);
    const early = await call('stop_session', { session: 1, pid: 7 });
    assert.match(
      early.text,
      /^Nothing was ended: Session 1 \(.*\) is not known to have left process 7 running/,
    );
    assert.match(
      (await call('list_sessions', {})).text,
      /\nSession 1: .* \| exited with code 0; 2 processes that it started still run: agent7 \(pid 7\), agent8 \(pid 8\), /,
    );
    // The number has been given to another process meanwhile.
    process(1).left = left.map((survivor) => ({ ...survivor, startTime: survivor.pid === 8 ? '9' : '5' }));
    await call('stop_session', { session: 1, pid: 8 });
    assert.equal(process(1).left.length, 2);
    const ended = await call('stop_session', { session: 1, pid: 7 });
    assert.match(
      ended.text,
      /\nStop: agent7 \(pid 7\): told to terminate; it has ended; nothing else was touched\n/,
    );
    assert.deepEqual(
      [ended.structured['exited'], process(1).left.map(({ pid }) => pid), host.backend.processes.length],
      [true, [8], 1],
    );
  });

  it('say that something has not ended, and what a server cannot tell', async () => {
    const { starts, call, hosted, clock } = scriptedTools({ capabilities: BASE_SERVER });
    await starts();
    hosted(1).stopping = () =>
      Promise.resolve({
        running: true,
        steps: ['kill'],
        exited: false,
        survivors: [{ pid: 7, startTime: '5', command: 'x', why: 'stillRunning' }],
      });
    const reply = call('stop_session', { session: 1, force: true });
    await settle();
    clock.advance(200);
    assert.match(
      (await reply).text,
      /\nStop: killed; IT HAS NOT ENDED; still running: x \(pid 7\); this server can only interrupt and kill/,
    );
    assert.deepEqual(hosted(1).stops[0]?.graceMs, { interrupt: 0, hangup: 0, terminate: 0 });
  });

  it('say that nothing can be known of what is left where processes cannot be listed', async () => {
    const { starts, call, hosted, clock } = scriptedTools();
    await starts();
    hosted(1).stopping = () =>
      Promise.resolve({ running: false, steps: [], exited: true, survivors: [], survivorsUnknown: true });
    const reply = call('stop_session', { session: 1 });
    await settle();
    clock.advance(200);
    const { text, structured } = await reply;
    assert.match(text, /; its leftover processes cannot be known, because/);
    assert.equal(structured['survivorsKnown'], false);
  });

  it('are told to others whose calls see the end, once', async () => {
    const { starts, call, process, hosted } = scriptedTools();
    await starts({ cmd: 'npm run dev' });
    hosted(1).stopping = () => {
      process(1).ends(130, 'SIGINT');
      return Promise.resolve({ running: true, steps: ['interrupt'], exited: true, survivors: [] });
    };
    const waits = ['a', 'b'].map((agent) => call('wait_for', { session: 1, exit: true }, { agent }));
    const own = call('wait_for', { session: 1, exit: true }, { agent: 'c' });
    await settle();
    const stopped = await call('stop_session', { session: 1 }, { agent: 'c' });
    assert.doesNotMatch(stopped.text, /Warning/);
    for (const waited of await Promise.all(waits)) {
      assert.match(
        waited.text,
        /^Warning: The agent c has called stop_session for session 1 \(npm run dev\)\.\n/,
      );
    }
    // The agent that has stopped it gets no warning.
    assert.doesNotMatch((await own).text, /Warning/);
    for (const agent of ['a', 'b', 'c']) {
      assert.doesNotMatch((await call('read_output', { session: 1 }, { agent })).text, /Warning/);
    }
    // There was nothing left to stop.
    await call('stop_session', { session: 1 }, { agent: 'b' });
    assert.doesNotMatch((await call('read_output', { session: 1 })).text, /Warning/);
  });

  it('of a person are told to the agents, once', async () => {
    const { starts, call, process, hosted } = scriptedTools();
    await starts({ cmd: 'npm run dev' });
    const waits = call('wait_for', { session: 1, exit: true });
    await settle();
    hosted(1).isStoppedByPerson();
    process(1).ends(130, 'SIGINT');
    assert.match((await waits).text, /^Warning: A person has stopped session 1 \(npm run dev\)\.\n/);
    assert.doesNotMatch((await call('read_output', { session: 1 })).text, /Warning/);
  });

  it('say so when something outlives the command and holds its output', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts();
    process(1).exits(0);
    const reply = call('stop_session', { session: 1 });
    await settle();
    clock.advance(200);
    assert.match(
      (await reply).text,
      /\nStop: the command itself had ended already; something still holds its output open\n/,
    );
  });

  it('cannot be told of a session that is lost', async () => {
    const { starts, call, hosted, host } = scriptedTools();
    await starts();
    host.backend.fails('gone for good');
    hosted(1).stopping = () => Promise.reject(new Error('gone for good'));
    const stopped = await call('stop_session', { session: 1 });
    assert.deepEqual(
      [stopped.isError, stopped.text, stopped.structured['session']],
      [true, 'Whether Session 1 (run) was stopped cannot be told: gone for good', 1],
    );
    assert.match(
      (await call('send_signal', { session: 1, signal: 'SIGINT' })).text,
      /\nSignal: SIGINT was not sent, it is lost, and whether it still runs cannot be told\n/,
    );
    assert.match(
      (await call('write_stdin', { session: 1, chars: 'x' })).text,
      /^Warning: nothing was sent: it is lost, and/,
    );
  });

  it('that are cancelled end the ladder where it is', async () => {
    const { starts, call, hosted } = scriptedTools();
    await starts();
    const abort = new AbortController();
    let cancelled = false;
    hosted(1).stopping = ({ signal }) =>
      new Promise((resolve) => {
        signal?.addEventListener('abort', () => {
          cancelled = true;
          resolve({ running: true, steps: ['interrupt'], exited: false, survivors: [] });
        });
      });
    const reply = call('stop_session', { session: 1 }, { signal: abort.signal });
    await settle();
    abort.abort();
    assert.match((await reply).text, /cancelled/);
    assert.equal(cancelled, true);
  });

  it('name the existing signals', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts();
    const refused = await call('send_signal', { session: 1, signal: 'SIGUSR1' });
    assert.equal(refused.isError, true);
    assert.match(refused.text, /^SIGUSR1 was not sent: the machine of Session 1 \(run\) takes only SIGINT\./);
    const sent = call('send_signal', { session: 1, signal: 'SIGINT' });
    await settle();
    clock.advance(200);
    assert.match((await sent).text, /\nState: running\nSignal: SIGINT was sent; it has not ended\n/);
    assert.deepEqual(process(1).signals, ['SIGINT']);
    process(1).ends(0);
    assert.match(
      (await call('send_signal', { session: 1, signal: 'SIGINT' })).text,
      /was not sent, the command had ended/,
    );
    assert.deepEqual(process(1).signals, ['SIGINT']);
  });

  it('bring the last output, within a small budget, and where to read on', async () => {
    const { starts, call, process, hosted } = scriptedTools();
    await starts({ cmd: 'npm run dev' });
    process(1).prints('listening\n');
    hosted(1).stopping = () => {
      process(1).prints('cleaning\n'.repeat(2) + 'x\n'.repeat(20_000) + 'bye\n');
      process(1).ends(0);
      return Promise.resolve({ running: true, steps: ['interrupt'], exited: true, survivors: [] });
    };
    const stopped = await call('stop_session', { session: 1 });
    assert.equal(line(stopped, 'State'), 'exited with code 0 (stopped by a)');
    assert.match(parts(stopped).output ?? '', /^listening\ncleaning\n.*\nbye\n$/s);
    assert.ok(stopped.text.length < 5_000);
    assert.notEqual(line(stopped, 'Cursor'), undefined);
    // It has been given with the stop.
    assert.equal(parts(await call('read_output', { session: 1 })).output, undefined);
  });

  it('by signal tell the effect and the last output', async () => {
    const { starts, call, process } = scriptedTools();
    await starts();
    process(1).signal = () => {
      process(1).prints('bye\n');
      process(1).ends(130, 'SIGINT');
      return Promise.resolve();
    };
    const sent = await call('send_signal', { session: 1, signal: 'SIGINT' }, { agent: 'Claude Code' });
    assert.deepEqual(
      [line(sent, 'State'), line(sent, 'Signal'), parts(sent).output],
      ['ended by SIGINT (exit code 130, sent by Claude Code)', 'SIGINT was sent; it has ended', 'bye\n'],
    );
  });
});

describe('How a session ended', () => {
  const listed = async ({ call }: ReturnType<typeof scriptedTools>, id: number) => {
    const { text } = await call('list_sessions', { all: true });
    return new RegExp(`\nSession ${id}: .* \\| (.*?), \\d+ s ago`).exec(text)?.[1];
  };

  it('is kept with who did it for as long as it is listed', async () => {
    const tools = scriptedTools({ limits: { retained: 0 } });
    const { starts, call, process, hosted, clock } = tools;
    for (let id = 1; id <= 5; id++) {
      await starts({ cmd: `run ${id}` });
    }
    hosted(1).stopping = () => {
      process(1).ends(130, 'SIGINT');
      return Promise.resolve({ running: true, steps: ['interrupt'], exited: true, survivors: [] });
    };
    await call('stop_session', { session: 1 }, { agent: 'Claude Code' });
    hosted(2).isStoppedByPerson();
    process(2).ends(0);
    process(3).ends(0);
    process(4).signal = () => {
      process(4).ends(130, 'SIGINT');
      return Promise.resolve();
    };
    await call('write_stdin', { session: 4, keys: ['C-c'] }, { agent: 'Codex' });
    // Its stop fails, and it ends by itself later.
    hosted(5).stopping = () =>
      Promise.resolve({ running: true, steps: ['interrupt'], exited: false, survivors: [] });
    const failed = call('stop_session', { session: 5 });
    await settle();
    clock.advance(1_000);
    await failed;
    process(5).ends(1);
    // Another start makes room: nothing of the output is kept any more.
    await starts({ cmd: 'another' });
    for (const [id, text] of [
      [1, 'ended by SIGINT (exit code 130, stopped by Claude Code)'],
      [2, 'exited with code 0 (stopped by a person)'],
      [3, 'exited with code 0'],
      [4, 'ended by SIGINT (exit code 130, sent by Codex)'],
      [5, 'exited with code 1'],
    ] as const) {
      assert.equal(await listed(tools, id), text);
    }
    // A stop of an ended session changes nothing.
    await call('stop_session', { session: 3 }, { agent: 'late' });
    assert.equal(await listed(tools, 3), 'exited with code 0');
  });

  it('is not attributed to a signal that it survived, or to a stop after the end', async () => {
    const tools = scriptedTools();
    const { starts, call, process, clock } = tools;
    await starts();
    const sent = call('send_signal', { session: 1, signal: 'SIGINT' });
    await settle();
    clock.advance(1_000);
    await sent;
    process(1).ends(143, 'SIGTERM');
    await call('stop_session', { session: 1 });
    assert.equal(await listed(tools, 1), 'ended by SIGTERM (exit code 143)');
  });
});

describe('A process that an ended session has left running', () => {
  const left = (pid: number, more: object = {}) => ({
    pid,
    startTime: '5',
    command: `daemon${pid}`,
    why: 'otherSession' as const,
    ...more,
  });

  it('is named in each answer about it, as long as it runs', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts();
    process(1).ends(0);
    clock.advance(1_000);
    process(1).left = [left(7)];
    const state = async () => line(await call('read_output', { session: 1 }), 'State');
    assert.equal(await state(), 'exited with code 0; 1 process that it started still runs: daemon7 (pid 7)');
    process(1).left = [1, 2, 3, 4, 5, 6, 7].map((pid) => left(pid));
    assert.match(
      (await state()) ?? '',
      /; 7 processes that it started still run: daemon1 .*, daemon5 \(pid 5\), 2 more$/,
    );
    process(1).left = [];
    assert.equal(await state(), 'exited with code 0');
  });

  it('is told apart from what holds its output open', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts();
    process(1).exits(0);
    clock.advance(1_000);
    const state = async () => line(await call('read_output', { session: 1 }), 'State');
    process(1).left = [left(7, { holdsOutput: true })];
    assert.equal(await state(), 'exited with code 0, output still open: daemon7 (pid 7) holds it');
    process(1).left = [left(7, { holdsOutput: true }), left(8, { holdsOutput: true }), left(9)];
    assert.equal(
      await state(),
      'exited with code 0, output still open: daemon7 (pid 7), daemon8 (pid 8) hold it; 1 more process that it started still runs: daemon9 (pid 9)',
    );
  });

  it('is not one that is just about to end with it', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts();
    process(1).ends(0);
    process(1).left = [left(7)];
    const reply = call('read_output', { session: 1 });
    await until(() => clock.pendingTimers > 0);
    process(1).left = [];
    clock.advance(100);
    assert.equal(line(await reply, 'State'), 'exited with code 0');
  });

  it('does not keep an answer waiting where the machine does not tell', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts();
    process(1).ends(0);
    clock.advance(1_000);
    process(1).survivors = () => new Promise(() => undefined);
    const reply = call('read_output', { session: 1 });
    await settle();
    await until(() => clock.pendingTimers > 0);
    clock.advance(1_000);
    assert.equal(line(await reply, 'State'), 'exited with code 0');
    process(1).survivors = () => Promise.reject(new Error('no process table'));
    assert.equal(line(await call('read_output', { session: 1 }), 'State'), 'exited with code 0');
    assert.equal(clock.pendingTimers, 0);
  });

  it('is not denied where processes cannot be listed', async () => {
    const { starts, call, process, hosted, host } = scriptedTools({
      capabilities: { ...BASE_SERVER, stop: true },
    });
    assert.equal(host.backend.capabilities.survivors, false);
    await starts();
    process(1).ends(0);
    hosted(1).stopping = () => Promise.resolve({ running: false, steps: [], exited: true, survivors: [] });
    const stopped = await call('stop_session', { session: 1 });
    assert.equal(
      line(stopped, 'Stop'),
      'the command itself had ended already; detached processes cannot be seen on its machine',
    );
    assert.equal(stopped.structured['survivorsKnown'], false);
  });
});
