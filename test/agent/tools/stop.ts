import assert from 'node:assert/strict';

import { listProcesses } from '../../../src/local/marks/processTable.js';
import { commandLine } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { untilPrinted } from '../toolsSetup.js';
import type { DeclareToolTest } from '../toolsSetup.js';

/** How sessions are ended. */
export function stopTests(test: DeclareToolTest): void {
  test('a session is stopped with everything that it has started', async (fixture) => {
    const { call, start } = fixture;
    const seconds = uniqueSeconds();
    const session = await start({ cmd: `sleep ${seconds} & (sleep ${seconds} & wait) & echo ready; wait` });
    await untilPrinted(fixture, session, 'ready');
    await until(async () => (await sleepers(seconds)).length, 2);
    const reply = await call('stop_session', { session });
    assert.match(reply.line('Stop'), /^interrupted(, then [a-z ]+)*; it has ended$/);
    assert.deepEqual([reply.structured['exited'], reply.structured['survivors']], [true, []]);
    assert.deepEqual(await sleepers(seconds), []);
    assert.equal(
      (await call('stop_session', { session })).line('Stop'),
      'nothing was running any more that can be recognised',
    );
  });

  test('what does not want to end is killed, at once if that is asked for', async (fixture) => {
    const { call, start } = fixture;
    const session = await start({
      cmd: `trap 'echo no' INT HUP TERM; echo ready; while :; do sleep 0.02; done`,
    });
    await untilPrinted(fixture, session, 'ready');
    const reply = await call('stop_session', { session, force: true });
    assert.equal(reply.line('Stop'), 'killed; it has ended');
    assert.equal(reply.line('State'), 'ended by SIGKILL (exit code 137, stopped by tester)');
    // The command got no signal before that.
    assert.equal((await call('read_output', { session, cursor: '0' })).output, 'ready\n');
  });

  test('signals reach the command', async (fixture) => {
    const { call, start } = fixture;
    // It has no children: one that the signal has killed, and that is not gone yet, would be named.
    const session = await start({ cmd: `trap 'echo reloaded' USR1; echo ready; while :; do :; done` });
    await untilPrinted(fixture, session, 'ready');
    const reply = await call('send_signal', { session, signal: 'SIGUSR1' });
    assert.deepEqual(
      [reply.line('Signal'), reply.line('State')],
      ['SIGUSR1 was sent; it has not ended', 'running'],
    );
    await untilPrinted(fixture, session, 'reloaded');
    assert.equal(
      (await call('send_signal', { session, signal: 'SIGKILL' })).line('State'),
      'ended by SIGKILL (exit code 137, sent by tester)',
    );
  });

  test('a process that a command has left behind is named in each answer, and ended by its number alone', async (fixture) => {
    const { call } = fixture;
    const all: number[] = [];
    for (const [how, cmd] of LEFTOVERS) {
      const seconds = uniqueSeconds();
      const started = await call('exec_command', {
        cmd: cmd.replace('SECONDS', seconds),
        yield_time_ms: 50_000,
      });
      const session = Number(started.structured['session']);
      all.push(session);
      const pid = await sleeperOf(seconds);
      const left = `exited with code 0; 1 process that it started still runs: sleep (pid ${pid})`;
      await until(async () => (await call('read_output', { session })).line('State'), left);
      assert.ok((await call('list_sessions', {})).text.includes(`| ${left}, `), how);
    }
    for (const session of all) {
      const state = (await call('read_output', { session })).line('State');
      const pid = Number(/\(pid (\d+)\)$/.exec(state)?.[1]);
      const stopped = await call('stop_session', { session, pid });
      assert.equal(
        stopped.line('Stop'),
        `sleep (pid ${pid}): told to terminate; it has ended; nothing else was touched`,
      );
      assert.equal(stopped.line('State'), 'exited with code 0');
    }
  });

  test('a stop names what goes on, and never says that nothing runs while it does', async (fixture) => {
    const { call, start } = fixture;
    const seconds = uniqueSeconds();
    const session = await start({
      cmd: `setsid -f sleep ${seconds} </dev/null >/dev/null 2>&1; echo ready; exec sleep 1000`,
    });
    await untilPrinted(fixture, session, 'ready');
    const pid = await sleeperOf(seconds);
    const named = `not reached, because it made its own POSIX session, and still running: sleep (pid ${pid}) (may be meant to go on; stop_session with pid ends one)`;
    for (const before of [/^interrupted; it has ended$/, /^the command itself had ended already$/]) {
      const stopped = await call('stop_session', { session });
      const [done = '', ...rest] = stopped.line('Stop').split(`; ${named}`);
      assert.match(done, before);
      assert.deepEqual(rest, ['']);
      assert.equal(
        stopped.line('State'),
        `ended by SIGINT (exit code 130, stopped by tester); 1 process that it started still runs: sleep (pid ${pid})`,
      );
    }
    await call('stop_session', { session, pid });
    assert.deepEqual(
      [
        (await call('stop_session', { session })).line('Stop'),
        (await call('read_output', { session })).line('State'),
      ],
      [
        'nothing was running any more that can be recognised',
        'ended by SIGINT (exit code 130, stopped by tester)',
      ],
    );
  });

  test('what holds the output of an ended command open is named', async ({ call }) => {
    const seconds = uniqueSeconds();
    const started = await call('exec_command', {
      cmd: `sleep ${seconds} & echo over`,
      yield_time_ms: 50_000,
    });
    const pid = await sleeperOf(seconds);
    assert.equal(
      (await call('read_output', { session: 1 })).line('State'),
      `exited with code 0, output still open: sleep (pid ${pid}) holds it`,
      started.text,
    );
    const stopped = await call('stop_session', { session: 1 });
    assert.equal(stopped.line('State'), 'exited with code 0');
  });

  test('a stop brings the last words of a command', async (fixture) => {
    const { call, start } = fixture;
    const session = await start({
      cmd: `trap 'echo cleaning; echo bye; exit 0' INT; echo ready; while :; do sleep 0.02; done`,
    });
    await untilPrinted(fixture, session, 'ready');
    const stopped = await call('stop_session', { session });
    assert.deepEqual(
      [stopped.line('State'), stopped.output],
      ['exited with code 0 (stopped by tester)', 'cleaning\nbye\n'],
    );
  });
}

/** The number of the process that sleeps for this time, once it has become that program. */
async function sleeperOf(seconds: string): Promise<number> {
  let found: readonly number[] = [];
  await until(async () => {
    found = await sleepers(seconds);
    return found.length === 1;
  });
  return found[0] ?? 0;
}

/** A daemon by the book: two forks, and a POSIX session of its own between them. */
const DAEMON = `python3 -c "
import os
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
null = os.open('/dev/null', os.O_RDWR)
for fd in range(3): os.dup2(null, fd)
os.execvp('sleep', ['sleep', 'SECONDS'])
"`;

/** Commands that leave running processes, by the way in which they do it. */
const LEFTOVERS: readonly (readonly [how: string, cmd: string])[] = [
  ['nohup', 'nohup sleep SECONDS </dev/null >/dev/null 2>&1 &'],
  ['setsid in the background', 'setsid sleep SECONDS </dev/null >/dev/null 2>&1 &'],
  ['setsid -f', 'setsid -f sleep SECONDS </dev/null >/dev/null 2>&1'],
  ['two forks', DAEMON],
  ['closed outputs', 'sleep SECONDS <&- >&- 2>&- &'],
];

let sleeps = 0;

/** A time to sleep that no other process has, so that its sleepers can be found. */
function uniqueSeconds(): string {
  sleeps += 1;
  return `4321.${process.pid}${sleeps}`;
}

async function sleepers(seconds: string): Promise<number[]> {
  const rows = await listProcesses();
  return rows
    .filter(({ command, pid }) => command === 'sleep' && commandLine(pid).trim() === `sleep ${seconds}`)
    .map(({ pid }) => pid);
}
