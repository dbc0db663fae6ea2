import assert from 'node:assert/strict';

import type { InputMode } from '../../../src/core/index.js';
import { BASE_SERVER } from '../../support/scriptedBackend.js';
import { scriptedTools, settle } from './scriptedHost.js';

const SECRET: InputMode = { canonical: true, echo: false };
const LINES: InputMode = { canonical: true, echo: true };
const SHELL: InputMode = { canonical: false, echo: false };

describe('A person who takes control', () => {
  it('is told to the agent with its next reply, and keeps it from typing', async () => {
    const { starts, call, hosted, process } = scriptedTools();
    await starts({ cmd: 'bash', tty: true });
    await starts({ cmd: 'other' });
    hosted(1).isControlledBy('person');
    // The next reply is about another session.
    const next = await call('read_output', { session: 2 });
    assert.match(next.text, /^Warning: A person has taken control of session 1 \(bash\): you can read it/);
    assert.doesNotMatch((await call('read_output', { session: 1 })).text, /person/);
    for (const [name, input] of [
      ['write_stdin', { session: 1, chars: 'x' }],
      ['send_signal', { session: 1, signal: 'SIGINT' }],
    ] as const) {
      const refused = await call(name, input);
      assert.equal(refused.isError, true);
      assert.match(refused.text, /not sent|Nothing was sent: a person has control of session 1\./);
    }
    assert.deepEqual([process(1).input, process(1).signals], ['', []]);
    // Reading and stopping are still possible.
    const poll = call('write_stdin', { session: 1 });
    await settle();
    process(1).prints('typed by a person\n');
    const stopped = call('stop_session', { session: 1 });
    await settle();
    assert.equal(hosted(1).stops.length, 1);
    process(1).ends(0);
    assert.match((await poll).text, /typed by a person/);
    assert.equal((await stopped).isError, false);
  });

  it('while a write looks for a prompt, keeps it from typing as well', async () => {
    const { starts, call, hosted, process, clock } = scriptedTools();
    await starts({ cmd: 'su', tty: true });
    process(1).mode = () => {
      hosted(1).isControlledBy('person');
      return Promise.resolve(LINES);
    };
    const reply = call('write_stdin', { session: 1, chars: 'x', yield_time_ms: 0 });
    await settle();
    clock.advance(1_000);
    const { isError, text } = await reply;
    assert.equal(isError, true);
    assert.match(text, /Nothing was sent: a person has control/);
    assert.equal(process(1).input, '');
  });

  it('and gives it back is told as well, once', async () => {
    const { starts, call, hosted, process, clock } = scriptedTools();
    await starts({ cmd: 'bash', tty: true });
    hosted(1).isControlledBy('person');
    await call('list_sessions', {});
    hosted(1).isControlledBy('agent');
    const reply = call('write_stdin', { session: 1, chars: 'x', yield_time_ms: 0 });
    await settle();
    clock.advance(0);
    assert.match(
      (await reply).text,
      /^Warning: A person had control of session 1 \(bash\) and has given control back\./,
    );
    assert.equal(process(1).input, 'x');
    hosted(1).isControlledBy('person');
    hosted(1).isControlledBy('agent');
    assert.match((await call('list_sessions', {})).text, /^Warning: A person had control/);
    assert.doesNotMatch((await call('list_sessions', {})).text, /person/);
  });

  it('during a wait does not end it; the reply tells', async () => {
    const { starts, call, hosted, process } = scriptedTools();
    await starts();
    const reply = call('wait_for', { session: 1, exit: true });
    await settle();
    hosted(1).isControlledBy('person');
    process(1).ends(0);
    assert.match((await reply).text, /^Warning: A person has taken control/);
  });

  it('shows in the list', async () => {
    const { starts, call, hosted } = scriptedTools();
    await starts();
    hosted(1).isControlledBy('person');
    const { text, structured } = await call('list_sessions', {});
    assert.match(text, /Session 1: run \| running, .*a person has control/);
    assert.equal((structured['sessions'] as { controller: string }[])[0]?.controller, 'person');
  });
});

describe('A session that is taken off the list', () => {
  it('ends the calls that wait for it, and is told once', async () => {
    const { starts, call, hosted, process, clock } = scriptedTools();
    await starts({ cmd: 'bash', tty: true });
    process(1).prints('x\n');
    const reply = call('wait_for', { session: 1, exit: true });
    await settle();
    hosted(1).isRemoved();
    const answered = await reply;
    assert.match(
      answered.text,
      /^Warning: A person, or a limit, has taken session 1 \(bash\) off the list\./,
    );
    assert.equal(answered.structured['state'], 'removed');
    assert.equal(clock.pendingTimers, 0);
    const read = await call('read_output', { session: 1 });
    assert.deepEqual(
      [read.isError, read.text.startsWith('The output of Session 1 (bash) is gone')],
      [true, true],
    );
    // The process is released only once, and nothing listens to it any more.
    assert.deepEqual([process(1).holders, hosted(1).watched], [0, false]);
    assert.match((await call('list_sessions', {})).text, /^1 session of yours, 0 running/);
  });

  it('after its end keeps how it ended', async () => {
    const { starts, call, hosted, process } = scriptedTools();
    await starts();
    process(1).ends(4);
    hosted(1).isRemoved();
    assert.match(
      (await call('list_sessions', {})).text,
      /Session 1: run \| exited with code 4, .*output gone/,
    );
  });
});

describe('A program that waits for a secret', () => {
  async function waiting(options: Parameters<typeof scriptedTools>[0] = {}) {
    const setup = scriptedTools(options);
    const { starts, call, process, clock } = setup;
    await starts({ cmd: 'sudo x', tty: true });
    let mode: InputMode | undefined = SECRET;
    let asked = 0;
    process(1).mode = () => {
      asked += 1;
      return Promise.resolve(mode);
    };
    const reply = call('wait_for', { session: 1, exit: true });
    await settle();
    process(1).prints('Password: ');
    await settle();
    return {
      ...setup,
      reply,
      asked: () => asked,
      becomes: (next: InputMode | undefined) => (mode = next),
      quiet: async (ms: number) => {
        clock.advance(ms);
        await settle();
      },
    };
  }

  it('ends the wait of an agent, calls a person, and keeps the agent from typing', async () => {
    const { reply, host, call, process, clock, quiet, becomes } = await waiting();
    await quiet(299);
    assert.equal(host.called, 0);
    await quiet(1);
    const { text, structured } = await reply;
    assert.match(
      text,
      /^Warning: The program is waiting for a secret\. Do not send it and do not ask for it in chat: a person/,
    );
    assert.match(
      text,
      /\nState: waiting for a secret\nCondition: none met: the program waits for a secret\n/,
    );
    assert.deepEqual([structured['state'], structured['ending']], ['waitingForSecret', 'secret']);
    assert.equal(host.calls, 1);
    const refused = await call('write_stdin', { session: 1, chars: 'hunter2\n' });
    assert.equal(refused.isError, true);
    assert.match(refused.text, /^Nothing was sent to session 1\. The program is waiting for a secret\./);
    assert.equal(process(1).input, '');
    // The person types it; the program prints a line end and turns echo on again.
    becomes(LINES);
    process(1).prints('\r\n');
    await quiet(100);
    assert.equal(host.calls, 0);
    assert.equal(clock.pendingTimers, 0);
    const typed = call('write_stdin', { session: 1, chars: 'y\n', yield_time_ms: 0 });
    await settle();
    clock.advance(0);
    assert.equal((await typed).isError, false);
    assert.equal(process(1).input, 'y\n');
  });

  it('does not end the waits of an agent that knows it, which learn how it goes on', async () => {
    const { reply, host, call, process, clock, quiet, becomes } = await waiting();
    await quiet(300);
    await reply;
    const again = call('wait_for', { session: 1, exit: true });
    await settle();
    await quiet(10_000);
    assert.deepEqual([host.calls, host.called], [1, 1]);
    // Another agent does not know it yet.
    const other = call('wait_for', { session: 1, exit: true }, { agent: 'b' });
    await settle();
    await quiet(300);
    assert.equal((await other).structured['ending'], 'secret');
    becomes(undefined);
    process(1).ends(0);
    assert.equal((await again).structured['state'], 'closed');
    await settle();
    assert.deepEqual([host.calls, clock.pendingTimers], [0, 0]);
  });

  it('is looked at again when an agent wants to type', async () => {
    const { reply, call, process, clock, quiet, becomes } = await waiting();
    await quiet(300);
    await reply;
    becomes(LINES);
    const typed = call('write_stdin', { session: 1, chars: 'x', yield_time_ms: 0 });
    await settle();
    clock.advance(0);
    assert.equal((await typed).isError, false);
    assert.equal(process(1).input, 'x');
  });

  it('is asked less and less often while it is silent, and only then', async () => {
    const { reply, asked, becomes, process, quiet } = await waiting();
    becomes(SHELL);
    const times: number[] = [];
    for (const ms of [299, 1, 499, 1, 1_000, 2_000, 5_000, 4_999, 1]) {
      await quiet(ms);
      times.push(asked());
    }
    assert.deepEqual(times, [0, 1, 1, 2, 3, 4, 5, 5, 6]);
    process(1).prints('...');
    await settle();
    await quiet(200);
    process(1).prints('...');
    await settle();
    await quiet(299);
    assert.equal(asked(), 6);
    process(1).ends(0);
    await reply;
  });

  it('ends the call for a person when that person gives control back', async () => {
    const { reply, host, hosted, call, quiet } = await waiting();
    await quiet(300);
    await reply;
    hosted(1).isControlledBy('person');
    assert.equal(host.calls, 1);
    hosted(1).isControlledBy('agent');
    assert.equal(host.calls, 0);
    // The person typed nothing, or the wrong secret: the agent still must not type, and the person is called once more.
    const typing = call('write_stdin', { session: 1, chars: 'x' });
    await settle();
    await quiet(300);
    assert.equal((await typing).isError, true);
    assert.deepEqual([host.calls, host.called], [1, 2]);
  });

  it('is reported as such where nobody can be asked', async () => {
    const { reply, call, quiet } = await waiting({ people: false });
    await quiet(300);
    assert.match(
      (await reply).text,
      /^Warning: The program is waiting for a secret, and nobody can be asked for it here\./,
    );
    assert.match((await call('write_stdin', { session: 1, chars: 'x' })).text, /nobody can be asked/);
  });

  it('is not guessed where it cannot be told, which is said once', async () => {
    const { starts, call, clock, process } = scriptedTools({ capabilities: BASE_SERVER });
    const first = await starts({ cmd: 'sudo x', tty: true });
    assert.match(first.text, /^Warning: whether a program waits for a password cannot be detected here/);
    const reply = call('wait_for', { session: 1, exit: true, timeout_ms: 1_000 });
    await settle();
    process(1).mode = () => assert.fail('It was asked.');
    clock.advance(1_000);
    assert.doesNotMatch((await reply).text, /Warning/);
    assert.doesNotMatch((await starts({ cmd: 'make' })).text, /Warning/);
  });

  it('that cannot be asked at the moment is none', async () => {
    const { reply, process, quiet, host } = await waiting();
    process(1).mode = () => Promise.reject(new Error('no connection'));
    await quiet(300);
    process(1).ends(0);
    assert.equal((await reply).structured['state'], 'closed');
    assert.equal(host.called, 0);
  });

  it('calls nobody for a call that was cancelled while it was asked', async () => {
    const { starts, call, process, clock, host } = scriptedTools();
    await starts({ cmd: 'sudo x', tty: true });
    let tell: (mode: InputMode) => void = () => undefined;
    process(1).mode = () => new Promise((resolve) => (tell = resolve));
    const abort = new AbortController();
    const reply = call('wait_for', { session: 1, exit: true }, { signal: abort.signal });
    await settle();
    clock.advance(300);
    abort.abort();
    await reply;
    tell(SECRET);
    await settle();
    assert.deepEqual([host.called, clock.pendingTimers], [0, 0]);
  });
});

describe('A secret at the end of a call', () => {
  async function prompting() {
    const setup = scriptedTools();
    const { starts, call, process } = setup;
    await starts({ cmd: 'bash', tty: true });
    let mode: InputMode = SHELL;
    process(1).mode = () => Promise.resolve(mode);
    const types = (chars: string) => {
      const reply = call('write_stdin', { session: 1, chars });
      return settle().then(() => reply);
    };
    return { ...setup, types, becomes: (next: InputMode) => (mode = next) };
  }

  it('is found although the call is shorter than the usual silence', async () => {
    const { call, process, clock, becomes, host } = await prompting();
    const reply = call('write_stdin', { session: 1, chars: 'su\n' });
    await settle();
    becomes(SECRET);
    process(1).prints('Password: ');
    clock.advance(250);
    const { text } = await reply;
    assert.match(text, /^Warning: The program is waiting for a secret\..*\nSession 1: bash\nState: waiting/);
    assert.equal(host.called, 1);
    // The agent knows of the prompt now, so that does not end its next wait.
    const again = call('wait_for', { session: 1, exit: true, timeout_ms: 5_000 });
    await settle();
    clock.advance(5_000);
    assert.equal((await again).structured['ending'], 'time');
  });

  it('is not looked for while the program prints', async () => {
    const { call, process, clock, becomes, host } = await prompting();
    const reply = call('write_stdin', { session: 1, chars: 'make\n' });
    await settle();
    becomes(SECRET);
    clock.advance(151);
    process(1).prints('...');
    await settle();
    clock.advance(99);
    assert.match((await reply).text, /\nState: running\n|^Session 1: bash\nState: running\n/);
    assert.equal(host.called, 0);
  });

  it('keeps an agent from typing that has not waited long enough to know of it', async () => {
    const { call, process, clock, becomes, host } = await prompting();
    const waited = call('wait_for', { session: 1, pattern: 'word' });
    await settle();
    becomes(SECRET);
    process(1).prints('Password: ');
    assert.deepEqual((await waited).structured['met'], ['pattern']);
    const typed = call('write_stdin', { session: 1, chars: 'hunter2\n' });
    await settle();
    clock.advance(300);
    const refused = await typed;
    assert.deepEqual([refused.isError, process(1).input, host.called], [true, '', 1]);
    assert.match(refused.text, /^Nothing was sent to session 1\. The program is waiting for a secret\./);
  });

  it('does not keep it from typing into a program that has echo off for a moment', async () => {
    const { call, process, clock, becomes, host } = await prompting();
    becomes(SECRET);
    const typed = call('write_stdin', { session: 1, chars: 'y\n', yield_time_ms: 0 });
    await settle();
    becomes(LINES);
    clock.advance(300);
    await settle();
    clock.advance(0);
    assert.equal((await typed).isError, false);
    assert.deepEqual([process(1).input, host.called], ['y\n', 0]);
  });

  it('can be given up with the interrupt key, and nothing else', async () => {
    const { call, process, clock, becomes } = await prompting();
    becomes(SECRET);
    const refused = call('write_stdin', { session: 1, chars: 'x' });
    await settle();
    clock.advance(300);
    assert.equal((await refused).isError, true);
    for (const input of [{ chars: '\u0003x' }, { chars: '\u0003', close: true }, { close: true }]) {
      assert.equal((await call('write_stdin', { session: 1, ...input })).isError, true);
    }
    const key = call('write_stdin', { session: 1, chars: '\u0003', yield_time_ms: 0 });
    await settle();
    clock.advance(0);
    assert.equal((await key).isError, false);
    assert.equal(process(1).input, '\u0003');
  });

  it('stays one while its machine cannot be asked', async () => {
    const { call, process, clock, becomes, host } = await prompting();
    becomes(SECRET);
    const refused = call('write_stdin', { session: 1, chars: 'x' });
    await settle();
    clock.advance(300);
    await refused;
    host.backend.loses('the cable is out', 25_000);
    const meanwhile = await call('write_stdin', { session: 1, chars: 'hunter2\n' });
    assert.deepEqual([meanwhile.isError, process(1).input], [true, '']);
    host.backend.recovers();
    process(1).mode = () => new Promise(() => undefined);
    const silent = call('write_stdin', { session: 1, chars: 'hunter2\n' });
    await settle();
    clock.advance(1_000);
    assert.deepEqual([(await silent).isError, process(1).input], [true, '']);
  });
});

describe('The end of the tools', () => {
  it('ends the calls that wait, lets go of every process and ends none', async () => {
    const { tools, starts, call, process, clock, hosted, host } = scriptedTools();
    await starts({ cmd: 'bash', tty: true });
    process(1).mode = () => Promise.resolve(SECRET);
    const secret = call('wait_for', { session: 1, exit: true });
    await settle();
    clock.advance(300);
    await secret;
    const waiting = call('wait_for', { session: 1, exit: true });
    await settle();
    tools.dispose();
    assert.equal((await waiting).isError, true);
    await settle();
    assert.deepEqual(
      [process(1).holders, hosted(1).stops.length, host.calls, clock.pendingTimers],
      [0, 0, 0, 0],
    );
    assert.equal(hosted(1).watched, false);
    const late = await call('list_sessions', {});
    assert.deepEqual(
      [late.isError, late.text],
      [true, 'list_sessions was not called: the program that runs the sessions is shutting down.'],
    );
  });

  it('lets go of a process that starts only then', async () => {
    const { tools, call, host, process } = scriptedTools();
    let start: () => void = () => undefined;
    host.starting = new Promise((resolve) => (start = resolve));
    const reply = call('exec_command', { cmd: 'x' });
    tools.dispose();
    start();
    assert.equal((await reply).isError, true);
    await settle();
    assert.equal(process(1).holders, 0);
  });
});

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
        survivors: [{ pid: 12, command: 'postgres', why: 'otherSession' }],
      });
    };
    const { text, structured } = await call('stop_session', { session: 1 });
    assert.match(
      text,
      /\nState: ended by SIGTERM \(exit code 143\)\nStop: interrupted, then told to terminate; it has ended; not reached, because it made a POSIX session of its own: postgres \(pid 12\)\nWall time: /,
    );
    assert.deepEqual(
      [structured['wasRunning'], structured['steps'], structured['exited'], structured['survivorsKnown']],
      [true, ['interrupt', 'terminate'], true, true],
    );
    assert.deepEqual(hosted(1).stops[0]?.graceMs, undefined);
    assert.equal(clock.pendingTimers, 0);
  });

  it('say that something has not ended, and what a server cannot tell', async () => {
    const { starts, call, hosted, clock } = scriptedTools({ capabilities: BASE_SERVER });
    await starts();
    hosted(1).stopping = () =>
      Promise.resolve({
        running: true,
        steps: ['kill'],
        exited: false,
        survivors: [{ pid: 7, command: 'x', why: 'stillRunning' }],
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
