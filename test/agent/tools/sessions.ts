import assert from 'node:assert/strict';

import type { BackendKind } from '../../contract/backends.js';
import { untilPrinted } from '../toolsSetup.js';
import type { DeclareToolTest } from '../toolsSetup.js';

/** Several sessions, and several agents. */
export function sessionTests(test: DeclareToolTest, kind: BackendKind): void {
  test('two agents share a session, and their input does not get mixed up', async (fixture) => {
    const { call, start } = fixture;
    const session = await start({ argv: ['cat'], stdin: true });
    const large = (letter: string) => `${letter.repeat(30_000)}\n`;
    const writes = ['a', 'b', 'a', 'b'].map((agent) =>
      call('write_stdin', { session, chars: large(agent), yield_time_ms: 0 }, { agent }),
    );
    assert.ok((await Promise.all(writes)).every(({ isError }) => !isError));
    await call('write_stdin', { session, chars: 'end\n' });
    await untilPrinted(fixture, session, '^end$');
    let whole = '';
    for (let cursor = '0', more: unknown = true; more === true;) {
      const page = await call('read_output', { session, cursor, max_output_tokens: 100_000 });
      cursor = page.line('Cursor');
      more = page.structured['more'];
      whole += page.output.replace(/\[\.\.\. more follows; .* \.\.\.\]$/, '');
    }
    const lines = whole.split('\n');
    assert.deepEqual(
      lines.map((line) => [line[0], new Set(line).size === 1]).slice(0, 4),
      ['a', 'b', 'a', 'b'].map((letter) => [letter, true]),
    );
  });

  test('the list shows who runs, how others ended, and whose they are', async ({ call, start }) => {
    await start({ cmd: 'sleep 100', title: 'sleeper' });
    await call('exec_command', { cmd: 'exit 4' });
    await call('exec_command', { cmd: 'echo hi' }, { agent: 'other' });
    const own = (await call('list_sessions', {})).text.split('\n');
    assert.match(own[0] ?? '', /^2 sessions of yours, 1 running\.$/);
    assert.match(
      own[1] ?? '',
      /^Session 1: sleep 100 \| running, started \d+ s ago, in .*, environment here, "sleeper"$/,
    );
    assert.match(own[2] ?? '', /^Session 2: exit 4 \| exited with code 4, \d+ s ago, after \d+ s$/);
    assert.equal(own[3], '1 session of other agents, 0 running: all=true lists them.');
    assert.equal(own[4], `Environments: here (${kind.name}, the default)`);
    assert.match((await call('list_sessions', { all: true })).text, /Session 3: echo hi .*, of other$/m);
  });

  test(
    'too many live sessions are refused, and none is ended for another',
    async ({ call, start }) => {
      await start({ cmd: 'sleep 101' });
      await start({ cmd: 'sleep 102' });
      const refused = await call('exec_command', { cmd: 'sleep 103' });
      assert.equal(refused.isError, true);
      assert.match(
        refused.text,
        /^Nothing was started: 2 of your sessions run.*\nSession 1: sleep 101 \(running, started \d+ s ago\)\nSession 2: sleep 102/,
      );
      await call('stop_session', { session: 1, force: true });
      assert.equal((await call('exec_command', { cmd: 'echo room' })).output, 'room\n');
      assert.equal((await call('read_output', { session: 2 })).line('State'), 'running');
    },
    { limits: { live: 2 } },
  );
}
