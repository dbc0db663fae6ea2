import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

import { listProcesses } from '../../src/local/processTable.js';
import { backendKinds } from '../contract/backends.js';
import { commandLine, until } from '../support/processes.js';
import { bridgeKind } from './bridgeKind.js';
import { codexToolDeviations } from './codexToolDeviations.js';
import { toolTests, untilPrinted } from './toolsSetup.js';
import { vimIsThere } from './programs.js';

const titles = new Set<string>();

for (const kind of [...backendKinds, bridgeKind]) {
  describe(`The tools of agents on the ${kind.name} backend`, () => {
    const declare = toolTests(kind);
    const test: typeof declare = (title, ...rest) => {
      titles.add(title);
      declare(title, ...rest);
    };

    test('a command that ends is answered with its output and its exit code', async ({ call, folder }) => {
      const reply = await call('exec_command', { cmd: 'pwd; echo "to $((40 + 2))" | cat' });
      assert.match(
        reply.text,
        /^Session 1: pwd; echo "to \$\(\(40 \+ 2\)\)" \| cat\nState: exited with code 0\nWall time: \d+\.\d\d s\nOutput tokens: \d+ \(4 bytes a token, estimated\)\nCursor: \d+\nOutput:\n/,
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

    test('a command that goes on can be read, waited for and read again', async (fixture) => {
      const { call, start } = fixture;
      const session = await start({ cmd: 'echo one; read line; echo "two $line"; exit 3', stdin: true });
      assert.equal((await untilPrinted(fixture, session, 'one')).line('State'), 'running');
      const written = await call('write_stdin', { session, chars: 'é\n', yield_time_ms: 60_000 });
      assert.equal(written.output, 'two é\n');
      assert.equal(written.line('State'), 'exited with code 3');
      // Nothing of an ended session is lost.
      assert.equal((await call('read_output', { session, cursor: '0' })).output, 'one\ntwo é\n');
      assert.equal((await call('read_output', { session })).output, '');
      const waited = await call('wait_for', { session, exit: true, closed: true });
      assert.deepEqual(waited.structured['met'], ['exit', 'closed']);
      const late = await call('write_stdin', { session, chars: 'x' });
      assert.deepEqual([late.isError, late.line('State')], [false, 'exited with code 3']);
    });

    test('a child in the background does not hold the call', async ({ call, folder }) => {
      const child = `until [ -e ${folder}/go ]; do sleep 0.01; done; echo late`;
      const reply = await call('exec_command', { cmd: `echo early; (${child}) &`, yield_time_ms: 60_000 });
      assert.equal(reply.line('State'), 'exited with code 0, output still open');
      assert.equal(reply.output, 'early\n');
      const [waited] = await Promise.all([
        call('wait_for', { session: 1, closed: true, pattern: 'never' }),
        call('exec_command', { cmd: 'touch go' }),
      ]);
      assert.deepEqual(waited.structured['met'], ['closed']);
      assert.equal(waited.output, 'late\n');
    });

    test('input can be closed', async ({ call, start }) => {
      const session = await start({ argv: ['cat'], stdin: true });
      const reply = await call('write_stdin', {
        session,
        chars: 'all\n',
        close: true,
        yield_time_ms: 60_000,
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
      const reply = await call('write_stdin', { session, chars: '\u0003', yield_time_ms: 60_000 });
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
      const reply = await call('write_stdin', { session, close: true, yield_time_ms: 60_000 });
      assert.equal(reply.line('State'), 'exited with code 0');
      assert.match(
        (await call('read_output', { session, cursor: '0' })).output,
        /^name\? you\nhello you\n.*over\n$/s,
      );
    });

    test('pages, searches and budgets lose nothing', async ({ call }) => {
      const reply = await call('exec_command', {
        cmd: 'for i in $(seq 5000); do echo "line $i of it"; [ $i = 2500 ] && echo "Error: number $i"; done; true',
        max_output_tokens: 1_000,
        yield_time_ms: 60_000,
      });
      assert.match(reply.output, /^line 1 of it\n/);
      assert.match(reply.output, /line 5000 of it\n$/);
      assert.match(reply.output, /\nError: number 2500\n/);
      const left =
        /\[\.\.\. [\d,]+ lines \([\d,]+ tokens\) left out; read_output cursor="([\d+]+)" has them \.\.\.\]/.exec(
          reply.output,
        );
      assert.ok(left, reply.output);
      const there = await call('read_output', { session: 1, cursor: left[1] ?? '', max_output_tokens: 100 });
      const before = reply.output.slice(0, left.index).trimEnd().split('\n').length;
      assert.ok(there.output.startsWith(`line ${before + 1} of it\n`), there.output);
      let whole = '';
      for (let cursor = '0', more: unknown = true; more === true;) {
        const page = await call('read_output', { session: 1, cursor, max_output_tokens: 5_000 });
        cursor = page.line('Cursor');
        more = page.structured['more'];
        whole += page.output.replace(/\[\.\.\. more follows; .* \.\.\.\]$/, '');
      }
      const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index + 1} of it\n`);
      lines.splice(2_500, 0, 'Error: number 2500\n');
      assert.equal(whole, lines.join(''));
      const found = await call('read_output', { session: 1, search: '^Error: number \\d+$' });
      assert.equal(found.line('Matching lines'), '1');
      assert.match(found.output, /Error: number 2500/);
    });

    test('a flood is short to read, and ends', async ({ call }) => {
      const reply = await call('exec_command', { cmd: 'yes | head -n 1000000', yield_time_ms: 60_000 });
      assert.equal(reply.line('State'), 'exited with code 0');
      assert.ok(reply.output.length < 1_000, reply.output.slice(0, 2_000));
      assert.match(reply.output, /^y\n/);
    });

    test('waiting for a line finds one that came before, one that comes, and none', async (fixture) => {
      const { call, start } = fixture;
      const session = await start({
        cmd: 'echo "Listening on 3000"; read x; echo "ready $x"; read y',
        stdin: true,
      });
      await untilPrinted(fixture, session, 'Listening');
      const before = await call('wait_for', { session, pattern: 'listening ON \\d+', ignore_case: true });
      assert.equal(before.structured['matchedLine'], 'Listening on 3000');
      const coming = call('wait_for', { session, pattern: '^ready go$' });
      await call('write_stdin', { session, chars: 'go\n' });
      assert.deepEqual((await coming).structured['met'], ['pattern']);
      const none = await call('wait_for', { session, pattern: 'never', timeout_ms: 10 });
      assert.deepEqual(
        [none.isError, none.structured['ending'], none.line('State')],
        [false, 'time', 'running'],
      );
      const over = call('wait_for', { session, pattern: 'never' });
      await call('write_stdin', { session, chars: '\n' });
      assert.match((await over).line('Condition'), /^none met: the command has ended, and no line/);
    });

    test('waiting for a port finds a server that comes up', async ({ call, start }) => {
      const port = await freePort();
      const script = `process.stdin.once('data', () => require('net').createServer().listen(${port}, '127.0.0.1'))`;
      const session = await start({ argv: [process.execPath, '-e', script], stdin: true });
      const none = await call('wait_for', { session, port, timeout_ms: 10 });
      assert.equal(none.structured['ending'], 'time', none.text);
      const coming = call('wait_for', { session, port });
      await call('write_stdin', { session, chars: '\n' });
      assert.equal((await coming).line('Condition'), `port met: ${port} is listened on`);
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
      const session = await start({ cmd: 'read x; echo "got $x"; read y', stdin: true });
      const abort = new AbortController();
      const waiting = call('wait_for', { session, exit: true }, { signal: abort.signal });
      await call('write_stdin', { session, chars: 'it\n' }, { agent: 'other' });
      await untilPrinted(fixture, session, 'got it', { agent: 'other' });
      abort.abort();
      assert.match((await waiting).text, /cancelled/);
      const read = await call('read_output', { session });
      assert.deepEqual([read.output, read.line('State')], ['got it\n', 'running']);
    });

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
      assert.equal(own[3], `Environments: here (${kind.name}, the default)`);
      assert.match((await call('list_sessions', { all: true })).text, /Session 3: echo hi .* agent other/);
    });

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
      assert.equal((await call('stop_session', { session })).line('Stop'), 'nothing was running any more');
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

    for (const [name, cmd] of [
      ['a shell', `read -s -p 'Password: ' secret; echo; echo "it has \${#secret} characters"; read x`],
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
        const typed = await call('write_stdin', { session, chars: '\n', yield_time_ms: 60_000 });
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

    test('a shell that waits for a command does not look like a secret', async (fixture) => {
      const { call, start } = fixture;
      const session = await start({ argv: ['bash', '--norc', '--noprofile', '-i'], tty: true });
      const reply = await call('wait_for', { session, quiet_ms: 1_500 });
      assert.deepEqual(reply.structured['met'], ['quiet_ms'], reply.text);
      assert.equal(reply.line('State'), 'running');
      await call('write_stdin', { session, chars: 'echo $((6 * 7))\n' });
      await untilPrinted(fixture, session, '^42$');
    });

    test('an editor shows its screen, and takes keys', async (fixture) => {
      const { call, start, folder } = fixture;
      assert.ok(vimIsThere(), 'vim is needed');
      const session = await start({ argv: ['vim', '-u', 'NONE', '-n', `${folder}/note.txt`], tty: true });
      const screen = () => call('read_output', { session, mode: 'screen' });
      await until(async () => (await screen()).output.includes('note.txt'));
      const first = await screen();
      assert.match(
        first.line('Screen'),
        /^80 columns, 24 rows, cursor in row 1, column 1, of a full-screen program$/,
      );
      assert.match(first.output, /^\n~\n~\n/);
      await call('write_stdin', { session, chars: 'ihello\u001b' });
      await until(async () => (await screen()).output.startsWith('hello\n~'));
      const reply = await call('write_stdin', { session, chars: ':wq\r', yield_time_ms: 60_000 });
      assert.equal(reply.line('State'), 'exited with code 0');
      assert.equal((await call('exec_command', { argv: ['cat', `${folder}/note.txt`] })).output, 'hello\n');
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
  });
}

describe('The deviations of the tools', () => {
  it('name tests that there are, once, with a reason', () => {
    const names = codexToolDeviations.map(({ test }) => test);
    assert.deepEqual(names, [...new Set(names)]);
    assert.deepEqual(
      names.filter((name) => !titles.has(name)),
      [],
    );
    assert.ok(codexToolDeviations.every(({ reason }) => reason.length > 0));
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
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
