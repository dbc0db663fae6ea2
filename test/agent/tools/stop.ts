import assert from 'node:assert/strict';

import { listProcesses } from '../../../src/local/processTable.js';
import { commandLine, until } from '../../support/processes.js';
import { untilPrinted } from '../toolsSetup.js';
import type { DeclareToolTest } from '../toolsSetup.js';

/** How sessions are ended. */
export function stopTests(test: DeclareToolTest): void {
  test('a session is stopped with everything that it has started', async (fixture) => {
    const { call, start } = fixture;
    const seconds = uniqueSeconds();
    const session = await start({ cmd: `sleep ${seconds} & (sleep ${seconds} & wait) & echo ready; wait` });
    await untilPrinted(fixture, session, 'ready');
    await until(async () => (await sleepers(seconds)).length === 2);
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
    assert.equal(reply.line('State'), 'ended by SIGKILL (exit code 137)');
    // The command got no signal before that.
    assert.equal((await call('read_output', { session, cursor: '0' })).output, 'ready\n');
  });

  test('signals reach the command', async (fixture) => {
    const { call, start } = fixture;
    const session = await start({
      cmd: `trap 'echo reloaded' USR1; echo ready; while :; do sleep 0.02; done`,
    });
    await untilPrinted(fixture, session, 'ready');
    const reply = await call('send_signal', { session, signal: 'SIGUSR1' });
    assert.deepEqual([reply.line('Signal'), reply.line('State')], ['SIGUSR1 was sent', 'running']);
    await untilPrinted(fixture, session, 'reloaded');
    assert.equal(
      (await call('send_signal', { session, signal: 'SIGKILL' })).line('State'),
      'ended by SIGKILL (exit code 137)',
    );
  });
}

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
