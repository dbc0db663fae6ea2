import assert from 'node:assert/strict';

import { ASKS_ANEW, KNOWS_PASTES } from '../../support/lineReaders.js';
import { until } from '../../support/until.js';
import { vimIsThere } from '../programs.js';
import { untilPrinted } from '../toolsSetup.js';
import type { DeclareToolTest } from '../toolsSetup.js';

/** Input from agents. */
export function inputTests(test: DeclareToolTest): void {
  test('input can be closed', async ({ call, start }) => {
    const session = await start({ argv: ['cat'], stdin: true });
    const reply = await call('write_stdin', {
      session,
      chars: 'all\n',
      close: true,
      yield_time_ms: 55_000,
    });
    assert.deepEqual([reply.output, reply.line('State')], ['all\n', 'exited with code 0']);
  });

  test('a command without input says so, and ends by Ctrl-C', async (fixture) => {
    const { call, start } = fixture;
    const session = await start({
      cmd: `trap 'echo caught; exit 5' INT; echo ready; while :; do sleep 0.02; done`,
    });
    await untilPrinted(fixture, session, 'ready');
    const refused = await call('write_stdin', { session, chars: 'x\n' });
    assert.equal(refused.isError, true);
    assert.match(refused.text, /has no input.*tty=true or stdin=true/);
    const reply = await call('write_stdin', { session, chars: '\u0003', yield_time_ms: 55_000 });
    assert.deepEqual([reply.output, reply.line('State')], ['caught\n', 'exited with code 5']);
  });

  test('a terminal takes lines and keys', async (fixture) => {
    const { call, start } = fixture;
    const session = await start({
      cmd: 'read -p "name? " name; echo "hello $name"; cat; echo over',
      tty: true,
    });
    await untilPrinted(fixture, session, 'name\\?');
    await call('write_stdin', { session, chars: 'you\n' });
    await untilPrinted(fixture, session, 'hello you');
    const reply = await call('write_stdin', { session, close: true, yield_time_ms: 55_000 });
    assert.equal(reply.line('State'), 'exited with code 0');
    assert.match(
      (await call('read_output', { session, cursor: '0' })).output,
      /^name\? you\nhello you\n.*over\n$/s,
    );
  });

  test('several lines reach a program that asks for one after the other', async (fixture) => {
    const session = await fixture.start({ argv: [process.execPath, '-e', ASKS_ANEW], tty: true });
    await untilPrinted(fixture, session, 'first\\?');
    await fixture.call('write_stdin', { session, chars: 'one\ntwo\nthree\n', yield_time_ms: 0 });
    await untilPrinted(fixture, session, 'third is three');
  });

  test('several lines are pasted where the program knows pastes', async (fixture) => {
    const session = await fixture.start({ argv: [process.execPath, '-e', KNOWS_PASTES], tty: true });
    await untilPrinted(fixture, session, 'ready');
    await fixture.call('write_stdin', { session, chars: 'if x:\n  y\n', yield_time_ms: 0 });
    await untilPrinted(fixture, session, 'pasted "if x:\\\\r  y\\\\r"');
  });

  test('an editor shows its screen, and takes keys', async (fixture) => {
    const { call, start, folder } = fixture;
    assert.ok(vimIsThere(), 'vim is needed');
    const session = await start({ argv: ['vim', '-u', 'NONE', '-n', `${folder}/note.txt`], tty: true });
    const screen = () => call('read_output', { session, mode: 'screen' });
    let first = await screen();
    // The cursor goes to its place after everything has been drawn.
    await until(async () => {
      first = await screen();
      return (
        first.output.includes('note.txt') &&
        first.line('Screen') === '80 columns, 24 rows, cursor in row 1, column 1, of a full-screen program'
      );
    });
    assert.match(first.output, /^\n~\n\[the line above 2[0-9] times more\]\n/);
    await call('write_stdin', { session, chars: 'ihello\u001b' });
    await until(
      async () => (await screen()).output,
      (seen) => seen.startsWith('hello\n~'),
    );
    const reply = await call('write_stdin', { session, chars: ':wq\r', yield_time_ms: 55_000 });
    assert.equal(reply.line('State'), 'exited with code 0');
    assert.equal((await call('exec_command', { argv: ['cat', `${folder}/note.txt`] })).output, 'hello\n');
  });
}
