import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import type { DeclareToolTest } from '../toolsSetup.js';

/** The start of a command, and the words about its end. */
export function commandTests(test: DeclareToolTest): void {
  test('a command that ends is answered with its output and its exit code', async ({ call, folder }) => {
    const reply = await call('exec_command', { cmd: 'pwd; echo "to $((40 + 2))" | cat' });
    assert.match(
      reply.text,
      /^Session 1: pwd; echo "to \$\(\(40 \+ 2\)\)" \| cat\nState: exited with code 0\nWall time: \d+\.\d\d s\nCursor: \d+\nOutput:\n/,
    );
    assert.equal(reply.output, `${folder}\nto 42\n`);
    assert.deepEqual([reply.structured['state'], reply.structured['exitCode']], ['closed', 0]);
  });

  test('an argument list is touched by no shell', async ({ call }) => {
    const argv = ['printf', '%s|', '$HOME', "it's", '*', 'a b'];
    const reply = await call('exec_command', { argv });
    assert.equal(reply.output, "$HOME|it's|*|a b|");
    assert.match(reply.line('Session 1'), /^printf '%s\|' '\$HOME' 'it'\\''s' '\*' 'a b'$/);
  });

  test('a command that fails is no error of the call', async ({ call }) => {
    const reply = await call('exec_command', { cmd: 'echo oops >&2; exit 7' });
    assert.deepEqual(
      [reply.isError, reply.line('State'), reply.output],
      [false, 'exited with code 7', 'oops\n'],
    );
  });

  test('a command that a signal has ended is told as that', async ({ call }) => {
    const reply = await call('exec_command', { cmd: 'kill -TERM $$' });
    assert.equal(reply.line('State'), 'ended by SIGTERM (exit code 143)');
    assert.equal(reply.structured['signal'], 'SIGTERM');
  });

  test('a program or a directory that is not there is an error that names it', async ({ call }) => {
    const program = await call('exec_command', { argv: ['no-such-program'] });
    assert.equal(program.isError, true);
    assert.match(program.text, /^Cannot start "no-such-program" in .*: there is no such program\./);
    const directory = await call('exec_command', { cmd: 'ls', workdir: 'not/there' });
    assert.equal(directory.isError, true);
    assert.match(directory.text, /the directory .*\/not\/there does not exist/);
    const environment = await call('exec_command', { cmd: 'ls', environment: 'moon' });
    assert.equal(environment.text, 'There is no environment "moon". There are: here.');
    assert.match((await call('list_sessions', {})).text, /^0 sessions/);
  });

  test('the directory of a command can be given', async ({ call, folder }) => {
    assert.equal((await call('exec_command', { cmd: 'mkdir -p deep/er; pwd' })).output, `${folder}\n`);
    assert.equal(
      (await call('exec_command', { cmd: 'pwd', workdir: 'deep/er' })).output,
      `${folder}/deep/er\n`,
    );
    assert.equal((await call('exec_command', { cmd: 'pwd', workdir: '/' })).output, '/\n');
  });

  test('the environment is that of the machine, without colours on pipes and without pagers', async ({
    call,
  }) => {
    const cmd = 'echo "$NO_COLOR,$TERM,$PAGER,$GIT_PAGER,${PATH:+path}"';
    assert.equal((await call('exec_command', { cmd })).output, '1,dumb,cat,cat,path\n');
    assert.equal((await call('exec_command', { cmd, tty: true })).output, ',xterm-256color,cat,cat,path\n');
  });

  test('programs on pipes are told not to ask, unless "env" says otherwise', async ({ call }) => {
    const cmd = 'echo "${GIT_TERMINAL_PROMPT-none},${GIT_EDITOR-none},${DEBIAN_FRONTEND-none}"';
    assert.equal((await call('exec_command', { cmd })).output, '0,true,noninteractive\n');
    assert.equal((await call('exec_command', { cmd, stdin: true })).output, '0,true,noninteractive\n');
    // There they are as the server has them.
    assert.match((await call('exec_command', { cmd, tty: true })).output, /^(?!0,true,).+,.+,.+\n$/);
    const env = { GIT_TERMINAL_PROMPT: '1', GIT_EDITOR: null, DEBIAN_FRONTEND: 'text' };
    assert.equal((await call('exec_command', { cmd, env })).output, '1,none,text\n');
  });

  test('variables can be set for one command, and taken away', async ({ call }) => {
    const cmd = 'echo "$COLOUR,$N,${PAGER-none},${HISTFILE-none}"';
    const env = { COLOUR: "it's dark blue", N: 5, PAGER: null };
    assert.equal((await call('exec_command', { cmd, env })).output, "it's dark blue,5,none,\n");
    assert.equal((await call('exec_command', { cmd })).output, ',,cat,\n');
    const refused = await call('exec_command', { cmd, env: { 'A=B': 'x', '': 'y', 'N*': null } });
    assert.equal(
      refused.text,
      'exec_command was not called: "A=B" in "env" is not a name of a variable; a variable of "env" has no name; "N*" in "env" cannot be taken away, because of the * or ? in it.',
    );
  });

  test('a login shell reads the profile', async ({ call, folder }) => {
    fs.writeFileSync(path.join(folder, '.bash_profile'), 'export PATH="$PATH:/from/the/profile"\n');
    const start = { cmd: 'shopt -q login_shell && echo login; echo "$PATH"', env: { HOME: folder } };
    const { output } = await call('exec_command', { ...start, login: true });
    assert.match(output, /^login\n.*:\/from\/the\/profile\n$/);
    const usual = await call('exec_command', start);
    assert.doesNotMatch(usual.output, /login|profile/);
    const argv = await call('exec_command', { argv: ['ls'], login: true });
    assert.match(argv.text, /^exec_command was not called: "login" needs "cmd"/);
  });

  test('a terminal has the size that was asked for', async ({ call }) => {
    const sized = await call('exec_command', { cmd: 'stty size', tty: true, columns: 132, rows: 50 });
    assert.deepEqual([sized.output, sized.structured['warnings']], ['50 132\n', undefined]);
    const wide = await call('exec_command', { cmd: 'stty size', tty: true, columns: 120 });
    assert.equal(wide.output, '24 120\n');
    const line = await call('exec_command', { cmd: `printf '%0100d\\n' 1`, tty: true, columns: 120 });
    const screen = await call('read_output', { session: line.structured['session'], mode: 'screen' });
    assert.match(screen.line('Screen'), /^120 columns, 24 rows/);
    const pipe = await call('exec_command', { cmd: 'echo x', columns: 120 });
    assert.match(pipe.text, /^Warning: columns and rows changed nothing: only a terminal has a size/);
  });

  test('both outputs share a pipe, so that they come in order, unless they are to be separate', async ({
    call,
  }) => {
    const cmd = 'for i in $(seq 200); do echo $i; echo $i >&2; done';
    const twice = Array.from({ length: 200 }, (_, index) => `${index + 1}\n`.repeat(2)).join('');
    const { output } = await call('exec_command', { cmd, yield_time_ms: 55_000 });
    assert.equal(output, twice);
    const same = '[ "$(readlink /proc/$$/fd/1)" = "$(readlink /proc/$$/fd/2)" ] && echo one || echo two';
    assert.equal((await call('exec_command', { cmd: same })).output, 'one\n');
    assert.equal((await call('exec_command', { cmd: same, separate_stderr: true })).output, 'two\n');
  });

  test('a child in the background does not hold the call', async ({ call, folder }) => {
    const child = `until [ -e ${folder}/go ]; do sleep 0.01; done; echo late`;
    const reply = await call('exec_command', { cmd: `echo early; (${child}) &`, yield_time_ms: 55_000 });
    assert.match(reply.line('State'), /^exited with code 0, output still open/);
    assert.equal(reply.output, 'early\n');
    const [waited] = await Promise.all([
      call('wait_for', { session: 1, closed: true, pattern: 'never' }),
      call('exec_command', { cmd: 'touch go' }),
    ]);
    assert.deepEqual(waited.structured['met'], ['closed']);
    assert.equal(waited.output, 'late\n');
  });
}
