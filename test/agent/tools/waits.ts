import assert from 'node:assert/strict';

import { untilPrinted } from '../toolsSetup.js';
import type { DeclareToolTest } from '../toolsSetup.js';

/** The events that a call waits for. */
export function waitTests(test: DeclareToolTest): void {
  test('waiting for a line finds one that came before, one that comes, and none', async (fixture) => {
    const { call, start } = fixture;
    const session = await start({
      cmd: 'echo "Listening on 3000"; read x; echo "ready $x"; read y',
      stdin: true,
    });
    await untilPrinted(fixture, session, 'Listening');
    const before = await call('wait_for', { session, pattern: 'listening ON \\d+', ignore_case: true });
    assert.deepEqual([before.structured['met'], before.structured['shownLine']], [[], 'Listening on 3000']);
    const coming = call('wait_for', { session, pattern: '^ready go$' });
    await call('write_stdin', { session, chars: 'go\n' });
    assert.deepEqual((await coming).structured['met'], ['pattern']);
    const none = await call('wait_for', { session, pattern: 'never', timeout_ms: 10 });
    assert.deepEqual(
      [none.isError, none.structured['ending'], none.structured['state']],
      [false, 'time', 'running'],
    );
    const over = call('wait_for', { session, pattern: 'never' });
    await call('write_stdin', { session, chars: '\n' });
    assert.match((await over).line('Condition'), /^none met: the command has ended, and no line/);
  });

  test('waiting for several commands ends with the first that does what is waited for', async (fixture) => {
    const { call, start } = fixture;
    const [one, other] = await Promise.all(
      [1, 2].map(() => start({ cmd: 'read x; echo "got $x"; read y', stdin: true })),
    );
    const coming = call('wait_for', { sessions: [one, other], pattern: '^got' });
    await call('write_stdin', { session: other, chars: 'it\n' }, { agent: 'other' });
    const reply = await coming;
    assert.deepEqual([reply.structured['session'], reply.output], [other, 'got it\n']);
    assert.match(
      reply.line(`Also session ${one} (read x; echo "got $x"; read y)`),
      /^running(; it reads its standard input)?, nothing new$/,
    );
    const ended = call('wait_for', { sessions: [one, other] });
    await call('write_stdin', { session: one, chars: 'a\nb\n' }, { agent: 'other' });
    assert.deepEqual([(await ended).structured['session'], (await ended).structured['met']], [one, ['exit']]);
  });

  test('waiting for quiet ends when a command prints no more', async ({ call, start, folder }) => {
    const session = await start({
      cmd: `for i in $(seq 30); do echo $i; sleep 0.02; done; touch done; until [ -e go ]; do sleep 0.05; done`,
    });
    const reply = await call('wait_for', { session, quiet_ms: 1_000 });
    assert.deepEqual(reply.structured['met'], ['quiet_ms'], reply.text);
    assert.match(reply.output, /\n30\n$/);
    const ended = call('wait_for', { session, exit: true, quiet_ms: 60_000 });
    await call('exec_command', { argv: ['touch', `${folder}/go`] });
    assert.deepEqual((await ended).structured['met'], ['exit']);
  });

  test('a wait that is cancelled leaves the command alone, and its output unread', async (fixture) => {
    const { call, start } = fixture;
    const session = await start({
      cmd: 'read x; echo "got $x"; read y; echo "then $y"; read z',
      stdin: true,
    });
    const abort = new AbortController();
    const waiting = call('wait_for', { session, exit: true }, { signal: abort.signal });
    await call('write_stdin', { session, chars: 'it\n' }, { agent: 'other' });
    await untilPrinted(fixture, session, 'got it', { agent: 'other' });
    abort.abort();
    assert.match((await waiting).text, /cancelled/);
    const read = await call('read_output', { session });
    assert.deepEqual([read.output, read.structured['state']], ['got it\n', 'running']);
    // An end takes a while. One that the cancelled wait had begun would be over by the time that a later one is.
    await call('stop_session', { session: await start({ cmd: 'sleep 100' }), force: true });
    await call('write_stdin', { session, chars: 'on\n' });
    assert.equal((await untilPrinted(fixture, session, 'then on')).structured['state'], 'running');
  });
}
