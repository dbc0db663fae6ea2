import assert from 'node:assert/strict';

import type { ToolReply } from '../../../src/agent/tool.js';
import { until } from '../../support/processes.js';
import { BASE_SERVER } from '../../support/scriptedBackend.js';
import { scriptedTools, settle } from './scriptedHost.js';

/** The parts of a reply: its lines up to the output, and the output. */
function parts({ text }: ToolReply): {
  readonly lines: readonly string[];
  readonly output: string | undefined;
} {
  const [head = '', ...output] = text.split('\nOutput:\n');
  return { lines: head.split('\n'), output: output.length === 0 ? undefined : output.join('\nOutput:\n') };
}

function line(reply: ToolReply, name: string): string | undefined {
  const found = parts(reply).lines.find((each) => each.startsWith(`${name}: `));
  return found?.slice(name.length + 2);
}

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
        'Output tokens: 2 (4 bytes a token, estimated)',
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
    assert.equal(line(third, 'Output tokens'), '0 (4 bytes a token, estimated)');
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
    const { structured } = await reply;
    assert.equal(structured['cursor'], '1000');
    assert.equal(structured['leftOut'], true);
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

  it('that is cancelled while it starts does not lose what has started all the same', async () => {
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
    assert.equal(second, 'Session 1: server 1 (running, started 2 min ago)');
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

  it('count what an ended command has left behind, until it was tried to stop it', async () => {
    const { starts, call, process } = scriptedTools({ limits: { live: 1 } });
    await starts();
    process(1).exits(0);
    assert.match(
      (await starts()).text,
      /^Nothing was started.*\nSession 1: run \(exited with code 0, output still open/,
    );
    await call('stop_session', { session: 1, force: true }, { signal: AbortSignal.abort() });
    assert.equal((await starts()).isError, true);
    const stopping = call('stop_session', { session: 1 });
    await settle();
    process(1).closes();
    await stopping;
    assert.equal((await starts()).isError, false);
  });

  it('let the output of the oldest that have ended go; how they ended stays', async () => {
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
    assert.equal(line(await call('stop_session', { session: 1 }), 'Stop'), 'nothing was running any more');
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

  it('bound what is kept of many agents together', async () => {
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

describe('write_stdin', () => {
  it('sends exactly the characters, and answers with what comes of it', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts({ cmd: 'x', stdin: true });
    const reply = call('write_stdin', { session: 1, chars: 'a\\n\té\n' });
    await settle();
    assert.equal(process(1).input, 'a\\n\té\n');
    process(1).prints('got it\n');
    await settle();
    clock.advance(250);
    assert.equal(parts(await reply).output, 'got it\n');
    assert.equal(clock.pendingTimers, 0);
  });

  it('without characters only waits, and returns early at the end', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts();
    const reply = call('write_stdin', { session: 1, yield_time_ms: 60_000 });
    await settle();
    clock.advance(5_000);
    process(1).ends(2);
    assert.equal(line(await reply, 'State'), 'exited with code 2');
    assert.equal(process(1).input, '');
    assert.equal(clock.pendingTimers, 0);
  });

  it('says what to do if there is no input', async () => {
    const { starts, call } = scriptedTools();
    await starts();
    for (const input of [{ chars: 'x' }, { close: true }]) {
      const reply = await call('write_stdin', { session: 1, ...input });
      assert.equal(reply.isError, true);
      assert.match(
        reply.text,
        /^Nothing was sent: Session 1 \(run\) has no input.*tty=true or stdin=true\.$/,
      );
    }
  });

  it('interrupts what runs on pipes with Ctrl-C', async () => {
    for (const stdin of [false, true]) {
      const { starts, call, process } = scriptedTools();
      await starts({ cmd: 'x', stdin });
      const reply = call('write_stdin', { session: 1, chars: '\u0003' });
      await settle();
      assert.deepEqual([process(1).signals, process(1).input], [['SIGINT'], '']);
      process(1).ends(130, 'SIGINT');
      assert.equal(line(await reply, 'State'), 'ended by SIGINT (exit code 130)');
    }
  });

  it('closes the input behind the characters', async () => {
    const { starts, call, process } = scriptedTools();
    await starts({ cmd: 'x', stdin: true });
    const reply = call('write_stdin', { session: 1, chars: 'last\n', close: true });
    await settle();
    assert.equal(process(1).input, 'last\n<end>');
    process(1).ends(0);
    assert.equal((await reply).isError, false);
    // An end is a normal reply, not an error.
    const late = await call('write_stdin', { session: 1, chars: 'x' });
    assert.equal(late.isError, false);
    assert.equal(line(late, 'Warning'), 'nothing was sent: the command had ended already.');
    assert.equal(line(late, 'State'), 'exited with code 0');
  });

  for (const [status, error] of [
    ['stdinClosed', 'has been closed'],
    ['unknownProcess', 'does not know the process any more'],
    ['starting', 'is still starting'],
  ] as const) {
    it(`tells that the input ${error}`, async () => {
      const { starts, call, process } = scriptedTools();
      await starts({ cmd: 'x', tty: true });
      process(1).writeStatus = status;
      const reply = await call('write_stdin', { session: 1, chars: 'x' });
      assert.equal(reply.isError, true);
      assert.ok(reply.text.startsWith('Nothing was sent:') && reply.text.includes(error), reply.text);
    });
  }

  it('of two agents go one behind the other, and neither waits for the other to read', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts({ cmd: 'x', stdin: true });
    const finish: (() => void)[] = [];
    process(1).write = (bytes) => {
      const text = new TextDecoder().decode(bytes);
      return new Promise((resolve) => {
        process(1).input += `<${text}`;
        finish.push(() => {
          process(1).input += `${text}>`;
          resolve('accepted');
        });
      });
    };
    const long = call('write_stdin', { session: 1, chars: 'a', yield_time_ms: 60_000 });
    await settle();
    const other = call('write_stdin', { session: 1, chars: 'b' }, { agent: 'b' });
    await settle();
    assert.equal(process(1).input, '<a');
    finish[0]?.();
    await settle();
    // The first call still waits for output, but its input is done, and other calls wait only for that.
    assert.equal(process(1).input, '<aa><b');
    finish[1]?.();
    await settle();
    clock.advance(250);
    assert.equal((await other).isError, false);
    process(1).ends(0);
    assert.equal(line(await long, 'State'), 'exited with code 0');
  });

  it('does not let others wait for a program that takes no input', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts({ cmd: 'x', stdin: true });
    process(1).write = () => new Promise(() => undefined);
    const stuck = call('write_stdin', { session: 1, chars: 'much', yield_time_ms: 30_000 });
    const interrupt = call('write_stdin', { session: 1, chars: '\u0003' }, { agent: 'b' });
    await settle();
    assert.deepEqual(process(1).signals, []);
    clock.advance(1_000);
    await settle();
    assert.deepEqual(process(1).signals, ['SIGINT']);
    process(1).ends(130);
    assert.match(line(await stuck, 'Warning') ?? '', /has not taken all of the input yet/);
    assert.equal(line(await interrupt, 'State'), 'exited with code 130');
  });

  it('that waits for its turn can be cancelled, and sends nothing then', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts({ cmd: 'x', stdin: true });
    let finish: () => void = () => undefined;
    const taken: string[] = [];
    process(1).write = (bytes) => {
      taken.push(new TextDecoder().decode(bytes));
      return new Promise((resolve) => (finish = () => resolve('accepted')));
    };
    const first = call('write_stdin', { session: 1, chars: 'a' });
    await settle();
    const abort = new AbortController();
    const second = call('write_stdin', { session: 1, chars: 'b' }, { signal: abort.signal });
    await settle();
    abort.abort();
    assert.match((await second).text, /cancelled/);
    finish();
    await settle();
    clock.advance(250);
    await first;
    assert.deepEqual(taken, ['a']);
  });

  it('that fails because the command has ended meanwhile is no error', async () => {
    const { starts, call, process } = scriptedTools();
    await starts({ cmd: 'x', stdin: true });
    process(1).write = () => {
      process(1).ends(1);
      return Promise.reject(new Error('it takes no more input'));
    };
    const reply = await call('write_stdin', { session: 1, chars: 'x' });
    assert.equal(reply.isError, false);
    assert.equal(line(reply, 'Warning'), 'the command ended before it took all of the input.');
    assert.equal(line(reply, 'State'), 'exited with code 1');
  });
});

describe('read_output', () => {
  it('remembers for each agent what it has been given', async () => {
    const { starts, call, process } = scriptedTools();
    await starts();
    process(1).prints('one\n');
    const read = async (agent: string) => parts(await call('read_output', { session: 1 }, { agent })).output;
    assert.equal(await read('a'), 'one\n');
    process(1).prints('two\n');
    assert.equal(await read('b'), 'one\ntwo\n');
    assert.equal(await read('a'), 'two\n');
    assert.equal(await read('a'), undefined);
  });

  it('with a cursor answers from there, and does not lose the place', async () => {
    const { starts, call, process } = scriptedTools();
    await starts();
    process(1).prints('one\n');
    process(1).prints('two\n');
    const page = await call('read_output', { session: 1, cursor: '1' });
    assert.deepEqual([parts(page).output, line(page, 'Cursor')], ['two\n', '2']);
    // The page began behind what the agent had, so that the first line is still news.
    assert.equal(parts(await call('read_output', { session: 1 })).output, 'one\ntwo\n');
    assert.equal(parts(await call('read_output', { session: 1, cursor: '0' })).output, 'one\ntwo\n');
    process(1).prints('three\n');
    assert.equal(parts(await call('read_output', { session: 1, cursor: '0' })).output, 'one\ntwo\nthree\n');
    assert.equal(parts(await call('read_output', { session: 1 })).output, undefined);
  });

  it('refuses a cursor that is of another session', async () => {
    const { starts, call } = scriptedTools();
    await starts();
    const reply = await call('read_output', { session: 1, cursor: '77' });
    assert.equal(reply.isError, true);
    assert.match(
      reply.text,
      /"cursor" 77 is behind the end of the output of Session 1 \(run\), which is at 0\./,
    );
  });

  it('pages through everything without a hole', async () => {
    const { starts, call, process } = scriptedTools();
    await starts();
    const lines = Array.from({ length: 500 }, (_, index) => `line ${index} ${'é'.repeat(index % 50)}\n`);
    lines.forEach((text) => process(1).prints(text));
    process(1).ends(0);
    let whole = '';
    let cursor = '0';
    for (let pages = 0; ; pages++) {
      const reply = await call('read_output', { session: 1, cursor, max_output_tokens: 300 });
      cursor = line(reply, 'Cursor') ?? assert.fail();
      const more = `[... more follows; read_output cursor="${cursor}" has it ...]`;
      whole += (parts(reply).output ?? '').replace(more, '');
      if (reply.structured['more'] === false) {
        assert.ok(pages > 10);
        break;
      }
      assert.ok(parts(reply).output?.endsWith(more));
    }
    assert.equal(whole, lines.join(''));
  });

  it('finds lines', async () => {
    const { starts, call, process } = scriptedTools();
    await starts();
    for (let index = 0; index < 100; index++) {
      process(1).prints(index % 10 === 0 ? `Error ${index}\n` : 'fine\n');
    }
    const found = await call('read_output', { session: 1, search: 'error \\d', ignore_case: true });
    assert.equal(line(found, 'Matching lines'), '10');
    assert.match(parts(found).output ?? '', /Error 0\n.*Error 10\n/s);
    assert.equal(line(await call('read_output', { session: 1, search: 'error' }), 'Matching lines'), '0');
    const broken = await call('read_output', { session: 1, search: '(' });
    assert.equal(broken.isError, true);
    assert.match(broken.text, /^read_output was not called: "search": /);
  });

  it('has a screen only of a terminal, and alone', async () => {
    const { starts, call } = scriptedTools();
    await starts();
    assert.match((await call('read_output', { session: 1, mode: 'screen' })).text, /has no screen/);
    const both = await call('read_output', { session: 1, mode: 'screen', cursor: '0' });
    assert.match(both.text, /mode "screen" is alone/);
  });

  it('that is cancelled has given nothing', async () => {
    const { starts, call, process } = scriptedTools();
    await starts();
    process(1).prints('news\n');
    const reply = await call('read_output', { session: 1 }, { signal: AbortSignal.abort() });
    assert.match(reply.text, /cancelled/);
    assert.equal(parts(await call('read_output', { session: 1 })).output, 'news\n');
  });
});

describe('wait_for', () => {
  it('needs a condition', async () => {
    const { starts, call } = scriptedTools();
    await starts();
    const reply = await call('wait_for', { session: 1, timeout_ms: 5 });
    assert.equal(reply.isError, true);
    assert.match(reply.text, /give at least one of "exit"/);
  });

  it('finds a line that came before the call, and before the last reply', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts();
    process(1).prints('starting\nlistening on 3000\nnext\n');
    assert.notEqual(parts(await call('read_output', { session: 1 })).output, undefined);
    const reply = await call('wait_for', { session: 1, pattern: 'LISTENING on \\d+', ignore_case: true });
    assert.match(
      line(reply, 'Condition') ?? '',
      /^pattern met at cursor "0.*" \(the line began before your last look; from="1" waits for a new one\) by the line: listening on 3000$/,
    );
    assert.deepEqual(
      [reply.structured['met'], reply.structured['matchedLine']],
      [['pattern'], 'listening on 3000'],
    );
    assert.equal(parts(reply).output, undefined);
    assert.equal(clock.pendingTimers, 0);
  });

  it('does not look at what is before from', async () => {
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

  it('waits for the end of the output behind the exit if that is asked for', async () => {
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

  it('asks for a port again and again, also while its machine cannot be reached', async () => {
    const { starts, call, clock, host } = scriptedTools();
    await starts();
    const isListening = host.backend.isListening.bind(host.backend);
    let asked = 0;
    host.backend.isListening = (port) => {
      asked += 1;
      return asked === 2 ? Promise.reject(new Error('no answer')) : isListening(port);
    };
    const reply = call('wait_for', { session: 1, port: 8080 });
    for (let tries = 0; tries < 3; tries++) {
      await settle();
      clock.advance(250);
    }
    host.backend.ports.add(8080);
    await settle();
    clock.advance(250);
    assert.equal(line(await reply, 'Condition'), 'port met: 8080 is listened on');
    assert.equal(asked, 5);
    assert.equal(clock.pendingTimers, 0);
  });

  it('says if a port cannot be told', async () => {
    const { starts, call, clock, host } = scriptedTools();
    await starts();
    host.backend.isListening = () => Promise.reject(new Error('no answer'));
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

  it('refuses a pattern that is none', async () => {
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
      { agent: 'a', progress: (message) => said.push(message) },
    );
    await settle();
    process(1).prints('12345');
    clock.advance(5_000);
    clock.advance(5_000);
    process(1).ends(0);
    await waiting;
    assert.deepEqual(said, [
      'Session 1 (run): waiting for 5 s, 5 bytes of output meanwhile',
      'Session 1 (run): waiting for 10 s, 5 bytes of output meanwhile',
    ]);
  });

  it('can be cancelled at any moment, and leaves nothing behind', async () => {
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

  it('lets nothing go unseen while it waits: the process is held back for it, and goes on afterwards', async () => {
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
    assert.doesNotMatch(answered.text, /are gone/);
    assert.equal(log.paused, false);
  });
});

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
    assert.match(lines[53] ?? '', /^Environments: /);
    assert.equal(lines.length, 54);
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

describe('A connection that is cut', () => {
  it('is not taken for silence', async () => {
    const { starts, call, clock, host } = scriptedTools();
    await starts();
    const reply = call('wait_for', { session: 1, quiet_ms: 1_000 });
    await settle();
    clock.advance(900);
    host.backend.loses('the cable is out', 25_000);
    clock.advance(5_000);
    await settle();
    host.backend.recovers();
    clock.advance(999);
    await settle();
    clock.advance(1);
    const answered = await reply;
    assert.deepEqual([answered.structured['met'], answered.structured['wallTimeMs']], [['quiet_ms'], 6_900]);
    assert.deepEqual([clock.pendingTimers, host.backend.watched], [0, false]);
  });

  it('is told in the state, and ends no wait', async () => {
    const { starts, call, clock, host, process } = scriptedTools();
    await starts();
    host.backend.loses('the cable is out', 25_000);
    const reply = call('wait_for', { session: 1, exit: true, timeout_ms: 3_000 });
    await settle();
    clock.advance(3_000);
    const text = line(await reply, 'State') ?? '';
    assert.match(text, /^running; its machine has not been reachable for 3 s .*\(the cable is out\)$/);
    host.backend.recovers();
    const again = call('wait_for', { session: 1, exit: true });
    await settle();
    process(1).ends(0);
    assert.equal(line(await again, 'State'), 'exited with code 0');
  });

  it('for good ends a wait', async () => {
    const { starts, call, host } = scriptedTools();
    await starts();
    const reply = call('wait_for', { session: 1, closed: true });
    await settle();
    host.backend.fails('gone for good');
    const answered = await reply;
    assert.equal(line(answered, 'State'), 'lost: gone for good');
    assert.equal(line(answered, 'Condition'), 'none met: the process was lost');
    assert.equal(line(await call('wait_for', { session: 1, exit: true }), 'State'), 'lost: gone for good');
    const written = await call('write_stdin', { session: 1, chars: 'x' });
    assert.equal(line(written, 'State'), 'lost: gone for good');
  });
});
