import assert from 'node:assert/strict';

import { BASE_SERVER } from '../../../support/scriptedBackend.js';
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
      /\nState: ended by SIGTERM \(exit code 143\)\nStop: interrupted, then told to terminate; it has ended; not reached, because it made a POSIX session of its own, and still running: postgres \(pid 12\) \(may be meant to go on; stop_session with pid ends one\)\nWall time: /,
    );
    assert.deepEqual(
      [structured['wasRunning'], structured['steps'], structured['exited'], structured['survivorsKnown']],
      [true, ['interrupt', 'terminate'], true, true],
    );
    assert.deepEqual(hosted(1).stops[0]?.graceMs, undefined);
    assert.equal(clock.pendingTimers, 0);
  });

  it('end one process that a session has left behind, which an agent was told of', async () => {
    const { starts, call, process, host } = scriptedTools();
    await starts({ cmd: 'eval "$(ssh-agent)"' });
    const left = [7, 8].map(
      (pid) => ({ pid, startTime: '5', command: `agent${pid}`, why: 'otherSession' }) as const,
    );
    process(1).left = left;
    process(1).ends(0);
    const early = await call('stop_session', { session: 1, pid: 7 });
    assert.match(
      early.text,
      /^Nothing was ended: process 7 is none that Session 1 \(.*\) is known to have left running/,
    );
    assert.match(
      (await call('list_sessions', {})).text,
      /\nSession 1: .* \| exited with code 0, left running: agent7 \(pid 7\), agent8 \(pid 8\), /,
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
    assert.match(text, /; what it has left behind cannot be known, because/);
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

  it('name the signals that there are', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts();
    const refused = await call('send_signal', { session: 1, signal: 'SIGUSR1' });
    assert.equal(refused.isError, true);
    assert.match(refused.text, /^SIGUSR1 was not sent: the machine of Session 1 \(run\) takes only SIGINT\./);
    const sent = call('send_signal', { session: 1, signal: 'SIGINT' });
    await settle();
    clock.advance(200);
    assert.match((await sent).text, /\nState: running\nSignal: SIGINT was sent\n/);
    assert.deepEqual(process(1).signals, ['SIGINT']);
    process(1).ends(0);
    assert.match(
      (await call('send_signal', { session: 1, signal: 'SIGINT' })).text,
      /was not sent, the command had ended/,
    );
    assert.deepEqual(process(1).signals, ['SIGINT']);
  });
});
