import assert from 'node:assert/strict';

import { untilPrinted } from '../toolsSetup.js';
import type { DeclareToolTest } from '../toolsSetup.js';

/** Input that only people may type. */
export function secretTests(test: DeclareToolTest): void {
  for (const [name, cmd] of [
    ['a shell', `read -s -p 'Password: ' secret; echo; echo "it has \${#secret} characters"; read x`],
    [
      'a script',
      `stty -echo; printf 'Password: '; read -r p; stty echo; echo "it has \${#p} characters"; read x`,
    ],
    [
      'Python',
      `python3 -c "import getpass; s = getpass.getpass(); print('it has', len(s), 'characters'); input()"`,
    ],
  ] as const) {
    test(`a secret that ${name} asks for is left to people`, async (fixture) => {
      const { call, start, backend } = fixture;
      const session = await start({ cmd, tty: true });
      const reply = await call('wait_for', { session, pattern: 'characters' });
      assert.equal(reply.structured['ending'], 'secret', reply.text);
      assert.match(
        reply.text,
        /^Warning: The program is waiting for a secret, and nobody can be asked for it here\./,
      );
      assert.equal(reply.line('State'), 'waiting for a secret');
      const refused = await call('write_stdin', { session, chars: 'hunter2\n' });
      assert.deepEqual([refused.isError, refused.structured['session']], [true, session]);
      // A person types it in the terminal, past the tools.
      const [info] = await backend.list();
      await backend.write(info?.processId ?? '', new TextEncoder().encode('hunter2\n'));
      await untilPrinted(fixture, session, 'it has 7 characters');
      const whole = await call('read_output', { session, cursor: '0' });
      assert.ok(!whole.text.includes('hunter2'), whole.text);
      const typed = await call('write_stdin', { session, chars: '\n', yield_time_ms: 55_000 });
      assert.equal(typed.line('State'), 'exited with code 0');
    });
  }

  test('a secret that a shell command asks for is found by the call that typed the command', async (fixture) => {
    const { call, start } = fixture;
    const session = await start({ argv: ['bash', '--norc', '--noprofile', '-i'], tty: true });
    await call('wait_for', { session, quiet_ms: 500 });
    // The quotes keep the text of the prompt out of the echo of the command.
    const chars = `read -s -p 'Fir''st: ' secret\n`;
    const asked = await call('write_stdin', { session, chars, yield_time_ms: 1_000 });
    assert.equal(asked.line('State'), 'waiting for a secret');
    // The next call refuses to type as well, although it does not wait at all.
    await call('write_stdin', { session, chars: '\u0003' });
    await call('write_stdin', { session, chars: `read -s -p 'Sec''ond: ' secret\n`, yield_time_ms: 0 });
    await untilPrinted(fixture, session, '^Second:');
    const refused = await call('write_stdin', { session, chars: 'hunter2\n' });
    assert.equal(refused.isError, true, refused.text);
    await call('write_stdin', { session, chars: '\u0003' });
    await call('write_stdin', { session, chars: 'echo $((6 * 7))\n' });
    await untilPrinted(fixture, session, '^42$');
  });

  test('a program that only hides what is typed does not look like a secret', async ({ start, call }) => {
    for (const work of [
      `for i in 1 2 3 4; do printf 'working %s\\r' $i; sleep 1; done`,
      `echo 'Installing packages...'; sleep 5`,
    ]) {
      const session = await start({ cmd: `stty -echo; ${work}; stty echo`, tty: true });
      const reply = await call('wait_for', { session, quiet_ms: 900, timeout_ms: 2_500 });
      assert.equal(reply.line('State'), 'running');
      assert.equal((await call('write_stdin', { session, chars: 'x', yield_time_ms: 0 })).isError, false);
    }
  });

  test('a shell that waits for a command does not look like a secret', async (fixture) => {
    const { call, start } = fixture;
    const session = await start({ argv: ['bash', '--norc', '--noprofile', '-i'], tty: true });
    const reply = await call('wait_for', { session, quiet_ms: 1_500 });
    assert.deepEqual(reply.structured['met'], ['quiet_ms'], reply.text);
    assert.equal(reply.line('State'), 'running');
    await call('write_stdin', { session, chars: 'echo $((6 * 7))\n' });
    await untilPrinted(fixture, session, '^42$');
  });
}
